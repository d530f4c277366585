package trail_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/trail"
	"github.com/rdmacap/rdmacap/internal/build"
)

// viewOf is the last frame of a conversation.
func viewOf(t *testing.T, c *build.Conversation) *dissect.FrameView {
	t.Helper()
	var f flow.Frame
	last := c.Frames[len(c.Frames)-1]
	f.Frame.Link, f.Data, f.Length = link.TypeEthernet, last.Data, int32(len(last.Data))
	f.Decode(link.Options{})
	if f.Faulty() || !f.HasIB() {
		t.Fatal("the frame cannot be decoded")
	}
	v := dissect.ViewOf(&f)
	return v
}

// TestTrail holds which frames have a part in RPCs of which one frame is known: it again, and what
// acknowledges it, alone or first with others.
func TestTrail(t *testing.T) {
	const client, server = flow.End(0), flow.End(1)
	c := build.NewConversation(build.Setup{})
	var x trail.RPCFrames
	take := func(what string, from flow.End, own, want bool) {
		t.Helper()
		if got := x.Take(viewOf(t, c), from, own); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	c.Send(build.ToServer, []byte("another call"))
	take("another call", client, false, false)
	other := c.Frames[len(c.Frames)-1]
	c.Ack(build.ToClient)
	take("its acknowledgement", server, false, false)
	c.Send(build.ToServer, []byte("call"))
	take("the call", client, true, true)
	call := c.Frames[len(c.Frames)-1]
	c.Frames = append(c.Frames, call)
	take("the call again", client, false, true)
	c.Frames = append(c.Frames, other)
	take("another call again", client, false, false)
	c.Send(build.ToServer, []byte("a third call"))
	take("a third call", client, false, false)
	c.Ack(build.ToClient)
	if !x.Acknowledged(viewOf(t, c), server) || x.Acknowledged(viewOf(t, c), client) {
		t.Error("the call is not acknowledged, or the server's")
	}
	take("the acknowledgement of both", server, false, true)
	take("that again", server, false, false)
}
