package track_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// others are frames of another connection, more than a connection that has
// ended is kept for.
func others(from *build.IWARP) build.Frames {
	s := build.NewConversation(build.Setup{Start: from.Frames[len(from.Frames)-1].Time})
	s.Connect()
	for i := range uint32(200) {
		s.Send(build.ToServer, call(i))
		s.Ack(build.ToClient)
	}
	return s.Frames
}

func TestIWARPEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(c *build.IWARP)
		want flow.Closing
	}{
		{"FIN of both", func(c *build.IWARP) { c.Disconnect() }, flow.Disconnected},
		{"FIN of the client", func(c *build.IWARP) { c.Close(build.ToServer) }, flow.Disconnected},
		{"FIN of the server", func(c *build.IWARP) { c.Close(build.ToClient) }, flow.Disconnected},
		{"RST of the client", func(c *build.IWARP) { c.Reset(build.ToServer) }, flow.Reset},
		{"RST of the server", func(c *build.IWARP) { c.Reset(build.ToClient) }, flow.Reset},
		{"nothing", func(c *build.IWARP) {}, flow.Open},
		{"a Terminate", func(c *build.IWARP) {
			c.Terminate(build.ToClient, build.Termination{Layer: 1, EType: 1, ECode: 2})
			c.Disconnect()
		}, flow.Terminated},
		{"a Terminate behind the peer's FIN", func(c *build.IWARP) {
			c.Close(build.ToServer)
			c.Terminate(build.ToClient, build.Termination{Layer: 1, EType: 1, ECode: 2})
			c.Close(build.ToClient)
		}, flow.Terminated},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := build.NewIWARP(build.IWARPSetup{})
			c.Connect()
			send := c.Send(build.ToServer, call(1)).First
			c.Ack(build.ToClient)
			test.end(c)
			n := len(c.Frames)
			c.Retransmit(send)
			late := c.Frames[n:]
			d := record(t, c.Frames[:n].And(others(c), late))
			got := d.conns[0]
			if got.Closing != test.want || got.Frames < int64(n) || len(d.texts(0)) < 1 {
				t.Errorf("%+v", got)
			}
			if terminated := test.want == flow.Terminated; terminated != (got.Termination != nil) || terminated && (got.TerminatedBy != 1 || got.Termination.String() == "" || got.Termination.ECode != 2) {
				t.Errorf("%+v by %d", got.Termination, got.TerminatedBy)
			}
			want := flow.Stale
			if test.want == flow.Open {
				want = flow.Retransmission
			}
			if v := d.verdicts[len(d.verdicts)-1]; v.Note != want || (v.Conn == nil) != (want == flow.Stale) {
				t.Errorf("a late frame: %+v", v)
			}
			if len(d.conns) != 2 {
				t.Errorf("%d connections, want 2", len(d.conns))
			}
		})
	}
}

// The ports of a connection serve another one.
func TestIWARPAnew(t *testing.T) {
	again := func(begin int, isn uint32) build.Frames {
		c := build.NewIWARP(build.IWARPSetup{ClientISN: isn, ServerISN: isn + 5, MarkersToServer: true})
		c.Connect()
		c.Send(build.ToServer, call(2))
		c.Send(build.ToClient, reply(2))
		return c.Frames[begin:]
	}
	for _, test := range []struct {
		name  string
		begin int
		isn   uint32
		gap   bool // it has been let go of
	}{
		{"with its SYN", 0, 77, false},
		{"with its SYN-ACK", 1, 77, false},
		{"from the Request on", 3, 77, false},
		{"from the Request on, a little further", 3, 0x3d319c7f + 10_000_000, false},
		{"from the Request on, far away", 3, 0x3d319c7f + 1<<31, false},
		{"with its SYN, later", 0, 77, true},
		{"from the Request on, later", 3, 77, true},
	} {
		for _, closed := range []bool{false, true} {
			t.Run(fmt.Sprint(test.name, ", closed ", closed), func(t *testing.T) {
				c := build.NewIWARP(build.IWARPSetup{})
				c.Connect()
				c.Send(build.ToServer, call(1))
				c.Send(build.ToClient, reply(1))
				if closed {
					c.Disconnect()
				}
				frames := c.Frames
				if test.gap {
					frames = frames.And(others(c))
				}
				d := record(t, frames.And(again(test.begin, test.isn)))
				first, last := d.conns[0], d.conns[len(d.conns)-1]
				if want := (map[bool]flow.Closing{false: flow.Replaced, true: flow.Disconnected})[closed]; first.Closing != want || first.Frames != int64(len(c.Frames)) {
					t.Errorf("the first: %v, %d of %d frames", first.Closing, first.Frames, len(c.Frames))
				}
				if last.Setup != flow.SetupMPA || last.LostInCapture != 0 || last.Closing != flow.Open {
					t.Errorf("%+v", last)
				}
				n := 0
				for _, m := range d.sends {
					if m.conn == last.ID && m.whole && (m.bytes == string(call(2)) || m.bytes == string(reply(2))) {
						n++
					}
				}
				if n != 2 {
					t.Errorf("%d Sends of the second connection, want 2", n)
				}
			})
		}
	}
}

// What a Terminate says is kept, though its frame is gone.
func TestIWARPTerminate(t *testing.T) {
	refused := build.Tagged{OpCode: build.RDMAPWrite, STag: 5, TO: 9}.Bytes()
	for _, little := range []bool{false, true} {
		c := build.NewIWARP(build.IWARPSetup{})
		c.Connect()
		c.Send(build.ToServer, call(1))
		c.Terminate(build.ToClient, build.Termination{Layer: 1, EType: 1, ECode: 1, SegmentLength: 114, DDP: refused, LittleEndian: little})
		c.Send(build.ToServer, call(2))
		c.Disconnect()
		d := record(t, c.Frames)
		got := d.only()
		if w := got.Termination; w == nil || !strings.HasPrefix(w.String(), "DDP, Tagged Buffer Error: Base or bounds violation") || w.Length != 114 ||
			!bytes.Equal(w.DDP, refused) || w.RDMAP != nil || w.LittleEndian != little {
			t.Errorf("%+v", w)
		}
		if got.Closing != flow.Terminated || got.TerminatedBy != 1 || len(d.texts(0)) != 2 {
			t.Errorf("%v by %d, %d Sends", got.Closing, got.TerminatedBy, len(d.texts(0)))
		}
	}
}
