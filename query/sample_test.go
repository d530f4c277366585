package query

import (
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// samples are the captures that ship.
func samples(tb testing.TB) (paths []string) {
	tb.Helper()
	paths, err := filepath.Glob("../samples/*.pcap.zst")
	if err != nil || len(paths) < 12 {
		tb.Fatalf("%d samples, error %v", len(paths), err)
	}
	return paths
}

func newSets(tb testing.TB) *Sets {
	tb.Helper()
	s, err := NewSets()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func compile(tb testing.TB, s *Sets, l Level, expr string) *Query {
	tb.Helper()
	q, err := s.Compile(l, expr)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

// told is a sink of functions; nil ones are not called.
type told struct {
	frame   func(*dissect.FrameView)
	message func(*dissect.Message)
	rpc     func(*dissect.RPC)
}

func (t *told) Connection(*dissect.Connection, bool) {}

func (t *told) Frame(v *dissect.FrameView) {
	if t.frame != nil {
		t.frame(v)
	}
}

func (t *told) Message(m *dissect.Message) {
	if t.message != nil {
		t.message(m)
	}
}

func (t *told) RPC(r *dissect.RPC) {
	if t.rpc != nil {
		t.rpc(r)
	}
}

// read dissects a capture, with bindings that report the fields with these keys.
func read(tb testing.TB, path string, sink *told, keys ...string) {
	tb.Helper()
	readBound(tb, path, sink, bindings(tb, keys...))
}

func bindings(tb testing.TB, keys ...string) *dissect.Bindings {
	tb.Helper()
	b, err := dissect.NewBindings()
	if err == nil {
		err = b.Ask(keys...)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func readBound(tb testing.TB, path string, sink *told, b *dissect.Bindings) {
	tb.Helper()
	f, err := capture.Open(path, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	d := dissect.New(sink, dissect.Options{Bindings: b, Units: true, KeepOctets: true})
	if faults, err := d.Run(f, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		tb.Fatal(err, faults)
	}
	d.Flush()
}

// whole is the record of an RPC of which any field may be asked, and the keys
// for that.
func whole(s *Sets) (r *rpcRecord, keys []string) {
	r = &rpcRecord{record: record[*dissect.RPC]{list: s.rpcs}, texts: s.texts}
	var all []int
	for i := range s.Set(RPCs).Fields() {
		all = append(all, i)
	}
	r.need(all)
	return r, r.keys
}
