package query

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// TestProcIsNamedByVersion holds that a column has the name of rdma_proc and rdma_err in the version
// of the header, and nothing where the capture has less of the header.
func TestProcIsNamedByVersion(t *testing.T) {
	columns, err := newSets(t).Columns(Messages, "rdma.proc,rdma.error")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		header    rpcrdma.Header
		proc, bad string
	}{
		{rpcrdma.Header{Version: 1, Length: 28}, "RDMA_MSG", ""},
		{rpcrdma.Header{Version: 2, Length: 28}, "RDMA2_MSG", ""},
		{rpcrdma.Header{Version: 1, Length: 16, Proc: 15}, "rdma_proc 15", ""},
		{rpcrdma.Header{Version: 2, Length: 12}, "", ""},
		{rpcrdma.Header{Version: 1, Length: 28, Proc: rpcrdma.RDMAError, Error: rpcrdma.ErrVers}, "RDMA_ERROR", "ERR_VERS"},
		{rpcrdma.Header{Version: 2, Length: 28, Proc: rpcrdma.RDMAError, Error: rpcrdma.ErrVers}, "RDMA2_ERROR", "RDMA2_ERR_VERS"},
	} {
		columns.Message(&dissect.Message{Header: tt.header})
		if proc, bad := string(columns.AppendTo(nil, 0)), string(columns.AppendTo(nil, 1)); proc != tt.proc || bad != tt.bad {
			t.Errorf("version %d, rdma_proc %d, %d bytes: %q, %q; want %q, %q", tt.header.Version, tt.header.Proc, tt.header.Length, proc, bad, tt.proc, tt.bad)
		}
	}
}
