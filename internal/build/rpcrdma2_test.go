package build_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// TestVersion2Bytes compares what is made with messages laid out by hand after
// draft-cel-nfsv4-rpcrdma-version-two-02 and
// draft-dnoveck-nfsv4-rpcrdma-xcharext-00.
func TestVersion2Bytes(t *testing.T) {
	chunk := []build.Segment{{Handle: 0xc83, Length: 5, Offset: 6}}
	for _, tt := range []struct {
		name   string
		header build.Header2
		want   string
	}{
		{"RDMA2_MSG", build.Header2{XID: 1, Credits: 2, InvHandle: 0xc83, Writes: [][]build.Segment{chunk}},
			"00000001 00000002 00000002 00000000 00000000 00000c83 00000000 00000001 00000001 00000c83 00000005 0000000000000006 00000000 00000000"},
		{"RDMA2_NOMSG", build.Header2{XID: 1, Credits: 2, Proc: build.NOMSG, Direction: build.DirectionReply, Reply: chunk,
			Reads: []build.ReadSegment{{Position: 96, Segment: chunk[0]}}},
			"00000001 00000002 00000002 00000001 00000001 00000000 00000001 00000060 00000c83 00000005 0000000000000006 00000000 00000000 00000001 00000001 00000c83 00000005 0000000000000006"},
		{"INIT_XCHAR", build.Header2{XID: 0x0a0b0c0d, Credits: 32, Proc: build.OPTIONAL, Option: build.InitXchar, Info: build.XcharInit([]build.Xchar{
			build.XcharWord(build.XcharRBSIZ, 8192), build.XcharWord(build.XcharRQREMINV, 1), build.XcharWord(build.XcharBRS, build.BRSSizeLim)}, build.XcharSubset{1})},
			"0a0b0c0d 00000002 00000020 00000005 00000000 00000001 00000030 00000003 00000001 00000004 00002000 00000002 00000004 00000001 00000003 00000004 00000002 00000001 00000002"},
		{"REQ_XCHAR", build.Header2{XID: 1, Proc: build.OPTIONAL, Option: build.ReqXchar, Info: build.XcharReq(build.Xchar{ID: 9, Data: []byte{1, 2, 3}})},
			"00000001 00000002 00000000 00000005 00000000 00000002 00000010 00000001 00000009 00000003 01020300"},
		{"RESP_XCHAR", build.Header2{XID: 0x0a0b0c0e, Credits: 32, Proc: build.OPTIONAL, Direction: 1, Option: build.RespXchar,
			Info: build.XcharResp(build.XcharSubset{0}, build.XcharSubset{33}, nil)},
			"0a0b0c0e 00000002 00000020 00000005 00000001 00000003 00000018 00000001 00000001 00000002 00000000 00000002 00000000"},
		{"UPD_XCHAR", build.Header2{XID: 1, Proc: build.OPTIONAL, Option: build.UpdXchar, Info: build.XcharUpd(build.XcharWord(build.XcharRBSIZ, 16384), true)},
			"00000001 00000002 00000000 00000005 00000000 00000004 00000010 00000001 00000004 00004000 00000001"},
		{"RDMA2_ERR_VERS", build.Header2{XID: 1, Credits: 3, Proc: build.ERROR, Err: build.ErrVers, Low: 1, High: 2},
			"00000001 00000002 00000003 00000004 00000001 00000001 00000002"},
		{"RDMA2_ERR_CANT_REPLY", build.Header2{XID: 0x0a0b0c0f, Credits: 32, Proc: build.ERROR, Err: build.Err2CantReply, Processed: 1, SegmentIndex: 2, LengthNeeded: 70000},
			"0a0b0c0f 00000002 00000020 00000004 00000003 00000001 00000002 00011170"},
		{"RDMA2_ERR_INVAL_PROC, directed", build.Header2{XID: 1, Proc: build.ERROR, Err: build.Err2InvalidProc, DirectedError: true, Direction: 1},
			"00000001 00000002 00000000 00000004 00000001 00000004"},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(tt.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := tt.header.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("%s is\n% x, not\n% x", tt.name, got, want)
		}
	}
}
