package rpcrdma

import (
	"fmt"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// offering makes a header that offers these chunks; reads are whole lists,
// writes and reply lists of segments.
func offering(t testing.TB, reads []ReadSegment, writes [][]Segment, reply []Segment) *Header {
	t.Helper()
	h := Header{XID: 1, Version: 1, Proc: RDMANoMsg, Reads: reads}
	add := func(list []Segment) Chunk {
		c := Chunk{First: len(h.Segments), Count: len(list)}
		h.Segments = append(h.Segments, list...)
		return c
	}
	for _, w := range writes {
		h.Writes = append(h.Writes, add(w))
	}
	if reply != nil {
		h.Reply, h.HasReply = add(reply), true
	}
	decoded := new(Header)
	if b := encode(&h); !decoded.Decode(b) {
		t.Fatalf("header %x: %v", b, decoded.Fault)
	}
	return decoded
}

// region is what became of a Region, in one line.
func (r *Region) line() string {
	return fmt.Sprintf("%d.%d+%d 0x%x asked %v seen %v", r.Purpose, r.Chunk, r.Start, r.Handle, r.Asked, r.Seen)
}

func regions(o *Offer) (list []string) {
	for i := range o.Regions {
		list = append(list, o.Regions[i].line())
	}
	return list
}

func wantRegions(t *testing.T, o *Offer, want ...string) {
	t.Helper()
	got := regions(o)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("regions:")
		for i := range max(len(got), len(want)) {
			g, w := "nothing", "nothing"
			if i < len(got) {
				g = got[i]
			}
			if i < len(want) {
				w = want[i]
			}
			t.Errorf("  got %s\n       want %s", g, w)
		}
	}
}

func TestAdvertise(t *testing.T) {
	l, o := NewLedger(new(Store)), new(Offer)
	l.Advertise(o, offering(t,
		[]ReadSegment{{8, Segment{1, 100, 0x1000}}, {8, Segment{2, 50, 0x2000}}, {0, Segment{3, 10, 0x3000}}},
		[][]Segment{{{4, 7, 0x4000}, {5, 9, 0x5000}}, {}, {{6, 1, 0x6000}}},
		[]Segment{{7, 20, 0x7000}, {8, 0, 0x8000}, {9, 30, 0x9000}}), 0, flow.Ref{})
	wantRegions(t, o,
		"0.0+0 0x3 asked [] seen []", // the chunk at Position 0 comes first
		"0.1+0 0x1 asked [] seen []", "0.1+100 0x2 asked [] seen []",
		"1.0+0 0x4 asked [] seen []", "1.0+7 0x5 asked [] seen []", "1.2+0 0x6 asked [] seen []",
		"2.0+0 0x7 asked [] seen []", "2.0+20 0x8 asked [] seen []", "2.0+20 0x9 asked [] seen []")
	if o.Regions[0].Position != 0 || o.Regions[1].Position != 8 || o.Regions[2].Position != 8 {
		t.Error("positions are not those of the Read list")
	}
}

// One operation may lie in a segment, run over into the next with the same
// handle, begin or end outside of all, or go the wrong way.
func TestOperations(t *testing.T) {
	reads := []ReadSegment{{4, Segment{1, 100, 1000}}, {4, Segment{1, 50, 1100}}, {4, Segment{1, 50, 2000}}}
	writes := [][]Segment{{{2, 100, 1000}, {2, 0, 1100}, {2, 60, 1100}}, {{3, 16, 1<<64 - 8}}}
	const (
		ask = iota
		pull
		push
	)
	for _, test := range []struct {
		name         string
		op           int
		handle       uint32
		offset       uint64
		length, size int // on the wire, captured
		mine         bool
		want         []string // of the regions that changed
		read, write  uint64
	}{
		{"asked for", ask, 1, 1000, 100, 0, true, []string{"0.0+0 0x1 asked [{0 100}] seen []"}, 0, 0},
		{"asked for over two segments", ask, 1, 1050, 80, 0, true, []string{"0.0+0 0x1 asked [{50 100}] seen []", "0.0+100 0x1 asked [{0 30}] seen []"}, 0, 0},
		{"asked for nothing", ask, 1, 1000, 0, 0, false, nil, 0, 0},
		{"asked for another's", ask, 9, 1000, 100, 0, false, nil, 0, 0},
		{"asked for beyond the end", ask, 1, 2040, 100, 0, true, []string{"0.0+150 0x1 asked [{40 50}] seen []"}, 0, 0},
		{"asked for behind the end", ask, 1, 1150, 10, 0, false, nil, 0, 0},
		{"asked for before the beginning", ask, 1, 999, 10, 0, false, nil, 0, 0},
		{"a Write chunk asked for", ask, 2, 1000, 10, 0, false, nil, 0, 0},
		{"pulled", pull, 1, 2000, 50, 50, true, []string{"0.0+150 0x1 asked [] seen [{0 50}]"}, 50, 0},
		{"pulled over two segments", pull, 1, 1090, 20, 20, true, []string{"0.0+0 0x1 asked [] seen [{90 100}]", "0.0+100 0x1 asked [] seen [{0 10}]"}, 20, 0},
		{"pulled, cut by the snap length", pull, 1, 1090, 20, 5, true, []string{"0.0+0 0x1 asked [] seen [{90 95}]"}, 20, 0},
		{"pulled, cut in the second segment", pull, 1, 1090, 20, 13, true, []string{"0.0+0 0x1 asked [] seen [{90 100}]", "0.0+100 0x1 asked [] seen [{0 3}]"}, 20, 0},
		{"pushed into a Read chunk", push, 1, 1000, 10, 10, false, nil, 0, 0},
		{"pushed", push, 2, 1000, 10, 10, true, []string{"1.0+0 0x2 asked [] seen [{0 10}]"}, 0, 10},
		{"pushed over an empty segment", push, 2, 1090, 30, 30, true, []string{"1.0+0 0x2 asked [] seen [{90 100}]", "1.0+100 0x2 asked [] seen [{0 20}]"}, 0, 30},
		{"pushed beyond the end", push, 2, 1150, 30, 30, true, []string{"1.0+100 0x2 asked [] seen [{50 60}]"}, 0, 10},
		{"pushed over the end of all addresses", push, 3, 1<<64 - 4, 10, 10, true, []string{"1.1+0 0x3 asked [] seen [{4 14}]"}, 0, 10},
		{"pushed behind the end of all addresses", push, 3, 0, 10, 10, true, []string{"1.1+0 0x3 asked [] seen [{8 16}]"}, 0, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, o := NewLedger(new(Store)), new(Offer)
			l.Advertise(o, offering(t, reads, writes, nil), 0, flow.Ref{})
			before := make(map[string]bool)
			for _, line := range regions(o) {
				before[line] = true
			}
			var got *Offer
			var first *Region
			switch test.op {
			case ask:
				got, first = l.Ask(0, test.handle, test.offset, uint32(test.length))
			case pull:
				got, first = l.Pull(0, test.handle, test.offset, test.length, make([]byte, test.size))
			case push:
				got, first = l.Push(0, test.handle, test.offset, test.length, make([]byte, test.size))
			}
			if (got == o) != test.mine || got != nil && got != o {
				t.Errorf("the offer served is %p, the ledger's is %p", got, o)
			}
			if test.mine != (first != nil) || first != nil && (first.Offer() != o || !first.serves(test.handle, test.offset, test.op == push)) {
				t.Errorf("the first byte is said to be in %+v", first)
			}
			var changed []string
			for _, line := range regions(o) {
				if !before[line] {
					changed = append(changed, line)
				}
			}
			if fmt.Sprint(changed) != fmt.Sprint(test.want) {
				t.Errorf("changed:\n got %q\nwant %q", changed, test.want)
			}
			if o.ReadBytes != test.read || o.WriteBytes != test.write {
				t.Errorf("%d bytes read, %d written; want %d and %d", o.ReadBytes, o.WriteBytes, test.read, test.write)
			}
		})
	}
}

// A handle serves one call after the other. While both are open the newer one
// is meant, wherever its segment lies; when it is answered, the older again.
func TestHandleUsedAgain(t *testing.T) {
	l := NewLedger(new(Store))
	old, wide, young := new(Offer), new(Offer), new(Offer)
	l.Advertise(old, offering(t, nil, [][]Segment{{{1, 100, 1000}}}, nil), 0, flow.Ref{})
	if got, _ := l.Push(0, 1, 1000, 10, make([]byte, 10)); got != old {
		t.Fatal("not the only one")
	}
	l.Advertise(wide, offering(t, nil, [][]Segment{{{1, 1000, 500}}}, nil), 0, flow.Ref{})
	l.Advertise(young, offering(t, nil, [][]Segment{{{1, 50, 1000}}}, nil), 0, flow.Ref{})
	for _, step := range []struct {
		offset uint64
		want   *Offer
	}{{1000, young}, {1049, young}, {1050, wide}, {500, wide}, {1000, young}, {499, nil}, {1500, nil}} {
		if got, _ := l.Push(0, 1, step.offset, 1, []byte{1}); got != step.want {
			t.Errorf("byte %d went to the wrong offer", step.offset)
		}
	}
	l.Expire(wide) // from the middle of the list
	if got, _ := l.Push(0, 1, 1050, 1, []byte{1}); got != old {
		t.Error("with the second retired, byte 1050 is not the first's")
	}
	l.Expire(young)
	if got, _ := l.Push(0, 1, 1000, 1, []byte{1}); got != old {
		t.Error("with the third retired, byte 1000 is not the first's")
	}
	l.Expire(old)
	if got, _ := l.Push(0, 1, 1000, 1, []byte{1}); got != nil {
		t.Error("byte 1000 is somebody's, but all are retired")
	}
}

// What an offer was and had is gone when it is retired, and it can be used
// again.
func TestRetire(t *testing.T) {
	l := NewLedger(new(Store))
	h := offering(t, []ReadSegment{{0, Segment{1, 10, 0}}, {0, Segment{1, 0, 0}}}, [][]Segment{{{1, 10, 0}, {1, 10, 0}}}, []Segment{{2, 10, 0}})
	offers := []*Offer{new(Offer), new(Offer), new(Offer)}
	for range 3 {
		for _, o := range offers {
			l.Advertise(o, h, 0, flow.Ref{})
			l.Ask(0, 1, 0, 5)
			l.Pull(0, 1, 0, 5, []byte("front"))
			l.Push(0, 1, 2, 3, []byte("mid"))
			l.Push(0, 2, 0, 4, []byte("long"))
		}
		for _, i := range []int{1, 2, 0} {
			l.Expire(offers[i])
			o := offers[i]
			if len(o.Regions)+len(o.LongCall)+len(o.LongReply) != 0 || o.ReadBytes+o.WriteBytes != 0 {
				t.Errorf("a retired offer still has %+v", *o)
			}
			for _, r := range o.Regions[:cap(o.Regions)] {
				if r.offer != nil || r.older != nil || r.newer != nil {
					t.Error("a retired region still refers to others")
				}
			}
		}
		if l.live() != 0 || l.last != [2]*Region{} || l.store.bytes != 0 {
			t.Errorf("an empty ledger still has %d live regions, %d bytes", l.live(), l.store.bytes)
		}
	}
}

// In the steady state a call, its chunks and its reply allocate nothing.
func TestLedgerAllocatesNothing(t *testing.T) {
	l, o, older := NewLedger(new(Store)), new(Offer), new(Offer)
	h := offering(t, []ReadSegment{{0, Segment{1, 3000, 0}}, {8, Segment{2, 3000, 0}}}, [][]Segment{{{3, 3000, 0}, {3, 3000, 3000}}}, []Segment{{4, 3000, 0}})
	data := make([]byte, 1000)
	l.Advertise(older, h, 0, flow.Ref{})
	round := func() {
		l.Advertise(o, h, 0, flow.Ref{})
		for _, handle := range []uint32{1, 2} {
			l.Ask(0, handle, 0, 3000)
			for at := range uint64(3) {
				l.Pull(0, handle, at*1000, 1000, data)
			}
		}
		for _, handle := range []uint32{3, 4} {
			for at := range uint64(6) {
				l.Push(0, handle, at*1000, 1000, data)
			}
		}
		l.Expire(o)
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

// One handle in very many segments costs no more than looking through some, and
// retiring them nothing that grows with their number.
func TestOneHandleInManySegments(t *testing.T) {
	l := NewLedger(new(Store))
	list := make([]Segment, 16_000)
	for i := range list {
		list[i] = Segment{1, 16, uint64(i) * 16}
	}
	h := offering(t, nil, [][]Segment{list}, nil)
	offers := make([]Offer, 10)
	for i := range offers {
		l.Advertise(&offers[i], h, 0, flow.Ref{})
	}
	for i := range 1000 {
		at := uint64(15_999-i) * 16
		if got, _ := l.Push(0, 1, at, 16, make([]byte, 16)); got != &offers[9] {
			t.Fatalf("byte %d is not the newest offer's", at)
		}
	}
	if got, _ := l.Push(0, 1, 0, 16, make([]byte, 16)); got != nil {
		t.Error("16,000 segments were looked through")
	}
	for i := range offers {
		l.Expire(&offers[i])
	}
	if l.live() != 0 {
		t.Error("segments are left")
	}
}
