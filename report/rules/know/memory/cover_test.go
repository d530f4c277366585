package memory

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// segment is one of handle 1.
func segment(offset uint64, length uint32) rpcrdma.Segment {
	return rpcrdma.Segment{Handle: 1, Offset: offset, Length: length}
}

func TestCovers(t *testing.T) {
	two := []rpcrdma.Segment{segment(1000, 100), segment(1100, 50)}
	for _, tt := range []struct {
		name           string
		segments       []rpcrdma.Segment
		offset, length uint64
		want           bool
	}{
		{"within one", two, 1010, 90, true},
		{"over the border", two, 1099, 2, true},
		{"all", two, 1000, 150, true},
		{"one byte more", two, 1000, 151, false},
		{"one byte before", two, 999, 2, false},
		{"the neighbour comes first", []rpcrdma.Segment{two[1], two[0]}, 1000, 150, true},
		{"a hole", []rpcrdma.Segment{segment(1000, 100), segment(1101, 50)}, 1090, 20, false},
		{"they overlap", []rpcrdma.Segment{segment(1000, 100), segment(1050, 100)}, 1000, 150, true},
		{"another handle", []rpcrdma.Segment{segment(1000, 100), {Handle: 2, Offset: 1100, Length: 50}}, 1000, 150, false},
		{"around the end of the address space", []rpcrdma.Segment{segment(^uint64(0)-9, 10), segment(0, 10)}, ^uint64(0) - 4, 10, true},
		{"nothing", nil, 1000, 1, false},
	} {
		got := covers(1, tt.offset, tt.length, len(tt.segments), func(i int) (rpcrdma.Segment, bool) { return tt.segments[i], true })
		if got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	many := make([]rpcrdma.Segment, 1000)
	for i := range many {
		many[i] = segment(uint64(i)*10, 10)
	}
	if !covers(1, 0, 10_000, len(many), func(i int) (rpcrdma.Segment, bool) { return many[i], true }) {
		t.Error("many neighbours in order do not cover what they have")
	}
}

// advertising enters grants of a client, one a call; the first has XID 0.
func advertising(l *rpcrdma.Ledger, segments ...rpcrdma.Segment) (offers []*rpcrdma.Offer) {
	for _, s := range segments {
		h := rpcrdma.Header{Segments: []rpcrdma.Segment{s}, Writes: []rpcrdma.Chunk{{First: 0, Count: 1}}}
		o := new(rpcrdma.Offer)
		l.Advertise(o, &h, 0, flow.Ref{})
		offers = append(offers, o)
	}
	return offers
}

// What two grants have together is allowed, unless one of them is over.
func TestFindTogether(t *testing.T) {
	const client, server = flow.End(0), flow.End(1)
	l := rpcrdma.NewLedger(new(rpcrdma.Store))
	b := (*Ledger)(l)
	offers := advertising(l, segment(1000, 100), segment(1100, 100))
	find := func(write bool) Verdict {
		v, _ := b.Find(server, 1, 1050, 100, write)
		return v
	}
	if v := find(true); v != Fits {
		t.Errorf("both are live: verdict %d", v)
	}
	if v := find(false); v != Outside {
		t.Errorf("both are to be written to: verdict %d", v)
	}
	if v, _ := b.Find(client, 1, 1050, 100, true); v != OwnMemory {
		t.Errorf("by the owner: verdict %d", v)
	}
	l.End(offers[1], Replied, flow.Ref{Number: 1}, 1)
	if v := find(true); v != Outside || b.former(server, 1, 1050, 100, true) != nil {
		t.Errorf("one is over: verdict %d", v)
	}
	l.End(offers[0], Replied, flow.Ref{Number: 2}, 2)
	if v := find(true); v != TooLate || b.former(server, 1, 1050, 100, true) == nil {
		t.Errorf("both are over: verdict %d", v)
	}
	l.Expire(offers[0])
	l.Expire(offers[1])
	if v := find(true); v != TooLate || b.former(server, 1, 1050, 100, true) == nil {
		t.Errorf("both were retired: verdict %d", v)
	}
}

// Of a handle that is in very many live grants not all are gone through, and nothing is
// held against an operation then.
func TestFindManyGrants(t *testing.T) {
	l := rpcrdma.NewLedger(new(rpcrdma.Store))
	b := (*Ledger)(l)
	for i := range mostSame {
		advertising(l, segment(uint64(i)*1000, 100))
	}
	if v, _ := b.Find(1, 1, 500, 10, true); v != Outside {
		t.Errorf("all are gone through: verdict %d", v)
	}
	advertising(l, segment(1<<20, 100))
	if v, _ := b.Find(1, 1, 500, 10, true); v != Fits {
		t.Errorf("one is not: verdict %d", v)
	}
}
