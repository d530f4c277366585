package requester_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// split takes a conversation apart into two, by the calls of which second says that they are of the second.
func split(c *script.Conversation, second func(i int) bool) []*script.Conversation {
	one, two := *c, *c
	of := []*script.Conversation{&one, &two}
	where := make(map[*script.Call]*script.Conversation)
	for i, part := range of {
		part.ID, part.Closed, part.Calls, part.Messages = i+1, 0, nil, nil
	}
	for i, call := range c.Calls {
		part := &one
		if second(i) {
			part = &two
		}
		where[call] = part
		part.Calls = append(part.Calls, call)
	}
	for _, m := range c.Messages {
		if part := where[m.Call]; part != nil {
			part.Messages = append(part.Messages, m)
		}
	}
	return of
}

// refusal has a server answer calls of NFS version 4 with one operation, which failed.
func refusal(operation, status uint32) func(call []byte) []byte {
	return func(call []byte) (reply []byte) {
		reply = append(reply, call[:4]...)
		for _, word := range []uint32{1, 0, 0, 0, 0, status, 0, 1, operation, status} {
			reply = binary.BigEndian.AppendUint32(reply, word)
		}
		return reply
	}
}

// TestTogetherWithoutRoot has the connection fail that asks for the root's handle: no other sends a call that has
// the captured one.
func TestTogetherWithoutRoot(t *testing.T) {
	t.Parallel()
	// The first call is NULL; the second is the first with the root.
	of := split(replaytest.Sample(t, "rxe-basic", script.Options{}), func(i int) bool { return i == 1 })
	o := bound(t)
	o.RootPath = "/scratch"
	const putRootFH, noEnt = 24, 2
	_, x, list := togetherWith(t, &crowd{own: refusal(putRootFH, noEnt)}, of, o)
	if len(x.calls) != 1 || list[0].Counts().NotSent != len(of[0].Calls)-1 || list[1].Counts().NotSent != 1 {
		t.Errorf("%d calls came; %+v and %+v", len(x.calls), list[0].Counts(), list[1].Counts())
	}
	if list[0].Ended == nil || !strings.Contains(list[0].Ended.Error(), "connection 2, which sets up what all others use: ") || list[1].Ended == nil {
		t.Errorf("ended %v, and %v", list[0].Ended, list[1].Ended)
	}
}

// TestTogetherWithoutSession has the server refuse the session that a capture lacks, or the connection that makes it: no
// call of the capture is sent on any.
func TestTogetherWithoutSession(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3, Select: behindFrame(3100)})
	of := split(c, func(i int) bool { return i%2 == 1 })
	const exchangeID, access = 42, 13
	for _, x := range []*crowd{{own: refusal(exchangeID, access)}, {refuses: true}} {
		o := bound(t)
		o.RootPath, o.Owner, o.Immediately = "/", "test", true
		p, err := requester.NewTogether(of, o)
		if err != nil {
			t.Fatal(err)
		}
		f := fabric.New(fabric.SoftRoCE())
		list, err := requester.RunTogether(replaytest.Patience(t), f, x.serve(t, f, of), p)
		if x.refuses {
			if err == nil || len(x.calls) != 0 {
				t.Errorf("%v, and %d calls came", err, len(x.calls))
			}
			continue
		}
		if err != nil || len(x.calls) != 0 {
			t.Errorf("%v, and %d calls came", err, len(x.calls))
		}
		for _, r := range list {
			if n := r.Counts(); n.NotSent != n.Calls || r.Ended == nil || len(r.Own) > 1 {
				t.Errorf("connection %d: ended %v, %+v, own %v", r.Connection, r.Ended, n, r.Own)
			}
		}
	}
}

// TestTogetherLeft has the connection fail that was to take away the session which another has made: what is left at
// the server is reported.
func TestTogetherLeft(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3, Select: behindFrame(3100)})
	n := len(c.Calls)
	of := split(c, func(i int) bool { return i == n-1 })
	of[0].Calls, of[0].Messages = of[0].Calls[:4], slices.DeleteFunc(of[0].Messages, func(m *script.Message) bool { return m.Call.Index > 3 })
	o := bound(t)
	o.Owner = "test"
	p, err := requester.NewTogether(of, o)
	if err != nil {
		t.Fatal(err)
	}
	s := &lateServer{granted: 64}
	s.ready(t, p.Plans[0].Own.Before)
	_, _, list := togetherWith(t, &crowd{refuses: true, rejected: 1, own: s.lateReply}, of, o)
	if own := list[1].Own; list[1].Ended == nil || len(own) == 0 || !strings.Contains(own[len(own)-1].Status, "the server keeps this state until the lease expires") {
		t.Errorf("ended %v, and left %+v", list[1].Ended, own)
	}
}

// TestTogetherDialed has a connection be made when the captured one was: after the pause before its first call.
func TestTogetherDialed(t *testing.T) {
	base := replaytest.Sample(t, "rxe-basic", script.Options{})
	synctest.Test(t, func(t *testing.T) {
		const apart = time.Minute
		var of []*script.Conversation
		for i := range 2 {
			c := *base
			call, request, reply := *base.Calls[0], *base.Calls[0].Request, *base.Calls[0].Reply
			call.Request, call.Reply, request.Call, reply.Call = &request, &reply, &call, &call
			request.Time, request.Order = 1e18+int64(i)*int64(apart), 2*i
			reply.Time, reply.Order = request.Time+1000, request.Order+1
			c.ID, c.Calls, c.Messages, c.Closed = i+1, []*script.Call{&call}, []*script.Message{&request, &reply}, 0
			if i == 0 {
				c.Closed = reply.Time + int64(apart)/2
			}
			of = append(of, &c)
		}
		p, err := requester.NewTogether(of, requester.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, x := fabric.New(fabric.SoftRoCE()), new(crowd)
		began := time.Now()
		list, err := requester.RunTogether(t.Context(), f, x.serve(t, f, of), p)
		if err != nil || !list[0].Same() || !list[1].Same() {
			t.Fatal(err)
		}
		if is := x.made[1].Sub(began); is < apart-time.Second || is > apart+time.Second {
			t.Errorf("the second connection is made after %v, want %v", is, apart)
		}
	})
}
