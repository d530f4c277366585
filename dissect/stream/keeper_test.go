package stream_test

import "github.com/rdmacap/rdmacap/dissect/stream"

// A holder is a Sink that keeps what it is handed, byte by byte, -1 for what
// is void.
type holder struct {
	s     stream.Stream[int]
	said  []int
	at    int // position after it
	ended bool
}

func (k *holder) Bytes(b []byte, _ *int) {
	for _, c := range b {
		k.said = append(k.said, int(c))
	}
	k.at += len(b)
}

func (k *holder) Void(n uint64, _ bool, _ *int) {
	for range n {
		k.said = append(k.said, -1)
	}
	k.at += int(n)
}

func (k *holder) End() { k.ended = true }

func (k *holder) add(g *bit, base uint32) stream.Place {
	seg := stream.Segment[int]{Seq: base + uint32(g.at), Bytes: g.bytes, Length: g.length, SYN: g.syn, FIN: g.fin}
	if g.syn {
		seg.Seq--
	}
	p, _ := k.s.Add(&seg, k)
	return p
}
