package lang

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// writeCall is SEQUENCE and two WRITEs, whose data are left out as told, and a
// GETATTR behind them.
func writeCall(first, second any) []byte {
	return octets(data("tag"), 1, 4,
		53, "0123456789abcdef", 7, 3, 1,
		38, stateidOctets, uint64(4096), 1, first,
		38, stateidOctets, uint64(8192), 0, second,
		9, 1, 2)
}

// readReply is two READs, whose data are left out as told, and a PUTFH.
func readReply(first, second any) []byte {
	return octets(0, data(""), 3, 25, 0, 0, first, 25, 0, 1, second, 22, 0)
}

func TestReduction(t *testing.T) {
	p := sample(t, "GETATTRargs.request", "WRITEargs.data")
	call, reply := p.sampleArgs(1), p.sampleResult(1)
	// Inline, the first data word of the call has its length at 80, its data
	// at 84; in the RPC message there are 100 octets before the arguments.
	for _, tt := range []struct {
		name    string
		octets  []byte
		route   *Route
		reduced Reduction
		chunks  int
		length  uint64 // unreduced
		want    []string
	}{
		{"call inline", writeCall(data("12345"), data("678")), call, Reduction{Start: 100}, 0, 144, []string{
			"eligible data 5 at 84+5 position 184", "eligible data 3 at 128+3 position 228", "GETATTRargs.request 1 at 140+4 position 240",
		}},
		{"first in a chunk", writeCall(5, data("678")), call, Reduction{Start: 100, Reads: []ReadChunk{{184, 5}}}, 1, 144, []string{
			"eligible data 5 at 84+5 chunk 0 position 184", "eligible data 3 at 120+3 position 228", "GETATTRargs.request 1 at 132+4 position 240",
		}},
		{"second in a chunk, with its pad", writeCall(data("12345"), 3), call, Reduction{Start: 100, Reads: []ReadChunk{{228, 4}}}, 1, 144, []string{
			"eligible data 5 at 84+5 position 184", "eligible data 3 at 128+3 chunk 0 position 228", "GETATTRargs.request 1 at 136+4 position 240",
		}},
		{"both in chunks", writeCall(5000, 3), call, Reduction{Reads: []ReadChunk{{84, 5000}, {5120, 3}}}, 2, 5136, []string{
			"eligible data 5000 at 84+5000 chunk 0", "eligible data 3 at 120+3 chunk 1 position 5120", "GETATTRargs.request 1 at 128+4 position 5132",
		}},
		{"what is not eligible in a chunk", slices.Delete(writeCall(data("12345"), data("678")), 4, 8), call, Reduction{Reads: []ReadChunk{{4, 3}}}, 1, 144, []string{
			"item tag 3 at 4+3 chunk 0", "eligible data 5 at 80+5 position 84", "eligible data 3 at 124+3 position 128", "GETATTRargs.request 1 at 136+4 position 140",
		}},
		{"a chunk that belongs to nothing", writeCall(data("12345"), data("678")), call, Reduction{Reads: []ReadChunk{{148, 5}}}, 0, 144, []string{
			"eligible data 5 at 84+5", "eligible data 3 at 128+3", "GETATTRargs.request 1 at 140+4",
		}},
		{"reply inline", readReply(data("12345"), data("")), reply, Reduction{}, 0, 60, []string{
			"eligible data 5 at 28+5", "eligible data 0 at 52+0",
		}},
		{"first in a Write chunk", readReply(4096, data("678")), reply, Reduction{Writes: []uint32{4096}}, 1, 4152, []string{
			"eligible data 4096 at 28+4096 chunk 0", "eligible data 3 at 44+3 position 4140",
		}},
		{"first chunk not used", readReply(data("12345"), 7), reply, Reduction{Start: 24, Writes: []uint32{0, 7}}, 2, 68, []string{
			"eligible data 5 at 28+5 position 52", "eligible data 7 at 52+7 chunk 1 position 76",
		}},
		{"one chunk more than items", readReply(1, 2), reply, Reduction{Writes: []uint32{1, 2, 9}}, 2, 60, []string{
			"eligible data 1 at 28+1 chunk 0", "eligible data 2 at 44+2 chunk 1 position 48",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var w Walker
			w.Walk(tt.route, tt.octets, tt.reduced)
			var got []string
			for _, line := range told(&w, p, "GETATTRargs.request") {
				if !strings.HasPrefix(line, "operation") && !strings.HasPrefix(line, "end") && !strings.HasPrefix(line, "status") {
					got = append(got, line)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("items are\n%q, want\n%q", got, tt.want)
			}
			if w.Fault.Bad() || w.Consumed != len(tt.octets) || w.Unreduced != tt.length || w.Chunks != tt.chunks {
				t.Errorf("fault %q, consumed %d of %d, unreduced %d, %d chunks; want %d, %d", w.Fault, w.Consumed, len(tt.octets), w.Unreduced, w.Chunks, tt.length, tt.chunks)
			}
			whole := slices.Clone(w.Events)
			for n := range len(tt.octets) {
				w.Walk(tt.route, tt.octets[:n], tt.reduced)
				name := fmt.Sprintf("cut at octet %d", n)
				if !w.Fault.Bad() || !w.Cut {
					t.Errorf("%s: fault %q, Cut %v", name, w.Fault, w.Cut)
				}
				checkPrefix(t, name, w.Events, whole)
				sameFault(t, name, tt.route, tt.octets[:n], tt.reduced, w.Fault)
			}
		})
	}
}

// TestWrongPositions gives Read chunks that fit no item: every Position within
// the arguments but those of data.
func TestWrongPositions(t *testing.T) {
	p := sample(t, "SEQUENCEargs.cache", "SEQUENCEargs.seq", "READargs.count")
	r := p.sampleArgs(1)
	b := writeCall(data("12345"), data("678"))
	data := map[int]bool{4: true, 84: true, 128: true}
	var w Walker
	w.Walk(r, b, Reduction{})
	whole := slices.Clone(w.Events)
	for at := range len(b) {
		if data[at] {
			continue
		}
		reduced := Reduction{Reads: []ReadChunk{{uint32(at), 8}}}
		w.Walk(r, b, reduced)
		if want := (field.Fault{Offset: at, Reason: reasonPosition}); w.Fault != want || w.Cut {
			t.Errorf("Position %d: fault %q, Cut %v; want %q", at, w.Fault, w.Cut, want)
		}
		for _, e := range w.Events {
			if int(e.Position) > at || e.Kind == Value && int(e.Position)+int(e.Length) > at {
				t.Errorf("Position %d: an event tells of what lies behind: %+v", at, e)
			}
		}
		checkPrefix(t, fmt.Sprintf("Position %d", at), w.Events, whole)
		sameFault(t, fmt.Sprintf("Position %d", at), r, b, reduced, w.Fault)
	}
	// A second chunk that lies before the end of the first.
	w.Walk(r, writeCall(5, 3), Reduction{Reads: []ReadChunk{{84, 5}, {88, 3}}})
	if !w.Fault.Bad() || w.Fault.Reason != reasonPosition {
		t.Errorf("chunks that overlap: fault %q", w.Fault)
	}
}
