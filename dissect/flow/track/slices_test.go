package track_test

import (
	"errors"
	"io"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
)

// Slices of captures with losses, as a ring of files has them, claim no more of what the capture shows than all of it.
func TestSlicesOfLosses(t *testing.T) {
	for _, name := range []string{"rxe-loss", "siw-loss", "faults/loss3-both", "faults/reorder", "faults/mtu-blackhole"} {
		list := sampleFrames(t, "../../../samples/"+name+".pcap.zst")
		whole := countSlice(t, list)
		for from := 0; from < len(list); from += 150 {
			c := countSlice(t, list[from:min(from+300, len(list))])
			if c.LostOnWire > whole.LostOnWire || c.LostInCapture > whole.LostInCapture || c.Reordered > whole.Reordered || c.Duplicates > whole.Duplicates {
				t.Errorf("%s, from frame %d: %+v; entire capture: %+v", name, from+1, c, whole)
			}
		}
		if whole.Retransmissions == 0 {
			t.Errorf("%s: nothing was sent again", name)
		}
	}
}

// sampleFrames are all frames of a capture.
func sampleFrames(t *testing.T, path string) (list []capture.Frame) {
	f, err := capture.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		var frame capture.Frame
		if err := f.Next(&frame); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		frame.Data = append([]byte(nil), frame.Data...)
		list = append(list, frame)
	}
}

// countSlice follows frames as a capture of their own, and counts those of all connections.
func countSlice(t *testing.T, list []capture.Frame) (sum flow.Counters) {
	d := newRecorder(t)
	run := driver{tracker: follow(d, track.Options{})}
	for i := range list {
		run.take(list[i].Data, int(list[i].Length), list[i].Time)
	}
	run.tracker.Flush()
	for _, c := range d.conns {
		sum.LostOnWire += c.LostOnWire
		sum.LostInCapture += c.LostInCapture
		sum.Reordered += c.Reordered
		sum.Duplicates += c.Duplicates
		sum.Retransmissions += c.Retransmissions
	}
	return sum
}
