package dissect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// oneCall is an RPC whose call was sent in a frame.
func oneCall(requester flow.End, xid uint32, frame int64) *RPC {
	r := &RPC{Requester: requester, XID: xid}
	r.Call = new(Message)
	r.Call.Frames = []flow.Ref{{Number: frame}}
	return r
}

// replyTo gives an RPC a reply in a frame.
func replyTo(r *RPC, frame int64) {
	r.Reply = new(Message)
	r.Reply.Frames = []flow.Ref{{Number: frame}}
}

// TestHistory holds a History against lists of which the oldest are cut off.
func TestHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h History
	var answered, unanswered []*RPC
	orders := make(map[*RPC]int64)
	for i := range int64(5 * maxCalls) {
		r := oneCall(flow.End(rng.IntN(2)), uint32(rng.IntN(300))<<rng.IntN(24), i+1)
		if rng.IntN(3) > 0 {
			replyTo(r, i+1)
			h.answer(r)
			answered = append(answered, r)
			answered = answered[max(0, len(answered)-maxCalls):]
		} else {
			unanswered = append(unanswered, r)
			unanswered = unanswered[max(0, len(unanswered)-maxCalls):]
		}
		h.over(r, i+1, EndedByXID)
		orders[r] = i
		q := oneCall(r.Requester, uint32(rng.IntN(300))<<rng.IntN(24), 0)
		if rng.IntN(2) == 0 {
			q = r
		}
		same := func(x *RPC) bool { return x != q && x.XID == q.XID && x.Requester == q.Requester }
		var want, left []*RPC
		for _, x := range unanswered {
			if same(x) {
				left = append(left, x)
			}
		}
		want = append(want, left...)
		for _, x := range answered {
			if same(x) {
				want = append(want, x)
			}
		}
		slices.SortFunc(want, func(a, b *RPC) int { return int(orders[b] - orders[a]) })
		switch got := h.Before(q); {
		case len(want) == 0 && got != nil, len(want) > 0 && (got == nil || got.RPC != orders[want[0]]+1):
			t.Fatalf("call %d: the one before XID %#x is %+v, want one of %d", i, q.XID, got, len(want))
		}
		slices.Reverse(left)
		n := 0
		for got := range h.Unanswered(q) {
			if n == len(left) || got.RPC != orders[left[n]]+1 || got.Outcome != Unanswered {
				t.Fatalf("call %d: without an answer before XID %#x: %+v, of %d", i, q.XID, got, len(left))
			}
			n++
		}
		if n != len(left) {
			t.Fatalf("call %d: %d without an answer before XID %#x, want %d", i, n, q.XID, len(left))
		}
	}
	if h.Complete() {
		t.Error("nothing is forgotten, of more calls without an answer than are remembered")
	}
}

// TestHistoryOutcomes enters a call of each kind.
func TestHistoryOutcomes(t *testing.T) {
	var h History
	replied, failed, early, late, lost := oneCall(0, 1, 1), oneCall(0, 2, 2), oneCall(0, 3, 6), oneCall(1, 4, 7), oneCall(0, 5, 8)
	replied.Call.HasRPC, replied.Call.CallHeader.Program = true, 100003
	replyTo(replied, 3)
	replyTo(failed, 4)
	failed.Reply.Header.Proc = rpcrdma.RDMAError
	replyTo(early, 5)
	replyTo(late, 9)
	h.answer(replied)
	h.answer(failed)
	h.over(replied, 1, 0)
	h.over(failed, 2, 0)
	h.over(early, 3, 0) // told before its call, so that it did not answer that
	h.answer(late)
	h.over(lost, 4, EndedByConnection)
	if p := h.Latest(0, 1); p == nil || p.Outcome != Replied || p.Program != 100003 || p.Call.Number != 1 || p.Answer.Number != 3 || p.RPC != 1 {
		t.Errorf("replied: %+v", p)
	}
	if p := h.Latest(0, 2); p == nil || p.Outcome != Failed || p.HasRPC {
		t.Errorf("failed: %+v", p)
	}
	if p := h.Latest(0, 3); p == nil || !p.Early {
		t.Errorf("told behind its answer: %+v", p)
	}
	if p := h.Latest(1, 4); p != nil {
		t.Errorf("parts may still come: %+v", p)
	}
	if p := h.Latest(0, 5); p == nil || p.Outcome != Unanswered || p.Ended != EndedByConnection || p.Answer != (flow.Ref{}) {
		t.Errorf("unanswered: %+v", p)
	}
	if h.Latest(1, 1) != nil {
		t.Error("a call of the other end")
	}
	if h.AnsweredCall(0).Number != 2 || h.AnsweredCall(1).Number != 7 || h.FirstAnswer().Number != 3 || !h.Complete() {
		t.Errorf("answered %v and %v, first in %v, complete %v", h.AnsweredCall(0), h.AnsweredCall(1), h.FirstAnswer(), h.Complete())
	}
}

// TestHistoryAllocates holds that a full History makes nothing new.
func TestHistoryAllocates(t *testing.T) {
	var h History
	r := oneCall(0, 0, 1)
	replyTo(r, 2)
	number := int64(0)
	call := func() {
		r.XID, r.past = r.XID+1, 0
		h.answer(r)
		number++
		h.over(r, number, 0)
		h.Before(r)
		h.LeftUnanswered(r)
	}
	for range maxCalls {
		call()
	}
	if n := testing.AllocsPerRun(1000, call); n > 0 {
		t.Errorf("%v allocations a call", n)
	}
}
