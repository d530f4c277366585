package track_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// talk is a conversation of some calls, Reads and Writes, without its setup.
// The bytes of its calls are of ids from id on.
func talk(setup build.Setup, id uint32, rounds int) build.Frames {
	s := build.NewConversation(setup)
	for i := range rounds {
		n := id + uint32(i)
		s.Send(build.ToServer, call(n))
		s.Ack(build.ToClient)
		if i%3 == 0 {
			s.Read(build.ToClient, handle, uint64(n)<<16, memory(handle, uint64(n)<<16, 2500))
		}
		if i%3 == 1 {
			s.Write(build.ToClient, handle, uint64(n)<<16, memory(handle, uint64(n)<<16, 1500))
		}
		s.Send(build.ToClient, reply(n))
		s.Ack(build.ToServer)
	}
	return s.Frames
}

// wantPairs demands that no connection has a call or reply of another's: those
// of each connection have ids of one thousand.
func (d *recorder) wantPairs() {
	d.t.Helper()
	thousand := make(map[int]uint32)
	for _, m := range d.sends {
		id, _, ok := peek([]byte(m.bytes))
		if !ok {
			d.t.Fatal("a Send without an id")
		}
		if other, seen := thousand[m.conn]; seen && other != id/1000 {
			d.t.Errorf("connection %d has a message of the thousands %d and %d", m.conn, other, id/1000)
		}
		thousand[m.conn] = id / 1000
	}
}

// The capture begins at every frame of a conversation, and ends at its end.
func TestBegunAtEveryFrame(t *testing.T) {
	all := talk(build.Setup{}, 1000, 12)
	for from := range all {
		d := record(t, all[from:])
		d.placedRight()
		d.brought()
		c := d.conns[0]
		if c.Setup != flow.SetupInferred || c.RolesKnown || c.Established {
			t.Errorf("from frame %d: setup %v", from, c.Setup)
		}
		calls, replies := 0, 0
		for _, f := range all[from:] {
			calls, replies = count(f, calls, replies)
		}
		got := [2]int{}
		for _, m := range d.sends {
			if _, call, _ := peek([]byte(m.bytes)); call {
				got[0]++
			} else {
				got[1]++
			}
		}
		if got != [2]int{calls, replies} {
			t.Errorf("from frame %d: %d calls and %d replies, want %d and %d", from, got[0], got[1], calls, replies)
		}
		if calls > 0 && replies > 0 && len(d.conns) != 1 {
			t.Errorf("from frame %d: %d connections", from, len(d.conns))
		}
		for _, c := range d.conns {
			if c.Retransmissions+c.LostOnWire+c.Duplicates+c.Reordered != 0 {
				t.Errorf("from frame %d: %+v", from, c.Counters)
			}
			if c.LostInCapture != 0 && !c.OneWay() {
				t.Errorf("from frame %d: %d frames lost in the capture", from, c.LostInCapture)
			}
		}
	}
}

// count adds the call or reply that a frame carries.
func count(f build.Frame, calls, replies int) (int, int) {
	const send = 14 + 20 + 8
	if f.Data[send] == build.RCSendOnly {
		if f.Dir == build.ToServer {
			return calls + 1, replies
		}
		return calls, replies + 1
	}
	return calls, replies
}

// Without anything to peek at, it is the PSNs of several responses that pair.
func TestPairedByPSNs(t *testing.T) {
	anonymous := func() *build.Conversation { return build.NewConversation(build.Setup{}) }
	acks := anonymous()
	for range 6 {
		acks.Send(build.ToServer, []byte("x"))
		acks.Ack(build.ToClient)
		acks.Send(build.ToClient, []byte("y"))
		acks.Ack(build.ToServer)
	}
	reads := anonymous()
	for i := range 5 {
		transfer(reads, uint64(i)<<12, 100+i*1000)
	}
	one := anonymous()
	one.Send(build.ToServer, []byte("x"))
	one.Ack(build.ToClient)
	for name, test := range map[string]struct {
		frames build.Frames
		conns  int
	}{
		"acknowledgements":      {acks.Frames, 1},
		"Read responses":        {reads.Frames, 1},
		"too little to be sure": {one.Frames, 2},
	} {
		d := record(t, test.frames)
		d.placedRight()
		if len(d.conns) != test.conns {
			t.Errorf("%s: %d connections, want %d", name, len(d.conns), test.conns)
		}
	}
}

// Two connections of the same two hosts, of which neither's setup was
// captured. However their numbers lie, no message, no Read and no Write of one
// is taken for the other's.
func TestTwoConnections(t *testing.T) {
	start := build.NewConversation(build.Setup{}).Start
	for _, test := range []struct {
		name   string
		setup  build.Setup // of the second; the first has QPNs 0x11 and 0x12, PSNs 0x223899 and 0xe2d479
		offset time.Duration
	}{
		{"other numbers", build.Setup{Client: build.Host{QPN: 0x21, PSN: 5}, Server: build.Host{QPN: 0x22, PSN: 7}}, 0},
		{"QPNs swapped", build.Setup{Client: build.Host{QPN: 0x12}, Server: build.Host{QPN: 0x11}}, 0},
		{"the same PSNs", build.Setup{Client: build.Host{QPN: 0x21}, Server: build.Host{QPN: 0x22}}, 0},
		{"the same PSNs, one after the other", build.Setup{Client: build.Host{QPN: 0x21}, Server: build.Host{QPN: 0x22}}, 300 * time.Microsecond},
		{"PSNs near one another", build.Setup{Client: build.Host{QPN: 0x21, PSN: 0x22389b}, Server: build.Host{QPN: 0x22, PSN: 0xe2d476}}, 0},
		{"PSNs of the two directions the same", build.Setup{Client: build.Host{QPN: 0x21, PSN: 0xe2d479}, Server: build.Host{QPN: 0x22, PSN: 0x223899}}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.setup.Start = start.Add(test.offset + 3*time.Microsecond)
			a, b := talk(build.Setup{}, 1000, 9), talk(test.setup, 2000, 9)
			both := build.Merge(a, b)
			for from := range both {
				d := record(t, both[from:])
				d.wantPairs()
				d.placedRight()
				d.brought()
				if len(both)-from > 60 && len(d.conns) != 2 {
					t.Errorf("from frame %d: %d connections", from, len(d.conns))
				}
				if t.Failed() {
					t.Fatalf("from frame %d", from)
				}
			}
		})
	}
}

// The same where nothing but PSNs says who belongs to whom: they may stay
// apart, but must not be confused.
func TestTwoConnectionsWithoutIDs(t *testing.T) {
	letters := func(setup build.Setup, letter byte) build.Frames {
		s := build.NewConversation(setup)
		for range 12 {
			s.Send(build.ToServer, []byte{letter, 'c'})
			s.Ack(build.ToClient)
			s.Send(build.ToClient, []byte{letter, 's'})
			s.Ack(build.ToServer)
		}
		return s.Frames
	}
	a := letters(build.Setup{}, 'a')
	start := build.NewConversation(build.Setup{}).Start
	for near := -8; near <= 8; near++ {
		b := letters(build.Setup{Start: start.Add(3 * time.Microsecond),
			Client: build.Host{QPN: 0x21, PSN: uint32(0x223899 + near)}, Server: build.Host{QPN: 0x22, PSN: uint32(0xe2d479 + near)}}, 'b')
		both := build.Merge(a, b)
		for from := range both {
			d := record(t, both[from:])
			of := make(map[int]byte)
			for _, m := range d.sends {
				if c, seen := of[m.conn]; seen && c != m.bytes[0] {
					t.Fatalf("PSNs %d apart, from frame %d: connection %d says %c and %c", near, from, m.conn, c, m.bytes[0])
				}
				of[m.conn] = m.bytes[0]
			}
		}
	}
}

// One direction is all that was captured.
func TestOneDirectionOnly(t *testing.T) {
	all := talk(build.Setup{}, 1000, 12)
	for _, dir := range []build.Direction{build.ToServer, build.ToClient} {
		d := record(t, all.Only(dir))
		d.placedRight()
		c := d.only()
		if !c.OneWay() || len(d.sends) != 12 || len(d.data) != 0 {
			t.Errorf("direction %d: one way %v, %d Sends, %d data", dir, c.OneWay(), len(d.sends), len(d.data))
		}
		for i, m := range d.sends {
			if id, call, _ := peek([]byte(m.bytes)); id != uint32(1000+i) || call != (dir == build.ToServer) || m.from != 0 {
				t.Errorf("direction %d: Send %d is %q", dir, i, m.bytes)
			}
		}
		known := 0
		for _, e := range c.Ends {
			if e.HasQPN {
				known++
			}
		}
		if known != 1 {
			t.Errorf("direction %d: %d queue pair numbers known, want the receiver's", dir, known)
		}
	}
}

// A capture that lacks one side for long, and then has it.
func TestOtherDirectionComesLate(t *testing.T) {
	all := talk(build.Setup{}, 1000, 1300)
	half := len(all) / 2
	mixed := all[:half].Only(build.ToServer).And(all[half:])
	d := record(t, mixed)
	d.placedRight()
	if c := d.only(); c.OneWay() || c.Frames != int64(len(mixed)) || c.First.Number != 1 || c.Last.Number != c.Frames {
		t.Errorf("one way %v, %d frames of %d", c.OneWay(), c.Frames, len(mixed))
	}
	// The REP is not in the capture: the reply to the first call shows whose it is.
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 1)
	for _, lost := range []int{0, 1} {
		seen := newRecorder(t)
		r := driver{tracker: follow(seen, track.Options{Peek: peek})}
		for _, f := range s.Frames.Drop(lost) {
			r.take(f.Data, f.Length, f.Time.UnixNano())
		}
		if want := []string{"no REQ", "no REP"}[lost]; len(seen.sends) != 2 {
			t.Errorf("%s: %d Sends before the end of the capture, want 2", want, len(seen.sends))
		}
	}
}

// A connection that was set up must not be given the old half of another.
func TestNoForeignHalfAdopted(t *testing.T) {
	old := build.NewConversation(build.Setup{Client: build.Host{QPN: 0x31, PSN: 0x400000}, Server: build.Host{QPN: 0x32, PSN: 0x500000}})
	sendNumbered(old, 1, 10)
	s := build.NewConversation(build.Setup{Start: old.Start.Add(45 * time.Microsecond)})
	s.Request()
	for name, frames := range map[string]build.Frames{
		"before the REQ":              build.Merge(old.Frames.Only(build.ToServer), s.Frames),
		"several that could be meant": s.Frames.And(old.Frames.Only(build.ToServer), talk(build.Setup{}, 1000, 3).Only(build.ToServer)),
	} {
		d := record(t, frames)
		for _, c := range d.conns {
			if c.Setup == flow.SetupCM && c.Ends[1].HasQPN {
				t.Errorf("%s: queue pair 0x%x is given to the connection that was set up", name, c.Ends[1].QPN)
			}
		}
	}
}

func ExampleTracker() {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, []byte("a message"))
	s.Disconnect()
	var r driver
	r.tracker = follow(printer{}, track.Options{})
	for _, f := range s.Frames {
		r.take(f.Data, f.Length, f.Time.UnixNano())
	}
	r.tracker.Flush()
	// Output:
	// connection 1 from 192.0.2.2 to 192.0.2.1
	// 192.0.2.2 sends "a message"
	// it ends: disconnect
}

// printer is a Sink that prints.
type printer struct{}

func (printer) Opened(c *flow.Conn) {
	fmt.Println("connection", c.ID, "from", c.Client().Addr, "to", c.Server().Addr)
}
func (printer) Send(c *flow.Conn, m *flow.Send) {
	fmt.Printf("%v sends %q\n", c.Ends[m.From].Addr, m.Bytes)
}
func (printer) Write(*flow.Conn, *flow.Write)                   {}
func (printer) Read(*flow.Conn, *flow.Read)                     {}
func (printer) ReadData(*flow.Conn, *flow.Read, *flow.ReadData) {}
func (printer) FrameDone(*flow.Conn)                            {}
func (printer) Closed(c *flow.Conn)                             { fmt.Println("it ends:", c.Closing) }
