package build_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/rdmacap/rdmacap/internal/build"
)

var update = flag.Bool("update", false, "write the samples of version 2 into the folder samples anew")

// scripted is what the samples need of a conversation.
type scripted interface {
	Connect() build.Span
	Call(build.Message, ...build.Offer) *build.Exchange
	Reply(*build.Exchange, build.Message, ...build.ReplyOption) build.Span
	ReplyError(*build.Exchange, uint32) build.Span
	ReverseCall2(call, reply build.Message) build.Span
	Message2(build.Direction, build.Header2) build.Span
	Send(build.Direction, []byte) build.Span
	Ack(build.Direction) build.Span
	Disconnect() build.Span
	Wait(time.Duration)
}

// TestSamples holds the captures of version 2 in the folder samples against the
// stories that they tell.
func TestSamples(t *testing.T) {
	for _, s := range []struct {
		name           string
		tell           func(scripted)
		client, server build.Host
	}{
		// The private data of RFC 8797 are for version 1.
		{"version2", version2, build.Host{Private: []byte{}}, build.Host{Private: []byte{}}},
		{"fallback", fallback, build.Host{}, build.Host{}},
	} {
		roce := build.NewConversation(build.Setup{Client: s.client, Server: s.server})
		s.tell(roce)
		sample(t, s.name+"-roce", roce.Frames)
		iwarp := build.NewIWARP(build.IWARPSetup{Client: s.client, Server: s.server, CRC: true})
		s.tell(iwarp)
		sample(t, s.name+"-iwarp", iwarp.Frames)
	}
}

// sample compares a file with the capture that it is to hold, or writes it.
func sample(t *testing.T, name string, frames build.Frames) {
	t.Helper()
	var want bytes.Buffer
	if err := build.WritePcap(&want, frames); err != nil {
		t.Fatal(err)
	}
	path := "../../samples/" + name + ".pcap.zst"
	if *update {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, z.EncodeAll(want.Bytes(), nil), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	got, err := z.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what its story makes: run go test ./internal/build -update", path)
	}
}

// two is a call of version 2 that lets nothing be invalidated.
func two() build.Version2 { return build.Version2{} }

// version2 is a connection on which both ends speak version 2.
func version2(c scripted) {
	c.Connect()
	characteristics(c)
	traffic(c)
	c.Wait(time.Second)
	resize(c)
	c.ReverseCall2(callbackNull(0x101), build.Message{Bytes: build.RPCReply{XID: 0x101}.Bytes()})
	failures(c)
	c.Disconnect()
}

// characteristics are those that both ends begin with: of the server also one that
// is an experiment.
func characteristics(c scripted) {
	c.Message2(build.ToServer, build.Header2{XID: 0x1001, Proc: build.OPTIONAL, Option: build.InitXchar, Info: build.XcharInit([]build.Xchar{
		build.XcharWord(build.XcharRBSIZ, 8192),
		build.XcharWord(build.XcharRQREMINV, 1),
		build.XcharWord(build.XcharBRS, build.BRSSizeLim),
	}, build.XcharSubset{1, 2})})
	c.Message2(build.ToClient, build.Header2{XID: 0x2001, Proc: build.OPTIONAL, Option: build.InitXchar, Info: build.XcharInit([]build.Xchar{
		build.XcharWord(build.XcharRBSIZ, 4096),
		build.XcharWord(build.XcharRQREMINV, 0),
		build.XcharWord(build.XcharBRS, build.BRSGeneral),
		{ID: 0xffffff01, Data: []byte("trial")},
	}, nil)})
	c.Wait(time.Millisecond)
}

// traffic is NFS version 3: with and without chunks, long, and with remote
// invalidation of what the call lets be invalidated.
func traffic(c scripted) {
	fh, data := []byte("version 2 file handle"), made(3000)
	c.Reply(c.Call(build.NFS3Null(1), two()), build.NFS3NullReply(1))
	c.Reply(c.Call(build.NFS3GetAttr(2, fh), two()), build.NFS3GetAttrReply(2, 3000))
	c.Reply(c.Call(build.NFS3Read(3, fh, 0, 3000), build.Version2{InvHandle: 0xc83}, build.WriteChunk{{Handle: 0xc83, Length: 3000, Offset: 0x1000}}),
		build.NFS3ReadReply(3, data), build.Invalidate(0xc83))
	c.Reply(c.Call(build.NFS3Write(4, fh, 0, data), build.Version2{InvHandle: 0xd01}, build.ReadChunk{{Handle: 0xd01, Length: 3000, Offset: 0x9000}}),
		build.NFS3WriteReply(4, 3000), build.Invalidate(0xd01))
	c.Reply(c.Call(build.NFS3Read(5, fh, 0, 3000), two(), build.WriteChunk{{Handle: 0xc84, Length: 3000, Offset: 0x1000}}), build.NFS3ReadReply(5, data))
	write := build.NFS3Write(6, fh, 3000, data)
	c.Reply(c.Call(write, build.Version2{InvHandle: 0xe01}, build.LongCall{{Handle: 0xe01, Length: uint32(len(write.Bytes)), Offset: 0x3000}}),
		build.NFS3WriteReply(6, 3000), build.Invalidate(0xe01))
	c.Reply(c.Call(build.NFS3Read(7, fh, 0, 3000), build.Version2{InvHandle: 0xe02}, build.ReplyChunk{{Handle: 0xe02, Length: 4096, Offset: 0x5000}}),
		build.NFS3ReadReply(7, data), build.Invalidate(0xe02))
}

// resize raises both receive buffers: the server's some time after it was asked,
// which a long WRITE inline then uses, the client's at once.
func resize(c scripted) {
	c.Message2(build.ToServer, build.Header2{XID: 0x1002, Proc: build.OPTIONAL, Option: build.ReqXchar, Info: build.XcharReq(
		build.XcharWord(build.XcharRBSIZ, 16384), build.XcharWord(build.XcharBRS, build.BRSNone), build.Xchar{ID: 0xffffff02, Data: []byte{1}})})
	c.Message2(build.ToClient, build.Header2{XID: 0x1002, Proc: build.OPTIONAL, Direction: build.DirectionReply, Option: build.RespXchar,
		Info: build.XcharResp(nil, build.XcharSubset{1, 2}, build.XcharSubset{0})})
	c.Wait(10 * time.Millisecond)
	c.Message2(build.ToClient, build.Header2{XID: 0x2002, Proc: build.OPTIONAL, Option: build.UpdXchar, Info: build.XcharUpd(build.XcharWord(build.XcharRBSIZ, 16384), true)})
	c.Message2(build.ToClient, build.Header2{XID: 0x2003, Proc: build.OPTIONAL, Option: build.ReqXchar, Info: build.XcharReq(build.XcharWord(build.XcharRBSIZ, 12288))})
	c.Message2(build.ToServer, build.Header2{XID: 0x2003, Proc: build.OPTIONAL, Direction: build.DirectionReply, Option: build.RespXchar,
		Info: build.XcharResp(build.XcharSubset{0}, nil, nil)})
	c.Reply(c.Call(build.NFS3Write(8, []byte("version 2 file handle"), 6000, made(9000)), two()), build.NFS3WriteReply(8, 9000))
}

// failures are an RDMA2_ERROR of each kind, and what draws it.
func failures(c scripted) {
	fh := []byte("version 2 file handle")
	fails := func(data []byte, h build.Header2) {
		c.Send(build.ToServer, data)
		c.Ack(build.ToClient)
		h.XID, h.Proc = binary.BigEndian.Uint32(data), build.ERROR
		c.Message2(build.ToClient, h)
	}
	bad := build.Header2{XID: 9, Credits: 128}.With(build.NFS3GetAttr(9, fh).Bytes)
	bad[35] = 7 // whether there is a Reply chunk
	fails(bad, build.Header2{Err: build.Err2BadXDR})
	small := build.WriteChunk{{Handle: 0xc85, Length: 1000, Offset: 0x1000}, {Handle: 0xc86, Length: 1000, Offset: 0x8000}}
	c.Call(build.NFS3Read(10, fh, 0, 3000), two(), small)
	c.Message2(build.ToClient, build.Header2{XID: 10, Proc: build.ERROR, Err: build.Err2CantReply, Processed: 1, SegmentIndex: 2, LengthNeeded: 2000})
	c.Reply(c.Call(build.NFS3Read(10, fh, 0, 3000), build.Version2{InvHandle: 0xc87}, build.WriteChunk{{Handle: 0xc87, Length: 3000, Offset: 0x1000}}),
		build.NFS3ReadReply(10, made(3000)), build.Invalidate(0xc87))
	fails(build.Header2{XID: 11, Credits: 128, Proc: 7}.Bytes(), build.Header2{Err: build.Err2InvalidProc})
	fails(build.Header2{XID: 12, Credits: 128, Proc: build.OPTIONAL, Option: 77, Info: []byte("what?")}.Bytes(), build.Header2{Err: build.Err2InvalidOption})
	fails(build.Header2{XID: 13, Vers: 3, Credits: 128}.With(build.NFS3Null(13).Bytes), build.Header2{Vers: 3, Err: build.ErrVers, Low: 1, High: 2})
}

// fallback is a client that tries version 2, and a server that knows version 1.
func fallback(c scripted) {
	fh, data := []byte("file handle"), made(3000)
	c.Connect()
	c.ReplyError(c.Call(build.NFS3Null(1), two()), build.ErrVers)
	c.Wait(time.Millisecond)
	c.Reply(c.Call(build.NFS3Null(2)), build.NFS3NullReply(2))
	c.Reply(c.Call(build.NFS3GetAttr(3, fh)), build.NFS3GetAttrReply(3, 3000))
	c.Reply(c.Call(build.NFS3Read(4, fh, 0, 3000), build.WriteChunk{{Handle: 0xc83, Length: 3000, Offset: 0x1000}}), build.NFS3ReadReply(4, data))
	c.Reply(c.Call(build.NFS3Write(5, fh, 0, data), build.ReadChunk{{Handle: 0xd01, Length: 3000, Offset: 0x9000}}), build.NFS3WriteReply(5, 3000))
	c.Disconnect()
}

// callbackNull is CB_NULL of a program number that a client chose.
func callbackNull(xid uint32) build.Message {
	return build.Message{Bytes: build.RPCCall{XID: xid, Program: 0x40000000, Version: 1}.Bytes()}
}

// made are bytes 0 to 250, again and again.
func made(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}
