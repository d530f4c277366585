package rpcs

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// getattr is an RPC of which the header is known, and nothing else.
func getattr(procedure uint32) *dissect.RPC {
	m := &dissect.Message{HasRPC: true}
	m.CallHeader.Program, m.CallHeader.Version, m.CallHeader.Procedure = rpc.ProgramNFS, 3, procedure
	return &dissect.RPC{Connection: &dissect.Connection{Conn: new(flow.Conn)}, Call: m}
}

func TestMedians(t *testing.T) {
	var m medians
	r := getattr(1)
	for i := range fewSamples {
		if _, enough := m.addRPC(r, 1000, true, 10); enough {
			t.Fatalf("enough after %d", i)
		}
	}
	median, enough := m.addRPC(r, 1_000_000, true, 10)
	if !enough || median < 990 || median > 1010 {
		t.Errorf("median %d, enough %v", median, enough)
	}
	if _, enough := m.addRPC(getattr(2), 1_000_000, true, 10); enough {
		t.Error("the times of another procedure count")
	}
}

func TestMediansAreBounded(t *testing.T) {
	var m medians
	for p := range uint32(1000) {
		m.addRPC(getattr(p), 1000, false, 10)
	}
	if len(m.list) > mostSubjects {
		t.Errorf("%d procedures are kept", len(m.list))
	}
	once := getattr(1)
	if n := testing.AllocsPerRun(100, func() { m.addRPC(once, 1000, false, 10) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
