package dissect_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// moves is a Sink and a DataSink that counts bytes.
type moves struct {
	testing.TB
	open              map[*dissect.RPC]uint64
	rpcs, told, moved uint64
}

func (*moves) Connection(*dissect.Connection, bool) {}
func (*moves) Frame(*dissect.FrameView)             {}
func (*moves) Message(*dissect.Message)             {}

func (m *moves) Moved(r *dissect.RPC, s *rpcrdma.Region, at uint64, data []byte) {
	if n := uint64(len(data)); n == 0 || at+n > uint64(s.Length) {
		m.Errorf("%d bytes at %d of a segment of %d", n, at, s.Length)
	}
	m.open[r] += uint64(len(data))
	m.moved += uint64(len(data))
}

func (m *moves) RPC(r *dissect.RPC) {
	m.rpcs++
	told := r.Offer.ReadBytes + r.Offer.WriteBytes
	if m.open[r] != told {
		m.Errorf("XID %#08x: %d bytes were handed on, want the %d that RDMA moved", r.XID, m.open[r], told)
	}
	delete(m.open, r)
	m.told += told
}

// TestMoved holds that a DataSink gets every byte that RDMA moves for an RPC,
// before the RPC is told, and none otherwise.
func TestMoved(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-krb", "siw-loss"} {
		sink := &moves{TB: t, open: make(map[*dissect.RPC]uint64)}
		d := dissect.New(sink, dissect.Options{Data: sink})
		list := load(t, name)
		for i := range list {
			d.Frame(&list[i])
		}
		d.Flush()
		if sink.rpcs == 0 || sink.moved == 0 || sink.moved != sink.told || len(sink.open) != 0 {
			t.Errorf("%s: %d RPCs, %d bytes handed on, %d moved, %d RPCs never told", name, sink.rpcs, sink.moved, sink.told, len(sink.open))
		}
	}
}

// asked notes the values of one field of NFS.
type asked struct {
	noLatency
	field  string
	values []uint64
}

func (a *asked) RPC(r *dissect.RPC) {
	b := r.Call.Body()
	if b == nil {
		return
	}
	mark := int32(b.Binding.Plan().Index(a.field))
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Value && e.Mark == mark && mark >= 0 {
			a.values = append(a.values, e.Value)
		}
	}
}

// TestAsk holds that fields which are asked for are reported, by key or by type,
// in texts of the user's too, and that one which no text has is an error.
func TestAsk(t *testing.T) {
	own, err := types.Parse("own.x", "struct ownargs { unsigned int number; };\nprogram OWN { version OWN_V1 { void OWN_CALL(ownargs) = 1; } = 1; } = 0x20000001;")
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range [][]string{nil, {"ownargs.number", "nfs4.open4args.seqid"}} {
		b, err := dissect.NewBindings(own)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Ask(ask...); err != nil {
			t.Fatalf("%v: %v", ask, err)
		}
		a := &asked{noLatency: noLatency{t}, field: "OPEN4args.seqid"}
		d := dissect.New(a, dissect.Options{Bindings: b})
		list := load(t, "rxe-cb")
		for i := range list {
			d.Frame(&list[i])
		}
		d.Flush()
		if reported := len(a.values) > 0; reported != (ask != nil) {
			t.Errorf("asked for %v: %d values of %s, which no summary names", ask, len(a.values), a.field)
		}
		if err := b.Ask("READ3args.ofset"); err == nil || !strings.Contains(err.Error(), "ofset") {
			t.Errorf("a field that is not there: %v", err)
		}
		if err := b.Ask("nowhere"); err == nil {
			t.Error("a type that is not there is no error")
		}
	}
}
