package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// results compares what Results says of each reply that is whole in its bytes with what the
// RPC says.
type results struct {
	t        *testing.T
	bindings *dissect.Bindings
	compared int
}

func (*results) Connection(*dissect.Connection, bool) {}
func (*results) Frame(*dissect.FrameView)             {}
func (*results) Message(*dissect.Message)             {}

func (x *results) RPC(r *dissect.RPC) {
	if r.Reply == nil || r.CallHeader() == nil || r.Reply.Body() == nil {
		return
	}
	data := r.Reply.LongMessage()
	if r.Reply.Transfer != dissect.Long {
		data = r.Reply.Bytes[r.Reply.Header.Length:]
	}
	var writes []uint32
	for i := range r.Reply.Header.Writes {
		writes = append(writes, uint32(r.Reply.Header.WriteLength(i)))
	}
	body := x.bindings.Results(r.CallHeader(), r.Reverse(), data, writes)
	if body == nil {
		x.t.Errorf("XID %#x: no body", r.XID)
		return
	}
	status, ops := body.Statuses()
	if want, _ := r.Status(); status != want || body.Fault.Bad() || body.Left != 0 {
		x.t.Errorf("XID %#x: %q, want %q; fault %v, %d bytes left", r.XID, status, want, body.Fault, body.Left)
	}
	i := 0
	for _, want := range r.Ops(nil) {
		if want.Status == "" {
			continue
		}
		if i >= len(ops) || ops[i].Name != want.Name || ops[i].Status != want.Status || ops[i].OK != want.OK {
			x.t.Fatalf("XID %#x: operation %d of %+v, want %+v", r.XID, i, ops, want)
		}
		i++
	}
	if i != len(ops) {
		x.t.Errorf("XID %#x: %d operations, want %d", r.XID, len(ops), i)
	}
	x.compared++
}

// TestResults holds that a reply says the same apart from its capture.
func TestResults(t *testing.T) {
	bindings, err := dissect.NewBindings()
	if err != nil {
		t.Fatal(err)
	}
	file, err := capture.Open("../samples/rxe-cb.pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x := &results{t: t, bindings: bindings}
	d := dissect.New(x, dissect.Options{KeepBytes: true})
	if faults, err := d.Run(file, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	d.Flush()
	if x.compared < 100 {
		t.Errorf("%d replies compared", x.compared)
	}
}
