package track_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// unsummed is a capture on the sending host: the adapter will compute the TCP
// checksum. The frames are those of IPv4 or IPv6 without VLAN.
func unsummed(f build.Frames) build.Frames {
	f = slices.Clone(f)
	for i := range f {
		data := slices.Clone(f[i].Data)
		at := tcpAt(f[i])
		data[at+16], data[at+17] = 0x12, 0x34
		f[i].Data = data
	}
	return f
}

// unstamped turns the time stamps into bytes that mean nothing.
func unstamped(f build.Frames) build.Frames {
	f = slices.Clone(f)
	for i := range f {
		data := slices.Clone(f[i].Data)
		at := tcpAt(f[i]) + 20
		for end := at + 12; at < end; at++ {
			data[at] = 1
		}
		f[i].Data = data
	}
	return f
}

// tcpAt is where the TCP header of a frame begins.
func tcpAt(f build.Frame) int {
	if f.Data[12] == 0x86 {
		return 14 + 40
	}
	return 14 + 20
}

// Two hosts have the same segments, and the checksum differs in one of them: none
// was retransmitted but what was.
func TestIWARPTwoFiles(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		setup := build.IWARPSetup{}
		if v6 {
			setup.Client.Addr, setup.Server.Addr = build.ClientIPv6, build.ServerIPv6
		}
		c := build.NewIWARP(setup)
		c.Connect()
		for i := range uint32(150) { // more than are remembered
			c.Send(build.ToServer, call(i))
			c.Ack(build.ToClient)
		}
		lost := c.Send(build.ToServer, call(150)).First
		c.Send(build.ToServer, call(151))
		c.Wait(200 * time.Millisecond)
		c.Retransmit(lost)
		c.Ack(build.ToClient)
		again := c.Send(build.ToServer, call(152)).First
		c.Wait(200 * time.Millisecond)
		c.Retransmit(again)
		for i := range uint32(100) {
			c.Send(build.ToServer, call(153+i))
			c.Ack(build.ToClient)
		}
		segments := int64(0)
		for _, f := range c.Frames {
			if len(f.Data) > tcpAt(f)+32+8 {
				segments++
			}
		}
		for _, skew := range skews {
			for _, test := range []struct {
				name string
				a, b build.Frames
			}{
				{"both have all", unsummed(c.Frames), c.Frames},
				{"the server never had the first", unsummed(c.Frames), c.Frames.Drop(lost)},
				{"cannot timestamp", unsummed(unstamped(c.Frames)), unstamped(c.Frames)},
			} {
				d := recordFiles(t, test.a, later(test.b, skew))
				if n := len(d.texts(0)); n != 253 {
					t.Errorf("IPv6 %v, %s, %v: %d Sends, want 253", v6, test.name, skew, n)
				}
				n := disorder(d.only())
				if n.Retransmissions != 2 || n.LostInCapture != 0 || n.LostOnWire > 1 || n.Reordered > 1 {
					t.Errorf("IPv6 %v, %s, %v: %+v", v6, test.name, skew, n)
				}
				// The copy of what came late may be the first of it.
				if n.Duplicates < segments-2 {
					t.Errorf("IPv6 %v, %s, %v: %d copies of %d", v6, test.name, skew, n.Duplicates, segments)
				}
			}
		}
	}
}

// The receiver had the first one, as it reported before the second came: the capture
// lacks it, and not the network lost it.
func TestIWARPSentAgainNeedlessly(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		setup := build.IWARPSetup{}
		if v6 {
			setup.Client.Addr, setup.Server.Addr = build.ClientIPv6, build.ServerIPv6
		}
		c := build.NewIWARP(setup)
		c.Connect()
		for i := range uint32(6) {
			c.Send(build.ToServer, call(i))
		}
		missing := c.Send(build.ToServer, call(6)).First
		c.Send(build.ToServer, call(7))
		c.Ack(build.ToClient)
		c.Wait(3 * time.Millisecond)
		c.Retransmit(missing)
		c.Ack(build.ToClient)
		d := record(t, c.Frames.Drop(missing))
		if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 1, LostInCapture: 1}); got != want {
			t.Errorf("IPv6 %v: %+v, want %+v", v6, got, want)
		}
		if v := d.verdicts[missing+2]; v.Note != flow.Retransmission {
			t.Errorf("IPv6 %v: noted %q", v6, v.Note)
		}
	}
}

// saying changes what a bare acknowledgement names, and lets it name blocks.
func saying(f build.Frame, ack uint32, blocks ...uint32) build.Frame {
	at := tcpAt(f)
	data := slices.Clone(f.Data)
	put := func(at int, v uint32) {
		data[at], data[at+1], data[at+2], data[at+3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	put(at+8, ack)
	if len(blocks) > 0 {
		more := 4 + 4*len(blocks)
		data[at+12] += byte(more/4) << 4
		data[at-40+5] += byte(more) // IPv6
		data = append(data, 1, 1, 5, byte(more-2))
		for _, b := range blocks {
			data = append(data, 0, 0, 0, 0)
			put(len(data)-4, b)
		}
	}
	f.Data, f.Length = data, len(data)
	return f
}

// Without identifications the time stamps say what was retransmitted, and where they
// say nothing the receiver does.
func TestIWARPLostOnTheWireIPv6(t *testing.T) {
	setup := build.IWARPSetup{Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}}
	for _, test := range []struct {
		name   string
		wait   time.Duration // until it is retransmitted
		dups   int           // duplicate acknowledgements before that
		sack   bool          // with a block
		reopen bool          // whose windows differ
		bare   bool          // without time stamps
		swap   bool          // not sent again, but captured late
		want   flow.Note
	}{
		{"a later time stamp", 2 * time.Millisecond, 0, false, false, false, false, flow.LostOnWire},
		{"the same, and SACK", 50 * time.Microsecond, 1, true, false, false, false, flow.LostOnWire},
		{"the same, and three that say the same", 50 * time.Microsecond, 3, false, false, false, false, flow.LostOnWire},
		{"the same, and two that do", 50 * time.Microsecond, 2, false, false, false, false, flow.Reordered},
		{"the same, and window updates", 50 * time.Microsecond, 4, false, true, false, false, flow.Reordered},
		{"the same, and nothing", 50 * time.Microsecond, 0, false, false, false, false, flow.Reordered},
		{"no time stamps, and SACK", 50 * time.Microsecond, 1, true, false, true, false, flow.LostOnWire},
		{"no time stamps, and much later", 50 * time.Millisecond, 0, false, false, true, false, flow.LostOnWire},
		{"no time stamps, and soon", 5 * time.Millisecond, 0, false, false, true, false, flow.Reordered},
		{"an earlier time stamp", 0, 0, false, false, false, true, flow.Reordered},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := build.NewIWARP(setup)
			c.Connect()
			for i := range uint32(6) {
				c.Send(build.ToServer, call(i))
			}
			c.Ack(build.ToClient)
			hole := c.NextSeq(build.ToServer)
			lost := c.Send(build.ToServer, call(6)).First
			if test.swap {
				c.Wait(2 * time.Millisecond)
			}
			behind := c.NextSeq(build.ToServer)
			next := c.Send(build.ToServer, call(7)).First
			for i := range test.dups {
				at := c.Ack(build.ToClient).First
				if c.Frames[at] = saying(c.Frames[at], hole); test.sack {
					c.Frames[at] = saying(c.Frames[at], hole, behind, c.NextSeq(build.ToServer))
				}
				if test.reopen {
					c.Frames[at].Data[tcpAt(c.Frames[at])+15] += byte(i)
				}
				c.Wait(100 * time.Microsecond)
			}
			var frames build.Frames
			if test.swap {
				frames = c.Frames.Swap(lost, next)
			} else {
				c.Wait(test.wait)
				c.Retransmit(lost)
				frames = c.Frames.Drop(lost)
			}
			if test.bare {
				frames = unstamped(frames) // the blocks stand after them, and stay
			}
			d := record(t, frames)
			if got := d.verdicts[len(frames)-1].Note; got != test.want {
				t.Errorf("noted %q, want %q", got, test.want)
			}
			if n := len(d.texts(0)); n != 8 {
				t.Errorf("%d Sends, want 8", n)
			}
		})
	}
}

// Random conversations, of which one capture has what the network lost and another
// has not, by clocks that differ: all is told once, and nothing is reported to have
// been sent again but what was.
func TestIWARPTwoFilesOfAnything(t *testing.T) {
	for seed := range seeds(300) {
		s := newRandomConversation(seed, 40)
		a, b := s.Frames, s.Frames.Drop(s.wire...)
		if seed%2 == 0 {
			a, b = b, a
		}
		d := recordFiles(t, a, later(b, skews[s.rnd.IntN(len(skews))]))
		d.placedRight()
		s.placedOnce(d)
		s.compare(d)
		if c := d.only(); c.Retransmissions > int64(len(s.wire)) || c.LostOnWire > int64(len(s.wire)) || c.LostInCapture != 0 {
			t.Errorf("%d were sent again; %+v", len(s.wire), c.Counters)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %+v\n%s", seed, s.IWARPSetup, d.notes())
		}
	}
}
