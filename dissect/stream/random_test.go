package stream_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// bases are sequence numbers of position 0: random streams of some thousand
// bytes wrap at some of them.
var bases = []uint32{0, 1, 0xffffff00, 0xfffffffe, 0x7fffff80, 0x80000000, 12345}

// A Stream does what the model says, however segments overlap, contradict each
// other and are cut off, and whenever holes are given up.
func TestModel(t *testing.T) {
	for seed := range long.Pick[uint64](500, 3000) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		r := pair{t: t, base: bases[rnd.IntN(len(bases))]}
		if rnd.IntN(2) == 0 {
			r.add(&bit{syn: true, length: rnd.IntN(3)})
		}
		for i := range 80 {
			g := bit{at: r.m.next + int64(rnd.IntN(40)) - 10, length: rnd.IntN(20), from: i + 1}
			switch rnd.IntN(12) {
			case 0, 1, 2:
				g.at = r.m.next
			case 3:
				g.at += int64(rnd.IntN(200))
			case 4:
				g.at, g.syn = r.m.first, true
			case 5:
				g.length = 0
			}
			g.bytes = make([]byte, g.length)
			for j := range g.bytes {
				g.bytes[j] = byte(rnd.IntN(256))
			}
			if rnd.IntN(4) == 0 {
				g.bytes = g.bytes[:rnd.IntN(g.length+1)]
			}
			g.fin = rnd.IntN(50) == 0
			r.add(&g)
			switch rnd.IntN(12) {
			case 0:
				r.skip()
			case 1:
				r.ack(r.m.next + int64(rnd.IntN(60)) - 20)
			}
		}
		for r.skip() > 0 {
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// A transfer is what a sender said, as captured: some of it missing, some sent
// again and cut otherwise, out of order within a window.
type transfer struct {
	text     []byte
	segments []bit
	there    []bool // bytes of which some captured segment has a copy
	begin    int    // bytes before the first segment, of a late start
	whole    bool   // nothing is missing
}

func newTransfer(rnd *rand.Rand) *transfer {
	x := &transfer{text: make([]byte, 500+rnd.IntN(3000)), whole: rnd.IntN(3) == 0}
	x.there = make([]bool, len(x.text))
	for i := range x.text {
		x.text[i] = byte(rnd.IntN(256))
	}
	loss := 0
	if !x.whole {
		loss = 1 + rnd.IntN(20)
	}
	if rnd.IntN(3) > 0 {
		x.segments = append(x.segments, bit{syn: true})
	} else {
		x.begin = rnd.IntN(100)
	}
	begins := len(x.segments)
	for at := x.begin; at < len(x.text); {
		n := min(1+rnd.IntN(80), len(x.text)-at)
		// The first segment of all is there, or the stream would begin later.
		if rnd.IntN(100) >= loss || len(x.segments) == 0 {
			x.put(at, n)
		}
		at += n
		for rnd.IntN(8) == 0 { // again, cut otherwise, or a repetition of what was never captured
			back := max(x.begin, at-rnd.IntN(200))
			x.put(back, min(1+rnd.IntN(100), at-back))
		}
	}
	// The FIN, which is there so that the end is known.
	x.segments = append(x.segments, bit{at: int64(len(x.text)), fin: true})
	if window := rnd.IntN(6); window > 0 {
		for i := max(begins, 1); i+window < len(x.segments); i += window {
			part := x.segments[i : i+window]
			rnd.Shuffle(window, func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
	}
	return x
}

func (x *transfer) put(at, n int) {
	if n <= 0 {
		return
	}
	x.segments = append(x.segments, bit{at: int64(at), bytes: x.text[at : at+n], length: n})
	for i := at; i < at+n; i++ {
		x.there[i] = true
	}
}

// What is handed on is what the sender said, each byte in its place, and void
// is exactly what no captured segment has. With nothing missing there is no hole
// for long, and without Skip no void.
func TestTransfers(t *testing.T) {
	voids := 0
	for seed := range long.Pick[uint64](500, 2000) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		x := newTransfer(rnd)
		k := &holder{at: x.begin}
		base := bases[rnd.IntN(len(bases))]
		for i := range x.segments {
			k.add(&x.segments[i], base)
			if rnd.IntN(3) == 0 {
				// Its receiver has all: the loss is the capture's. What
				// is proven is perhaps after, so nothing is given up yet.
				k.s.Acked(base + uint32(x.segments[i].at))
			}
		}
		k.s.Acked(base + uint32(len(x.text)) + 1)
		for k.s.Missing() > 0 {
			if x.whole {
				t.Errorf("%d bytes are missing, and nothing was dropped", k.s.Missing())
			}
			if !k.s.Proven() {
				t.Errorf("a hole of %d bytes is not proven, and all was acknowledged", k.s.Missing())
			}
			k.s.Skip(k)
			voids++
		}
		if !k.ended || k.at != len(x.text) || k.s.Next() != base+uint32(len(x.text))+1 {
			t.Errorf("ended %v at %d, want %d", k.ended, k.at, len(x.text))
		}
		for i, there := range x.there[x.begin:] {
			at := x.begin + i
			switch got := k.said[i]; {
			case there && got != int(x.text[at]):
				t.Errorf("byte %d is %d, want %d", at, got, x.text[at])
			case !there && got != -1:
				t.Errorf("byte %d is %d, and was not captured", at, got)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if voids == 0 {
		t.Error("no transfer has a hole")
	}
}
