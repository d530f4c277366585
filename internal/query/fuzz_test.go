package query

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/rocev2"
)

// someFrames are n frames of a sample after the first ones, which are not RDMA.
func someFrames(tb testing.TB, name string, first, n int) (frames []capture.Frame) {
	tb.Helper()
	f, err := capture.NewReader(bytes.NewReader(unpacked(tb, name)), name, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	for i := range first + n {
		var frame capture.Frame
		if err := f.Next(&frame); err != nil {
			tb.Fatal(err)
		}
		if i >= first {
			frame.Data = bytes.Clone(frame.Data)
			frames = append(frames, frame)
		}
	}
	return frames
}

// FuzzRows puts a frame of a stranger among real ones, with a right ICRC so
// that it is believed, and asks each row that comes of them for every field: none
// may be given a value of another kind, and nothing may panic.
func FuzzRows(f *testing.F) {
	// The setup and the first RPCs of a RoCEv2 and of an iWARP connection.
	const each = 60
	captures := [][]capture.Frame{someFrames(f, "rxe-cb", 39, each), someFrames(f, "siw-cb", 47, each)}
	for i, frames := range captures {
		for at := range frames {
			if at%9 == 0 {
				f.Add(i == 1, uint8(at), frames[at].Data)
			}
		}
	}
	sets := newSets(f)
	rpc, keys := whole(sets)
	bound := bindings(f, keys...)
	frame := &record[*dissect.FrameView]{list: sets.frames}
	message := &record[*dissect.Message]{list: sets.messages}
	f.Fuzz(func(t *testing.T, iwarp bool, at uint8, data []byte) {
		frames := captures[0]
		if iwarp {
			frames = captures[1]
		}
		place := int(at) % len(frames)
		check := func(err error) {
			if err != nil {
				t.Error(err)
			}
		}
		now, asked := 0, 0
		// Rows after the strange frame, as many as time allows for.
		few := func() bool {
			asked++
			return asked <= 12
		}
		d := dissect.New(&told{
			frame: func(v *dissect.FrameView) {
				if frame.row = v; now == place {
					check(sets.Set(Frames).Check(frame))
				}
			},
			message: func(m *dissect.Message) {
				if message.row = m; now >= place && few() {
					check(sets.Set(Messages).Check(message))
				}
			},
			rpc: func(r *dissect.RPC) {
				if rpc.row = r; now >= place && few() {
					check(sets.Set(RPCs).Check(rpc))
				}
			},
		}, dissect.Options{Bindings: bound, Units: true})
		for i := range frames {
			now = i
			strange := frames[i]
			if i == place {
				strange.Data, strange.Length = bytes.Clone(data), max(int32(len(data)), strange.Length)
				var p link.Packet
				p.Decode(strange.Link, strange.Data, int(strange.Length), link.Options{})
				rocev2.SetICRC(strange.Data, &p)
			}
			d.Frame(&strange)
		}
		d.Flush()
	})
}
