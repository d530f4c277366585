package track_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// TestLetGo lets go of everything in the middle of captures with lost frames: nothing is
// left of it, whatever waited, and what comes then is followed as if the capture began there.
func TestLetGo(t *testing.T) {
	roce := build.Merge(talk(build.Setup{}, 1000, 30), talk(build.Setup{Client: build.Host{QPN: 0x21}, Server: build.Host{QPN: 0x22, PSN: 5}}, 2000, 30))
	over := build.NewIWARP(build.IWARPSetup{})
	over.Connect()
	for i := range uint32(60) {
		over.Send(build.ToServer, call(1+i))
		over.Ack(build.ToClient)
		over.Send(build.ToClient, reply(1+i))
		over.Ack(build.ToServer)
	}
	everything := func(_, _ link.Addr) bool { return true }
	for name, all := range map[string]build.Frames{"RoCEv2": roce, "iWARP": over.Frames} {
		for seed := range uint64(20) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			sink := new(silent)
			r := driver{tracker: follow(sink, track.Options{Peek: peek})}
			at := 1 + rnd.IntN(len(all)-1)
			for i, f := range all {
				if i == at {
					open := r.tracker.Census().Conns
					r.tracker.LetGo(everything)
					c := r.tracker.Census()
					if c.Conns+c.Halves+c.Setups+c.Marks+c.Evicted+c.Waiting+c.Unpaired+c.Candidates+c.TCPMarks+c.TCP+c.Queued+c.Kept+c.Assembled != 0 {
						t.Fatalf("%s, seed %d, frame %d: %+v", name, seed, i, c)
					}
					if sink.closed != open {
						t.Fatalf("%s, seed %d: %d connections were closed, of %d", name, seed, sink.closed, open)
					}
				}
				if rnd.IntN(8) > 0 {
					r.take(f.Data, f.Length, f.Time.UnixNano())
				}
			}
			within(t, r.tracker)
			r.tracker.Flush()
			if c := r.tracker.Census(); c.Conns+c.Kept+c.Queued+c.Assembled != 0 {
				t.Fatalf("%s, seed %d, at the end: %+v", name, seed, c)
			}
		}
	}
}
