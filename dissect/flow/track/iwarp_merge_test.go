package track_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// The two directions wait for each other: what the server writes comes after the
// call that it writes for, in whatever order the capture has them.

// told in order.
type sequence struct {
	*recorder
	list []string
}

func (s *sequence) Send(c *flow.Conn, m *flow.Send) {
	s.recorder.Send(c, m)
	s.list = append(s.list, fmt.Sprintf("%c%d", m.Bytes[0], m.Bytes[4]))
}

func (s *sequence) Write(c *flow.Conn, w *flow.Write) {
	s.recorder.Write(c, w)
	s.list = append(s.list, fmt.Sprintf("W%d", w.Handle))
}

func orderOf(t *testing.T, frames build.Frames) []string {
	t.Helper()
	s := &sequence{recorder: newRecorder(t)}
	r := driver{tracker: follow(s, track.Options{Peek: peek})}
	for _, f := range frames {
		content := slices.Clone(f.Data)
		s.captured(flow.Ref{Number: r.number + 1}, content)
		r.take(content, f.Length, f.Time.UnixNano())
		clear(content)
	}
	r.tracker.Flush()
	return s.list
}

// exchanges are calls that each have an RDMA Write and a reply.
func exchanges(n int) (c *build.IWARP, calls, writes []int, want []string) {
	c = build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	for i := range uint32(n) {
		calls = append(calls, c.Send(build.ToServer, call(i)).First)
		writes = append(writes, c.Write(build.ToClient, i, 0, memory(i, 0, 100)).First)
		c.Send(build.ToClient, reply(i))
		want = append(want, fmt.Sprintf("C%d", i), fmt.Sprintf("W%d", i), fmt.Sprintf("R%d", i))
	}
	return c, calls, writes, want
}

func TestIWARPCallAndWriteSwapped(t *testing.T) {
	c, calls, writes, want := exchanges(6)
	for i := range calls {
		if got := orderOf(t, c.Frames.Swap(calls[i], writes[i])); !slices.Equal(got, want) {
			t.Errorf("with exchange %d swapped: %v, want %v", i, got, want)
		}
	}
}

// A lost call is retransmitted after what was sent after it, but nothing that the
// server sends can answer it, or any call after it, before.
func TestIWARPCallSentAgain(t *testing.T) {
	c, calls, _, want := exchanges(3)
	again := c.Frames[calls[1]]
	frames := append(slices.Clone(c.Frames[:calls[1]]), c.Frames[calls[1]+1:]...)
	frames = append(slices.Insert(frames, calls[1], again), again)
	if got := orderOf(t, frames); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The client's frame is missing, and the capture goes on: the server's messages
// wait for a while, and are told in their order.
func TestIWARPCallMissing(t *testing.T) {
	c, calls, _, want := exchanges(40)
	want = slices.DeleteFunc(want, func(s string) bool { return s == "C5" })
	if got := orderOf(t, c.Frames.Drop(calls[5])); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// few are too few FPDUs to know a stream by before it ends.
func few(c *build.IWARP) {
	for i := range uint32(4) {
		c.Send(build.ToServer, call(i))
		c.Send(build.ToClient, reply(i))
	}
}

// Both FINs are in the capture, though it was known for iWARP only at its end.
func TestIWARPClosedBeforeItIsKnown(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	start := c.Connect()
	few(c)
	c.Disconnect()
	d := record(t, c.Frames[start.End:])
	if conn := d.only(); conn.Closing != flow.Disconnected || len(d.sends) != 8 {
		t.Errorf("closing %v, %d Sends", conn.Closing, len(d.sends))
	}
}

// An RST, or a new connection on the same ports, does not take away what a
// connection held that was not known for iWARP yet.
func TestIWARPResetBeforeItIsKnown(t *testing.T) {
	for _, name := range []string{"RST", "SYN"} {
		t.Run(name, func(t *testing.T) {
			c := build.NewIWARP(build.IWARPSetup{})
			start := c.Connect()
			few(c)
			if name == "RST" {
				c.Reset(build.ToServer)
			} else {
				next := build.NewIWARP(build.IWARPSetup{ClientISN: 77, ServerISN: 99})
				next.Handshake()
				c.Frames = append(c.Frames, next.Frames...)
			}
			d := record(t, c.Frames[start.End:])
			if len(d.sends) != 8 {
				t.Fatalf("%d Sends, want 8", len(d.sends))
			}
			if d.conns[0].Closing == flow.Open {
				t.Error("the connection is still open")
			}
		})
	}
}

// What could not be read may have been anything.
func TestIWARPUnread(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	c.Send(build.ToServer, call(1))
	at := len(c.Frames)
	c.ReadRequest(build.ToClient, 7, 0, 100)
	c.Send(build.ToClient, reply(1))
	if d := record(t, c.Frames); d.only().Unread {
		t.Error("all of it was read")
	}
	frames := slices.Clone(c.Frames)
	frames[at].Data = frames[at].Data[:72]
	if d := record(t, frames); !d.only().Unread {
		t.Error("a Read Request was cut, and nothing says so")
	}
}
