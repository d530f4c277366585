package rpcrdma

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/cputime"
)

func TestReadChunks(t *testing.T) {
	var h Header
	if !h.Decode(sample(t, "nfs3WriteRead")) {
		t.Fatal(h.Fault)
	}
	position, segments := h.ReadChunk(0)
	if h.NumReadChunks() != 1 || position != 112 || !slices.Equal(segments, h.Reads) {
		t.Errorf("%d chunks, the first at %d: %v", h.NumReadChunks(), position, segments)
	}
	if got := h.ReadLength(112); got != 0x40000 {
		t.Errorf("ReadLength(112) = %d, want %d", got, 0x40000)
	}
	if _, ok := h.PositionZero(); ok {
		t.Error("a Position-Zero Read chunk where there is none")
	}

	if !h.Decode(sample(t, "krb5iLong")) {
		t.Fatal(h.Fault)
	}
	sum := uint64(0)
	for _, r := range h.Reads {
		sum += uint64(r.Length)
	}
	if length, ok := h.PositionZero(); !ok || length != sum || len(h.Reads) != 3 {
		t.Errorf("PositionZero = %d, %v of %v; want all %d bytes", length, ok, h.Reads, sum)
	}
}

// TestReadChunksAgainstMap groups random Read lists, in and out of order, with
// a map.
func TestReadChunksAgainstMap(t *testing.T) {
	var h Header
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		want := map[uint32][]ReadSegment{}
		sent := Header{Version: 1}
		for range rnd.IntN(12) {
			s := ReadSegment{Position: 4 * uint32(rnd.IntN(5)), Segment: Segment{rnd.Uint32(), rnd.Uint32(), rnd.Uint64()}}
			sent.Reads = append(sent.Reads, s)
			want[s.Position] = append(want[s.Position], s)
		}
		if !h.Decode(encode(&sent)) || !slices.Equal(h.Reads, sent.Reads) {
			t.Fatalf("seed %d: fault %q, Read list %v", seed, h.Fault, h.Reads)
		}
		if h.NumReadChunks() != len(want) {
			t.Fatalf("seed %d: %d chunks, want %d", seed, h.NumReadChunks(), len(want))
		}
		last := -1
		for i := range h.NumReadChunks() {
			position, segments := h.ReadChunk(i)
			if !slices.Equal(segments, want[position]) || int(position) <= last {
				t.Fatalf("seed %d: chunk at %d after %d: %v, want %v", seed, position, last, segments, want[position])
			}
			last = int(position)
			sum := uint64(0)
			for _, s := range segments {
				sum += uint64(s.Length)
			}
			if got := h.ReadLength(position); got != sum {
				t.Fatalf("seed %d: ReadLength(%d) = %d, want %d", seed, position, got, sum)
			}
		}
	}
}

func TestLengthsDoNotOverflow(t *testing.T) {
	s := Segment{Handle: 1, Length: math.MaxUint32}
	h := Header{
		Reads:    []ReadSegment{{0, s}, {0, s}, {4, s}},
		Segments: []Segment{s, s, s},
	}
	if got := h.ChunkLength(Chunk{0, 3}); got != 3*math.MaxUint32 {
		t.Errorf("ChunkLength = %d", got)
	}
	if got, ok := h.PositionZero(); !ok || got != 2*math.MaxUint32 {
		t.Errorf("PositionZero = %d, %v", got, ok)
	}
}

// TestHostileReadListIsBounded decodes and shows a megabyte of segments, each
// of its own Position, in descending order.
func TestHostileReadListIsBounded(t *testing.T) {
	sent := Header{Version: 1}
	for i := range uint32(1 << 20 / 24) {
		sent.Reads = append(sent.Reads, ReadSegment{Position: 1<<20 - 4*i})
	}
	b := encode(&sent)
	before := cputime.Used(t)
	var h Header
	if !h.Decode(b) || h.NumReadChunks() != len(sent.Reads) {
		t.Fatalf("fault %q, %d chunks", h.Fault, h.NumReadChunks())
	}
	Nodes(b, 0)
	// Quadratic work would take minutes, this some hundredths of a second.
	if took := cputime.Used(t) - before; took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
