package track_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A reel is the stream of one direction, and which frame brought which bytes.
type reel struct {
	bytes  []byte
	ends   []int   // after the bytes of each frame that has some
	frames []int64 // their numbers
	told   int     // bytes that units had so far
}

// frame is the number of the frame that brought a byte, and where its bytes begin.
func (r *reel) frame(at int) (number int64, start int) {
	i, _ := slices.BinarySearch(r.ends, at+1)
	if i > 0 {
		start = r.ends[i-1]
	}
	return r.frames[i], start
}

// take adds a frame, and holds its units against the streams: they are what
// comes next there, each with the frame that brought its last byte.
func (r *reel) take(t *testing.T, number int64, payload []byte, units []flow.Unit) {
	t.Helper()
	if len(payload) > 0 {
		r.bytes = append(r.bytes, payload...)
		r.ends, r.frames = append(r.ends, len(r.bytes)), append(r.frames, number)
	}
	for i := range units {
		u := &units[i]
		raw, at := u.Raw(), r.told
		r.told += len(raw)
		if r.told > len(r.bytes) || !bytes.Equal(raw, r.bytes[at:r.told]) {
			t.Errorf("frame %d, unit %d: %d bytes are not those of the stream at %d", number, i, len(raw), at)
			return
		}
		first, start := r.frame(at)
		last, _ := r.frame(r.told - 1)
		want := at - start
		if first != last {
			want = -1
		}
		if u.First.Number != first || u.Last.Number != last || last != number || u.At != want {
			t.Errorf("frame %d, unit %d: frames %d to %d at %d; want %d to %d at %d", number, i, u.First.Number, u.Last.Number, u.At, first, last, want)
		}
		if u.IsStart != (at == 0) || u.Fault != "" {
			t.Errorf("frame %d, unit %d: start %v, fault %q", number, i, u.IsStart, u.Fault)
		}
		if f := &u.FPDU; !u.IsStart && (f.Length != len(raw) || len(f.ULPDU) != f.ULPDULength || !bytes.Equal(u.PDU.Bytes, f.ULPDU)) {
			t.Errorf("frame %d, unit %d: an FPDU of %d bytes with a ULPDU of %d of %d", number, i, f.Length, len(f.ULPDU), f.ULPDULength)
		}
	}
}

// The units of all frames are the two streams, byte for byte, wherever the
// segments are cut. They stay as they are until the next frame.
func TestUnits(t *testing.T) {
	for _, test := range iwarpSetups {
		for _, sizes := range [][]int{nil, {1, 2, 3, 500, 3000, 100, 5000, 7}} {
			t.Run(test.name, func(t *testing.T) {
				s := newConversation(test.setup, func(c *build.IWARP) {
					c.Cut(build.ToServer, sizes...)
					c.Cut(build.ToClient, sizes...)
				})
				r := driver{tracker: follow(new(silent), track.Options{Units: true})}
				var reels [2]reel
				for i, f := range s.Frames {
					v := r.take(f.Data, f.Length, f.Time.UnixNano())
					if v.Faulty {
						t.Errorf("frame %d is faulty", i+1)
					}
					reels[f.Dir].take(t, int64(i)+1, r.frame.Payload(), v.Units)
				}
				for dir := range reels {
					if r := &reels[dir]; r.told != len(r.bytes) || r.told == 0 {
						t.Errorf("direction %d: %d bytes were told, of %d", dir, r.told, len(r.bytes))
					}
				}
			})
		}
	}
}

// What waited for other frames is told with the one that let it go on, copied.
func TestUnitsThatWaited(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	text := [][]byte{call(1), memory(1, 0, 300), memory(2, 0, 2), memory(3, 0, 700)}
	var at []int
	for _, b := range text {
		at = append(at, c.Send(build.ToServer, b).First)
	}
	c.Ack(build.ToClient)
	r := driver{tracker: follow(new(silent), track.Options{Units: true})}
	frames := c.Frames.Swap(at[0], at[3]) // the last comes first, the first last
	for i, f := range frames {
		content := slices.Clone(f.Data)
		v := r.take(content, f.Length, f.Time.UnixNano())
		switch {
		case i >= at[0] && i < at[3] && (v.Note != flow.Gap && v.Note != flow.Reordered || !v.Waiting || len(v.Units) != 0):
			t.Errorf("frame %d: %+v", i+1, v)
		case i == at[3]:
			if len(v.Units) != 4 {
				t.Fatalf("%d units, want 4", len(v.Units))
			}
			for j := range v.Units {
				u := &v.Units[j]
				if got := u.PDU.Payload(); !bytes.Equal(got, text[j]) {
					t.Errorf("unit %d: %q", j, got)
				}
				if alone := j == 0; alone != (u.At == 0) || !alone && u.At != -1 || u.First != u.Last {
					t.Errorf("unit %d: at %d, frames %v to %v", j, u.At, u.First, u.Last)
				}
			}
		}
		clear(content)
	}
}

// The units of an FPDU that came before the Reply, which says what it is, are
// told with the Reply. None is in it, though they came with other frames.
func TestUnitsBeforeReply(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Handshake()
	c.Request()
	reply := c.Accept().First
	send := c.Send(build.ToServer, call(1)).First
	r := driver{tracker: follow(new(silent), track.Options{Units: true})}
	for i, f := range c.Frames.Swap(reply, send) {
		content := slices.Clone(f.Data)
		v := r.take(content, f.Length, f.Time.UnixNano())
		if i == send {
			if len(v.Units) != 2 || !v.Units[0].IsStart || v.Units[0].At != 0 {
				t.Fatalf("%+v", v.Units)
			}
			u := &v.Units[1]
			if u.At != -1 || u.Last.Number != int64(reply)+1 || !bytes.Equal(u.PDU.Payload(), call(1)) {
				t.Errorf("at %d, frame %d, %q", u.At, u.Last.Number, u.PDU.Payload())
			}
		}
		clear(content)
	}
}

// A connection that is let go with a frame of another leaves none of its units,
// which waited until then, with that frame.
func TestUnitsOfConnectionLetGo(t *testing.T) {
	ended := build.NewIWARP(build.IWARPSetup{})
	ended.Connect()
	ended.Send(build.ToServer, call(1))
	missing := ended.Send(build.ToServer, call(2)).First
	for i := range uint32(3) {
		ended.Send(build.ToServer, call(3+i)) // these wait
	}
	ended.Close(build.ToClient)
	other := build.NewIWARP(build.IWARPSetup{Start: ended.Now(), Client: build.Host{Port: 777}})
	other.Connect()
	for i := range uint32(300) {
		other.Send(build.ToServer, call(1000+i))
	}
	s := new(silent)
	r := driver{tracker: follow(s, track.Options{Units: true})}
	for _, f := range ended.Frames.Drop(missing) {
		r.take(f.Data, f.Length, f.Time.UnixNano())
	}
	told := 0
	for _, f := range other.Frames {
		v := r.take(f.Data, f.Length, f.Time.UnixNano())
		for i := range v.Units {
			if told++; v.Units[i].Last.Number != r.number {
				t.Errorf("frame %d has a unit of frame %d", r.number, v.Units[i].Last.Number)
			}
		}
	}
	if s.closed != 1 || told != 302 {
		t.Errorf("%d connections were let go, %d units of the other are told", s.closed, told)
	}
}
