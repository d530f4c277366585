package trail_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/trail"
	"github.com/rdmacap/rdmacap/internal/build"
)

// TestEarlier holds which earlier frames a frame goes with: each is given by its number, 0 for none.
func TestEarlier(t *testing.T) {
	const client, server = flow.End(0), flow.End(1)
	c := build.NewConversation(build.Setup{})
	conn := &dissect.Connection{Conn: &flow.Conn{First: flow.Ref{Number: 1}}}
	other := &dissect.Connection{Conn: &flow.Conn{First: flow.Ref{Number: 2}}}
	var x trail.Earlier
	number := int64(0)
	type want struct{ before, original, acknowledged, request int64 }
	take := func(what string, of *dissect.Connection, from flow.End, note flow.Note, w want) {
		t.Helper()
		number++
		v := viewOf(t, c)
		v.Frame.Number, v.Frame.Time = number, 1000*number
		v.Connection, v.Verdict.From, v.Verdict.Note = of, from, note
		l := x.Take(v)
		if got := (want{l.Before.Ref.Number, l.Original.Ref.Number, l.Acknowledged.Ref.Number, l.Request.Ref.Number}); got != w {
			t.Errorf("frame %d, %s: %+v, want %+v", number, what, got, w)
		}
		for _, s := range [...]trail.Sighting{l.Before, l.Original, l.Acknowledged, l.Request} {
			if s.Time != 1000*s.Ref.Number {
				t.Errorf("frame %d, %s: frame %d has the time %d", number, what, s.Ref.Number, s.Time)
			}
		}
	}
	c.Send(build.ToServer, []byte("call"))
	call := c.Frames[len(c.Frames)-1]
	take("the call", conn, client, flow.InOrder, want{})
	take("with the same PSN on another connection", other, client, flow.InOrder, want{})
	c.Ack(build.ToClient)
	take("its acknowledgement", conn, server, flow.InOrder, want{before: 1, acknowledged: 1})
	take("that of the other", other, server, flow.InOrder, want{before: 2, acknowledged: 2})
	c.Frames = append(c.Frames, call)
	take("the call again", conn, client, flow.Retransmission, want{before: 3, original: 1})
	take("and again", conn, client, flow.Retransmission, want{before: 5, original: 1})
	take("a copy", conn, client, flow.Duplicate, want{before: 6, original: 1})

	mtu := 1024
	r := c.ReadRequest(build.ToClient, 1, 0, 3*mtu)
	request := c.Frames[len(c.Frames)-1]
	take("a request", conn, server, flow.InOrder, want{before: 7})
	from := len(c.Frames)
	c.ReadResponse(r, make([]byte, 3*mtu))
	responses := c.Frames[from:]
	if len(responses) != 3 {
		t.Fatalf("%d responses", len(responses))
	}
	all := c.Frames
	for i := range responses {
		c.Frames = responses[:i+1]
		take("a response", conn, client, flow.InOrder, want{before: 8 + int64(i), request: 8})
	}
	c.Frames = append(all, request)
	take("the request again", conn, server, flow.Retransmission, want{before: 11, original: 8})
	c.Frames = append(all, responses[0])
	take("the first response again", conn, client, flow.Retransmission, want{before: 12, original: 9, request: 12})
	c.Frames = append(all, responses[1])
	take("the second", conn, client, flow.LostOnWire, want{before: 13, original: 10, request: 12})
	take("that of no connection", nil, client, flow.Retransmission, want{})
}
