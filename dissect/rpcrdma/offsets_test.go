package rpcrdma

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// An expectation is that the next node of a name begins at a byte, as a method of
// Header says.
type expectation struct {
	name   string
	at     int
	method string
}

// TestOffsetsAgainstNodes holds every offset against the tree of random headers,
// that Nodes lays over their bytes word by word.
func TestOffsetsAgainstNodes(t *testing.T) {
	t.Run("version 1", func(t *testing.T) {
		againstNodes(t, func(rnd *rand.Rand) []byte {
			random := randomHeader(rnd)
			return encode(&random)
		})
	})
	t.Run("version 2", func(t *testing.T) {
		againstNodes(t, func(rnd *rand.Rand) []byte {
			random := random2(rnd)
			return random.Bytes()
		})
	})
}

func againstNodes(t *testing.T, data func(rnd *rand.Rand) []byte) {
	// What has no method: words that follow one that has, and those of version 2
	// that no rule is about.
	unsaid := []string{"rdma_length", "rdma_offset", "rdma_vers_low", "rdma_vers_high", "rdma_processed", "rdma_segment_index", "rdma_length_needed", "rdma_optdir", "rdma_opttype", "rdma_optinfo length", "rdma_optinfo"}
	var h Header
	for seed := range uint64(2000) {
		b := data(rand.New(rand.NewPCG(seed, 4)))
		if !h.Decode(b) {
			t.Fatalf("seed %d: fault %q", seed, h.Fault)
		}
		// A node's children follow it in the list, as in the bytes.
		nodes := flatten(nil, Nodes(b, 0))
		for _, x := range offsets(&h) {
			for len(nodes) > 0 && !strings.HasPrefix(nodes[0].Name, x.name) {
				nodes = nodes[1:]
			}
			if len(nodes) == 0 {
				t.Fatalf("seed %d: no more %q in the tree", seed, x.name)
			}
			if nodes[0].Start != x.at {
				t.Fatalf("seed %d: %q begins at byte %d, by %s at %d", seed, x.name, nodes[0].Start, x.method, x.at)
			}
			nodes = nodes[1:]
		}
		for _, n := range nodes {
			if strings.HasPrefix(n.Name, "rdma_") && !slices.Contains(unsaid, n.Name) {
				t.Fatalf("seed %d: nothing says where %q at byte %d is", seed, n.Name, n.Start)
			}
		}
	}
}

// offsets is what the constants and methods say of a header, in wire order.
func offsets(h *Header) (list []expectation) {
	add := func(name string, at int, method string) { list = append(list, expectation{name, at, method}) }
	add("rdma_xid", AtXID, "AtXID")
	add("rdma_vers", AtVersion, "AtVersion")
	add("rdma_credit", AtCredits, "AtCredits")
	add("rdma_proc", AtProc, "AtProc")
	if h.Proc == RDMAError {
		add("rdma_err", h.ErrorAt(), "ErrorAt")
		return list
	}
	if h.Proc == RDMADone || h.Proc == RDMA2Optional {
		return list
	}
	segment := func(at int, method string) {
		add("rdma_handle", at, method)
		add("rdma_length", at+SegmentLength, method+" and SegmentLength")
	}
	add("Read list", h.ListsAt(), "ListsAt")
	for i := range h.Reads {
		add("entry follows", h.ReadAt(i), "ReadAt")
		add("rdma_position", h.PositionAt(i), "PositionAt")
		segment(h.ReadSegmentAt(i), "ReadSegmentAt")
	}
	add("entry follows", h.ReadAt(len(h.Reads)), "ReadAt of the end")
	add("Write list", h.WriteAt(0), "WriteAt")
	for i, c := range h.Writes {
		add("Write chunk", h.WriteAt(i), "WriteAt")
		add("segment count", h.WriteCountAt(i), "WriteCountAt")
		for k := range c.Count {
			segment(h.SegmentAt(c.First+k), "SegmentAt")
		}
	}
	add("entry follows", h.WriteAt(len(h.Writes)), "WriteAt of the end")
	add("Reply chunk", h.ReplyAt(), "ReplyAt")
	add("entry follows", h.ReplyAt(), "ReplyAt")
	if h.HasReply {
		add("segment count", h.ReplyCountAt(), "ReplyCountAt")
		for k := range h.Reply.Count {
			segment(h.SegmentAt(h.Reply.First+k), "SegmentAt")
		}
	}
	return list
}

func flatten(list []field.Node, nodes []field.Node) []field.Node {
	for _, n := range nodes {
		list = flatten(append(list, n), n.Children)
	}
	return list
}

// The sizes, by headers that have one part more than another.
func TestSizes(t *testing.T) {
	length := func(h Header) int { return len(encode(&h)) }
	one := []Segment{{}}
	empty := length(Header{})
	for _, x := range []struct {
		name      string
		got, want int
	}{
		{"LeastSize", LeastSize, empty},
		{"ReadSize", ReadSize, length(Header{Reads: []ReadSegment{{}}}) - empty},
		{"ChunkSize", ChunkSize, length(Header{Writes: []Chunk{{}}}) - empty},
		{"SegmentSize", SegmentSize, length(Header{Writes: []Chunk{{0, 1}}, Segments: one}) - length(Header{Writes: []Chunk{{}}})},
	} {
		if x.got != x.want {
			t.Errorf("%s = %d, want %d", x.name, x.got, x.want)
		}
	}
}

func TestOffsetsAllocateNothing(t *testing.T) {
	h := Header{Writes: []Chunk{{0, 1}, {1, 1}}, Segments: make([]Segment, 2)}
	if n := testing.AllocsPerRun(100, func() { h.SegmentAt(1); h.ReplyAt() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
