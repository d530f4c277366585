package track_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// What is noticed of a frame's place among the others, and what is counted.
func TestIWARPNotes(t *testing.T) {
	conversation := func() (c *build.IWARP, at []int) {
		c = build.NewIWARP(build.IWARPSetup{})
		c.Connect()
		for i := range uint32(4) {
			at = append(at, c.Send(build.ToServer, memory(i, 0, 100+int(i))).First)
		}
		return c, at
	}
	again := func(c *build.IWARP, frame int) {
		c.Wait(time.Millisecond)
		c.Retransmit(frame)
	}
	for _, test := range []struct {
		name    string
		frames  func(c *build.IWARP, at []int) build.Frames
		notes   string
		missing []int // before the frames with gaps, in bytes
		want    flow.Counters
		sends   int
	}{
		{"in order", func(c *build.IWARP, _ []int) build.Frames { return c.Frames }, "", nil, flow.Counters{}, 4},
		{"sent again", func(c *build.IWARP, at []int) build.Frames { again(c, at[1]); return c.Frames },
			"11 again", nil, flow.Counters{Retransmissions: 1}, 4},
		{"sent again twice", func(c *build.IWARP, at []int) build.Frames { again(c, at[1]); again(c, at[1]); return c.Frames },
			"11 again, 12 again", nil, flow.Counters{Retransmissions: 2}, 4},
		{"captured twice", func(c *build.IWARP, at []int) build.Frames { return c.Frames.Duplicate(at[1]) },
			"9 twice", nil, flow.Counters{Duplicates: 1}, 4},
		{"all captured twice", func(c *build.IWARP, at []int) build.Frames {
			return c.Frames.Duplicate(at[0]).Duplicate(at[1] + 1).Duplicate(at[2] + 2)
		}, "8 twice, 10 twice, 12 twice", nil, flow.Counters{Duplicates: 3}, 4},
		{"two change places", func(c *build.IWARP, at []int) build.Frames { return c.Frames.Swap(at[1], at[2]) },
			"8 gap, 9 reordered", []int{128}, flow.Counters{Reordered: 1}, 4},
		{"lost on the wire", func(c *build.IWARP, at []int) build.Frames { again(c, at[1]); return c.Frames.Drop(at[1]) },
			"8 gap, 9 gap, 10 lost", []int{128, 0}, flow.Counters{Retransmissions: 1, LostOnWire: 1}, 4},
		{"lost on the wire, sent again after a time-out", func(c *build.IWARP, at []int) build.Frames {
			c.Wait(200 * time.Millisecond)
			again(c, at[1])
			return c.Frames.Drop(at[1])
		}, "8 gap, 9 gap, 10 lost", []int{128, 0}, flow.Counters{Retransmissions: 1, LostOnWire: 1}, 4},
		{"lost on the wire, all behind it sent again", func(c *build.IWARP, at []int) build.Frames {
			c.Wait(200 * time.Millisecond)
			again(c, at[1])
			again(c, at[2])
			return c.Frames.Drop(at[1])
		}, "8 gap, 9 gap, 10 lost, 11 again", []int{128, 0}, flow.Counters{Retransmissions: 2, LostOnWire: 1}, 4},
		{"the last lost on the wire", func(c *build.IWARP, at []int) build.Frames { again(c, at[3]); return c.Frames.Drop(at[3]) },
			"", nil, flow.Counters{}, 4},
		{"missing frames", func(c *build.IWARP, at []int) build.Frames {
			c.Ack(build.ToClient)
			for range 40 {
				c.Ack(build.ToClient)
			}
			c.Send(build.ToServer, call(5))
			return c.Frames.Drop(at[1])
		}, "8 gap, 9 gap", []int{128, 0}, flow.Counters{LostInCapture: 1}, 4},
		{"two missing, apart", func(c *build.IWARP, at []int) build.Frames {
			c.Ack(build.ToClient)
			return c.Frames.Drop(at[0], at[2])
			// One FPDU between two holes, or after the last, proves nothing.
		}, "7 gap, 8 gap", []int{124, 128}, flow.Counters{LostInCapture: 2}, 0},
		{"missing, and nobody says of whom", func(c *build.IWARP, at []int) build.Frames { return c.Frames.Drop(at[1]) },
			"8 gap, 9 gap", []int{128, 0}, flow.Counters{}, 3},
		{"the last missing", func(c *build.IWARP, at []int) build.Frames {
			c.Ack(build.ToClient)
			return c.Frames.Drop(at[3])
		}, "", nil, flow.Counters{LostInCapture: 1}, 3},
		{"a keep-alive probe", func(c *build.IWARP, at []int) build.Frames {
			c.Wait(time.Second)
			c.SegmentAt(build.ToServer, c.NextSeq(build.ToServer)-1, nil)
			c.SegmentAt(build.ToServer, c.NextSeq(build.ToServer)-1, []byte{0})
			return c.Frames
		}, "", nil, flow.Counters{}, 4},
		{"sent again in other pieces", func(c *build.IWARP, at []int) build.Frames {
			c.Wait(time.Second)
			both := append(slices.Clone(payloadOf(c.Frames[at[2]])), payloadOf(c.Frames[at[3]])...)
			c.SegmentAt(build.ToServer, c.NextSeq(build.ToServer)-uint32(len(both)), both)
			return c.Frames.Drop(at[3])
		}, "", nil, flow.Counters{}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, at := conversation()
			d := record(t, test.frames(c, at))
			if d.notes() != test.notes {
				t.Errorf("notes: %s, want %s", d.notes(), test.notes)
			}
			var missing []int
			for _, v := range d.verdicts {
				if v.Note == flow.Gap {
					missing = append(missing, v.Missing)
				} else if v.Missing != 0 {
					t.Errorf("%d bytes are missing without a gap", v.Missing)
				}
			}
			if !slices.Equal(missing, test.missing) {
				t.Errorf("%v bytes are missing, want %v", missing, test.missing)
			}
			if got := disorder(d.only()); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
			if n := len(d.texts(0)); n != test.sends {
				t.Errorf("%d Sends, want %d", n, test.sends)
			}
		})
	}
}

// payloadOf is what a segment without VLAN over IPv4 carries.
func payloadOf(f build.Frame) []byte { return f.Data[14+20+32:] }

// Frames that one direction lacks: what remains of their messages says so, and
// nothing else is touched.
func TestIWARPLostInTheCapture(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	c.Send(build.ToServer, call(1))
	long := c.Send(build.ToServer, memory(1, 0, 5000))
	c.Write(build.ToServer, 9, 0x100, memory(9, 0x100, 4000))
	c.Ack(build.ToClient)
	for i := range uint32(50) {
		c.Send(build.ToServer, call(10+i))
		c.Ack(build.ToClient)
	}
	for _, test := range []struct {
		name  string
		drop  []int
		front int // bytes of the Send that are there
		lost  int64
	}{
		{"the first segment", []int{long.First}, -1, 1},
		{"the second", []int{long.First + 1}, 1424, 1},
		{"the second and third", []int{long.First + 1, long.First + 2}, 1424, 1},
		{"the last", []int{long.End - 1}, 3 * 1424, 1},
		{"the last, and the first of the Write", []int{long.End - 1, long.End}, 3 * 1424, 1},
		{"the second and the last", []int{long.First + 1, long.End - 1}, 1424, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := record(t, c.Frames.Drop(test.drop...))
			d.placedRight()
			if n := len(d.texts(0)); n != 51 {
				t.Errorf("%d Sends are whole, want 51", n)
			}
			front := -1
			for _, m := range d.sends {
				if !m.whole {
					front = len(m.bytes)
					if m.missing != "frames are missing from the capture" || !strings.HasPrefix(string(memory(1, 0, 5000)), m.bytes) {
						t.Errorf("%d bytes, %s", len(m.bytes), m.missing)
					}
				}
			}
			if front != test.front {
				t.Errorf("%d bytes of the Send are there, want %d", front, test.front)
			}
			if got := d.only(); got.LostInCapture != test.lost {
				t.Errorf("%d frames are missing, want %d", got.LostInCapture, test.lost)
			}
		})
	}
}
