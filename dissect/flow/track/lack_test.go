package track_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// lacking is a conversation in which the second response to a Read is missing,
// and n other Reads follow.
func lacking(s *build.Conversation, n int) (r build.Read, missing int) {
	s.Connect()
	sendNumbered(s, 1, 3)
	r = s.ReadRequest(build.ToClient, handle, 0, 2500)
	missing = s.ReadResponse(r, memory(handle, 0, 2500)).First + 1
	for i := range n {
		transfer(s, uint64(1+i)<<16, 2500)
	}
	return r, missing
}

// A requester asks again after a time-out, while the responder goes on with what
// else it was asked for: no hole, but a gap so long.
func TestReadAskedForAgainLate(t *testing.T) {
	for _, wait := range []time.Duration{0, 20 * time.Millisecond, 3 * time.Second} {
		s := build.NewConversation(build.Setup{})
		r, missing := lacking(s, 50)
		s.Wait(wait)
		again := len(s.Frames)
		s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: r.PSN + 1, AckReq: true}, build.RETH{VA: 1024, RKey: handle, DMALen: 2500 - 1024})
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCReadResponseFirst, PSN: r.PSN + 1}, build.AETH{}, build.Payload(memory(handle, 1024, 1024)))
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCReadResponseLast, PSN: r.PSN + 2}, build.AETH{}, build.Payload(memory(handle, 2048, 2500-2048)))
		sendNumbered(s, 4, 100)
		d := newRecorder(t)
		run := driver{tracker: follow(d, track.Options{})}
		for i, f := range s.Frames.Drop(missing) {
			run.take(f.Data, f.Length, f.Time.UnixNano())
			if c := d.only(); c.Gap() != (i >= missing && i < again) {
				t.Errorf("%v: frame %d: a gap is there: %v", wait, i+1, c.Gap())
			}
		}
		run.tracker.Flush()
		d.placedRight()
		if c := d.only(); c.Holes != 0 || c.LostOnWire != 1 || len(d.data) != 51*3 {
			t.Errorf("%v: %d holes, %+v, %d responses", wait, c.Holes, c.Counters, len(d.data))
		}
	}
}

// One that the capture lacks is a hole in the end: after some time, or after
// some more frames.
func TestReadResponseMissing(t *testing.T) {
	for name, test := range map[string]struct {
		step  time.Duration
		reads int // after it
		holes int64
	}{
		"few frames, long":      {time.Second, 10, 0},
		"some frames, soon":     {0, 100, 0},
		"some frames, long":     {20 * time.Millisecond, 100, 1},
		"many frames, soon":     {0, 1100, 1},
		"hardly enough of them": {0, 1000, 0},
	} {
		s := build.NewConversation(build.Setup{Step: test.step})
		_, missing := lacking(s, test.reads)
		d := newRecorder(t)
		run := driver{tracker: follow(d, track.Options{})}
		for _, f := range s.Frames.Drop(missing) {
			run.take(f.Data, f.Length, f.Time.UnixNano())
		}
		c := d.only()
		if c.Holes != test.holes || c.Gap() != (test.holes == 0) {
			t.Errorf("%s: %d holes, a gap: %v", name, c.Holes, c.Gap())
		}
		run.tracker.Flush()
		if c.Holes != 1 || c.LastHole().Ref.Number < int64(missing) || c.LastHole().Ref.Number > int64(missing+10) {
			t.Errorf("%s: %d holes in the end, the last before frame %d", name, c.Holes, c.LastHole().Ref.Number)
		}
	}
}

// A request of which only the acknowledgement is there, its sender being silent,
// is a hole by the same.
func TestOnlyAcknowledged(t *testing.T) {
	for _, test := range []struct {
		step  time.Duration
		sends int  // of the other end, after it
		given bool // up
	}{
		{time.Second, 15, false},
		{0, 2000, false},
		{20 * time.Millisecond, 100, true},
		{0, 4200, true},
	} {
		roce := build.NewConversation(build.Setup{Step: test.step})
		roce.Connect()
		sendNumbered(roce, 1, 3)
		missing := roce.Send(build.ToServer, call(4)).First
		roce.Ack(build.ToClient)
		iwarp := build.NewIWARP(build.IWARPSetup{Step: test.step})
		iwarp.Connect()
		missingIWARP := iwarp.Send(build.ToServer, call(4)).First
		iwarp.Ack(build.ToClient)
		for i := range test.sends {
			roce.Send(build.ToClient, call(uint32(i)))
			iwarp.Send(build.ToClient, call(uint32(i)))
		}
		for name, f := range map[string]build.Frames{"RoCEv2": roce.Frames.Drop(missing), "iWARP": iwarp.Frames.Drop(missingIWARP)} {
			d := newRecorder(t)
			run := driver{tracker: follow(d, track.Options{})}
			for _, frame := range f {
				run.take(frame.Data, frame.Length, frame.Time.UnixNano())
			}
			c := d.only()
			if c.Holes > 0 != test.given || c.Gap() == test.given {
				t.Errorf("%s, %d Sends, one each %v: %d holes, a gap: %v", name, test.sends, test.step, c.Holes, c.Gap())
			}
			if run.tracker.Flush(); c.Holes == 0 || c.LostInCapture != 1 || len(d.texts(1)) != test.sends {
				t.Errorf("%s: %d holes in the end, %+v", name, c.Holes, c.Counters)
			}
		}
	}
}
