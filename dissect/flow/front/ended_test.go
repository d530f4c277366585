package front

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestEndedNamesMakeRoom has many connections come and go beside one that is idle: names of
// what has ended do not add up, and that of the idle one stays known.
func TestEndedNamesMakeRoom(t *testing.T) {
	client, server := addrOf(1), addrOf(2)
	s := shards{n: 2, load: make([]int64, 2)}
	p := &pair{hosts: hosts{client, server}}
	open := func(i uint32) *setup {
		s.request(p, commID{client, 2 * i}, queuePair{server, client, 2 * i}, i)
		s.reply(p, commID{client, 2 * i}, commID{server, 2*i + 1}, queuePair{client, server, 2*i + 1})
		x, _ := s.setups.findName(commID{client, 2 * i})
		return x
	}
	open(0)
	many := uint32(long.Pick(3*mostEnded, 2*mostNames))
	for i := range many {
		s.endSetup(open(1 + i))
	}
	for _, q := range []queuePair{{server, client, 0}, {client, server, 1}, {server, client, 2 * many}, {client, server, 2*many + 1}} {
		if _, ok := s.queues.findName(q); !ok {
			t.Errorf("%+v is forgotten", q)
		}
	}
	if _, ok := s.queues.findName(queuePair{server, client, 2}); ok {
		t.Error("the first that ended is remembered")
	}
	count := func(n int, more ...int) int {
		for _, m := range more {
			n += m
		}
		return n
	}
	q, c := &s.queues, &s.setups
	if n := count(len(q.open.young), len(q.open.old), len(c.open.young), len(c.open.old)); n != 4 {
		t.Errorf("%d names of open connections, want 4", n)
	}
	if n := count(len(q.ended.young), len(q.ended.old), len(c.ended.young), len(c.ended.old)); n > 4*mostEnded {
		t.Errorf("%d names of connections that have ended", n)
	}
}

func addrOf(last byte) link.Addr { return link.AddrIPv4([]byte{192, 0, 2, last}) }
