package query

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/long"
)

// samples are the captures that ship: all of them if the test may take long, or those that
// are small and one that is not.
func samples(tb testing.TB) (paths []string) {
	tb.Helper()
	paths, err := filepath.Glob("../../samples/*.pcap.zst")
	if err != nil || len(paths) < 12 {
		tb.Fatalf("%d samples, error %v", len(paths), err)
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		large := []string{"rxe-ipv6.pcap.zst", "rxe-loss.pcap.zst", "siw-basic.pcap.zst", "siw-loss.pcap.zst"}
		return !long.Tests && slices.Contains(large, filepath.Base(path))
	})
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
	dissected(tb, framesOf(tb, path), sink, bindings(tb, keys...))
}

// framesOf are the frames of a capture.
func framesOf(tb testing.TB, path string) (list []capture.Frame) {
	tb.Helper()
	file, err := capture.Open(path, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	for f := (capture.Frame{}); ; {
		err := file.Next(&f)
		if err == io.EOF {
			return list
		} else if err != nil {
			tb.Fatal(err)
		}
		kept := f
		kept.Data = slices.Clone(f.Data)
		list = append(list, kept)
	}
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

// dissected tells a sink of what frames hold. Nothing is done beside it: tests count what
// is allocated meanwhile.
func dissected(tb testing.TB, list []capture.Frame, sink *told, b *dissect.Bindings) {
	tb.Helper()
	d := dissect.New(sink, dissect.Options{Bindings: b, Units: true, KeepBytes: true})
	for i := range list {
		d.Frame(&list[i])
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
