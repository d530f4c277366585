package walk_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

func TestReduction(t *testing.T) {
	p := sample(t, "GETATTRargs.request", "WRITEargs.data")
	call, reply := sampleArgs(p, 1), sampleResult(p, 1)
	// Inline, the first data word of the call has its length at 80, its data
	// at 84; in the RPC message there are 100 bytes before the arguments.
	for _, tt := range []struct {
		name    string
		data    []byte
		route   *walk.Route
		reduced walk.Reduction
		chunks  int
		length  uint64 // unreduced
		want    []string
	}{
		{"call inline", xdrsample.WriteCall(data("12345"), data("678")), call, walk.Reduction{Start: 100}, 0, 144, []string{
			"eligible data 5 at 84+5 position 184", "eligible data 3 at 128+3 position 228", "GETATTRargs.request 1 at 140+4 position 240",
		}},
		{"first in a chunk", xdrsample.WriteCall(5, data("678")), call, walk.Reduction{Start: 100, Reads: []walk.ReadChunk{{184, 5}}}, 1, 144, []string{
			"eligible data 5 at 84+5 chunk 0 position 184", "eligible data 3 at 120+3 position 228", "GETATTRargs.request 1 at 132+4 position 240",
		}},
		{"second in a chunk, with its pad", xdrsample.WriteCall(data("12345"), 3), call, walk.Reduction{Start: 100, Reads: []walk.ReadChunk{{228, 4}}}, 1, 144, []string{
			"eligible data 5 at 84+5 position 184", "eligible data 3 at 128+3 chunk 0 position 228", "GETATTRargs.request 1 at 136+4 position 240",
		}},
		{"both in chunks", xdrsample.WriteCall(5000, 3), call, walk.Reduction{Reads: []walk.ReadChunk{{84, 5000}, {5120, 3}}}, 2, 5136, []string{
			"eligible data 5000 at 84+5000 chunk 0", "eligible data 3 at 120+3 chunk 1 position 5120", "GETATTRargs.request 1 at 128+4 position 5132",
		}},
		{"what is not eligible in a chunk", slices.Delete(xdrsample.WriteCall(data("12345"), data("678")), 4, 8), call, walk.Reduction{Reads: []walk.ReadChunk{{4, 3}}}, 1, 144, []string{
			"item tag 3 at 4+3 chunk 0", "eligible data 5 at 80+5 position 84", "eligible data 3 at 124+3 position 128", "GETATTRargs.request 1 at 136+4 position 140",
		}},
		{"a chunk that belongs to nothing", xdrsample.WriteCall(data("12345"), data("678")), call, walk.Reduction{Reads: []walk.ReadChunk{{148, 5}}}, 0, 144, []string{
			"eligible data 5 at 84+5", "eligible data 3 at 128+3", "GETATTRargs.request 1 at 140+4",
		}},
		{"reply inline", xdrsample.ReadReply(data("12345"), data("")), reply, walk.Reduction{}, 0, 60, []string{
			"eligible data 5 at 28+5", "eligible data 0 at 52+0",
		}},
		{"first in a Write chunk", xdrsample.ReadReply(4096, data("678")), reply, walk.Reduction{Writes: []uint32{4096}}, 1, 4152, []string{
			"eligible data 4096 at 28+4096 chunk 0", "eligible data 3 at 44+3 position 4140",
		}},
		{"first chunk not used", xdrsample.ReadReply(data("12345"), 7), reply, walk.Reduction{Start: 24, Writes: []uint32{0, 7}}, 2, 68, []string{
			"eligible data 5 at 28+5 position 52", "eligible data 7 at 52+7 chunk 1 position 76",
		}},
		{"one chunk more than items", xdrsample.ReadReply(1, 2), reply, walk.Reduction{Writes: []uint32{1, 2, 9}}, 2, 60, []string{
			"eligible data 1 at 28+1 chunk 0", "eligible data 2 at 44+2 chunk 1 position 48",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var w walk.Walker
			w.Walk(tt.route, tt.data, tt.reduced)
			var got []string
			for _, line := range told(&w, p, "GETATTRargs.request") {
				if !strings.HasPrefix(line, "operation") && !strings.HasPrefix(line, "end") && !strings.HasPrefix(line, "status") {
					got = append(got, line)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("items are\n%q, want\n%q", got, tt.want)
			}
			if w.Fault.Bad() || w.Consumed != len(tt.data) || w.Unreduced != tt.length || w.Chunks != tt.chunks {
				t.Errorf("fault %q, consumed %d of %d, unreduced %d, %d chunks; want %d, %d", w.Fault, w.Consumed, len(tt.data), w.Unreduced, w.Chunks, tt.length, tt.chunks)
			}
			whole := slices.Clone(w.Events)
			for n := range len(tt.data) {
				w.Walk(tt.route, tt.data[:n], tt.reduced)
				name := fmt.Sprintf("cut at byte %d", n)
				if !w.Fault.Bad() || !w.Cut {
					t.Errorf("%s: fault %q, Cut %v", name, w.Fault, w.Cut)
				}
				checkPrefix(t, name, w.Events, whole)
				sameFault(t, name, tt.route, tt.data[:n], tt.reduced, w.Fault)
			}
		})
	}
}

// TestWrongPositions gives Read chunks that fit no item: every Position within
// the arguments but those of data.
func TestWrongPositions(t *testing.T) {
	p := sample(t, "SEQUENCEargs.cache", "SEQUENCEargs.seq", "READargs.count")
	r := sampleArgs(p, 1)
	b := xdrsample.WriteCall(data("12345"), data("678"))
	data := map[int]bool{4: true, 84: true, 128: true}
	var w walk.Walker
	w.Walk(r, b, walk.Reduction{})
	whole := slices.Clone(w.Events)
	for at := range len(b) {
		if data[at] {
			continue
		}
		reduced := walk.Reduction{Reads: []walk.ReadChunk{{uint32(at), 8}}}
		w.Walk(r, b, reduced)
		if want := (field.Fault{Offset: at, Reason: walk.ReasonPosition}); w.Fault != want || w.Cut {
			t.Errorf("Position %d: fault %q, Cut %v; want %q", at, w.Fault, w.Cut, want)
		}
		for _, e := range w.Events {
			if int(e.Position) > at || e.Kind == walk.Value && int(e.Position)+int(e.Length) > at {
				t.Errorf("Position %d: an event tells of what lies behind: %+v", at, e)
			}
		}
		checkPrefix(t, fmt.Sprintf("Position %d", at), w.Events, whole)
		sameFault(t, fmt.Sprintf("Position %d", at), r, b, reduced, w.Fault)
	}
	// A second chunk that lies before the end of the first.
	w.Walk(r, xdrsample.WriteCall(5, 3), walk.Reduction{Reads: []walk.ReadChunk{{84, 5}, {88, 3}}})
	if !w.Fault.Bad() || w.Fault.Reason != walk.ReasonPosition {
		t.Errorf("chunks that overlap: fault %q", w.Fault)
	}
}

// TestPositionInDiscriminant has a Position within a word that selects no arm: no item
// begins there, whatever the word is.
func TestPositionInDiscriminant(t *testing.T) {
	r := sampleArgs(sample(t), 1)
	b := hexBytes(data(""), 1, 1, 99, 0)
	for _, tt := range []struct {
		position uint32
		want     field.Fault
	}{
		{12, field.Fault{Offset: 12, Reason: walk.ReasonPosition}},
		{13, field.Fault{Offset: 13, Reason: walk.ReasonPosition}},
		{15, field.Fault{Offset: 15, Reason: walk.ReasonPosition}},
		{16, field.Fault{Offset: 12, Reason: "union has no arm for the discriminant"}},
	} {
		reduced := walk.Reduction{Reads: []walk.ReadChunk{{Position: tt.position, Length: 8}}}
		var w walk.Walker
		w.Walk(r, b, reduced)
		if w.Fault != tt.want {
			t.Errorf("Position %d: fault %q, want %q", tt.position, w.Fault, tt.want)
		}
		sameFault(t, fmt.Sprintf("Position %d", tt.position), r, b, reduced, tt.want)
	}
}

// TestUnusedChunksPassedOver has replies whose Write chunks of length 0 belong to
// no item, which the usual reading cannot explain.
func TestUnusedChunksPassedOver(t *testing.T) {
	p := sample(t)
	reply := sampleResult(p, 1)
	for _, tt := range []struct {
		name    string
		data    []byte
		writes  []uint32
		skipped bool
		fault   bool
		chunks  int
		want    []string
	}{
		{"a later one was used", hexBytes(0, data(""), 1, 25, 0, 1, 4096), []uint32{0, 4096}, true, false, 2, []string{"eligible data 4096 at 28+4096 chunk 1"}},
		{"with its pad", hexBytes(0, data(""), 1, 25, 0, 1, 4093), []uint32{0, 0, 4096, 0}, true, false, 3, []string{"eligible data 4093 at 28+4093 chunk 2"}},
		{"two later ones", xdrsample.ReadReply(8, 12), []uint32{0, 8, 0, 12}, true, false, 4, []string{"eligible data 8 at 28+8 chunk 1", "eligible data 12 at 44+12 chunk 3 position 52"}},
		{"its length does not fit", hexBytes(0, data(""), 1, 25, 0, 1, 4096), []uint32{0, 4090}, false, true, 1, nil},
		{"neither reading holds", hexBytes(0, data(""), 1, 25, 0, 1, 4096, 0), []uint32{0, 4096}, false, true, 1, nil},
		{"the usual reading holds", xdrsample.ReadReply(data("12345"), 7), []uint32{0, 7}, false, false, 2, []string{"eligible data 5 at 28+5", "eligible data 7 at 52+7 chunk 1"}},
		{"one more than items", xdrsample.ReadReply(data("12345"), data("67")), []uint32{0, 0, 9}, false, false, 2, []string{"eligible data 5 at 28+5", "eligible data 2 at 52+2"}},
		{"no chunk was used", hexBytes(0, data(""), 1, 25, 0, 1, 4096), []uint32{0, 0}, false, true, 1, nil},
		{"bytes behind it", slices.Concat(xdrsample.ReadReply(data(""), data("")), hexBytes(1)), []uint32{0, 9}, false, false, 2, []string{"eligible data 0 at 28+0", "eligible data 0 at 44+0 chunk 1"}},
	} {
		reduced := walk.Reduction{Writes: tt.writes}
		var w walk.Walker
		w.Walk(reply, tt.data, reduced)
		var items []string
		for _, line := range told(&w, p) {
			if strings.HasPrefix(line, "eligible") {
				items = append(items, line)
			}
		}
		if w.Skipped != tt.skipped || w.Fault.Bad() != tt.fault || w.Chunks != tt.chunks || !slices.Equal(items, tt.want) {
			t.Errorf("%s: Skipped %v, fault %q, %d chunks, items %q; want %v, %v, %d, %q", tt.name, w.Skipped, w.Fault, w.Chunks, items, tt.skipped, tt.fault, tt.chunks, tt.want)
		}
		// What is reported of fewer bytes need not be so, but is never a reading
		// that does not reach their end.
		for n := range tt.data {
			w.Walk(reply, tt.data[:n], reduced)
			if w.Skipped && (w.Fault.Bad() || w.Consumed != n) {
				t.Errorf("%s cut at byte %d: Skipped, fault %q", tt.name, n, w.Fault)
			}
			sameFault(t, fmt.Sprintf("%s cut at byte %d", tt.name, n), reply, tt.data[:n], reduced, w.Fault)
		}
		n := view.Nodes(reply, tt.data, 0, reduced, nil)
		var shown []string
		each(&n, func(n *field.Node) {
			if n.Key == "sample.readok.data" && strings.Contains(n.Value, "chunk") {
				shown = append(shown, n.Value)
			}
		})
		for i, line := range slices.DeleteFunc(items, func(s string) bool { return !strings.Contains(s, "chunk") }) {
			_, chunk, _ := strings.Cut(line, "chunk ")
			chunk, _, _ = strings.Cut(chunk, " ")
			k, err := strconv.Atoi(chunk)
			if err != nil || i >= len(shown) || !strings.HasSuffix(shown[i], "Write chunk "+strconv.Itoa(k+1)) {
				t.Errorf("%s: the tree has %q, the walk %q", tt.name, shown, line)
			}
		}
	}
}
