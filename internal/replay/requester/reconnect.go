package requester

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"net/netip"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A sender is what a duplicate request cache knows a call by: the client, the XID and the content, of which sum is a hash.
// Over RDMA servers do not go by the client's port, so that the cache holds when a client connects anew.
type sender struct {
	client netip.Addr
	xid    uint32
	sum    uint64
}

// A sentCall is a call and its connection.
type sentCall struct {
	plan int
	call *script.Call
}

// retransmitted is the call on another connection that a call repeats, nil if there is none: the same RPC message
// with the same XID, from the same client.
func (f *following) retransmitted(i int, call *script.Call) *script.Call {
	data, _ := call.Message()
	by := sender{f.plans[i].Conversation.Client.Addr.Addr(), call.XID, maphash.Bytes(f.seed, data)}
	before, sent := f.sent[by]
	if !sent {
		f.sent[by] = sentCall{i, call}
	}
	if !sent || before.plan == i {
		return nil
	}
	if is, _ := before.call.Message(); !bytes.Equal(is, data) {
		return nil
	}
	f.plans[i].Retransmissions++
	return before.call
}

// beginStep has a connection be made before its first step. Where the client sends a call again, the connection that it was
// sent on has ended, whether or not that is in the capture, if nothing more comes on it.
func (f *following) beginStep(i int, s *step) {
	for j := range f.plans {
		if s.first != nil && j != i && f.state[j].open[s.first] && f.through(j) {
			f.close(j, 0)
		}
	}
	if f.together() && !f.state[i].begun {
		f.turns = append(f.turns, turn{plan: i, dial: true, gap: s.gap})
		s.gap = 0
	}
	f.state[i].begun = true
}

// through reports whether a connection has no more messages, and has not been closed.
func (f *following) through(i int) bool {
	return f.state[i].begun && !f.state[i].closed && f.state[i].left == 0
}

// ended closes the connections that ended in the capture before a time.
func (f *following) ended(before int64) {
	var list []int
	for i, p := range f.plans {
		if at := p.Conversation.Closed; f.together() && at != 0 && at < before && f.through(i) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Compare(f.plans[a].Conversation.Closed, f.plans[b].Conversation.Closed)
	})
	for _, i := range list {
		at := max(f.before, f.plans[i].Conversation.Closed)
		f.close(i, time.Duration(at-f.before))
		f.before = at
	}
}

// close closes a connection.
func (f *following) close(i int, gap time.Duration) {
	f.state[i].closed = true
	f.addStep(i, step{kind: stepClose, gap: gap})
}
