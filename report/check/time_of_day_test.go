package check_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// TestHangingHasTheTime holds that the line on a call that hangs has the time that goes by without frames, that on the
// connection that goes on the time of the frame which shows it,
// and the closing line that of the last frame, whoever writes the lines.
func TestHangingHasTheTime(t *testing.T) {
	const (
		call   = 783 // the last frame before the server is silent
		waited = int64(1200 * time.Millisecond)
	)
	shows := listing.Options{TimeOfDay: true, Quiet: true, Names: []string{"x"}, Files: 1}
	var first string
	for _, workers := range []int{0, 1, 3} {
		var now string
		got := fed{sample: "faults/stall4s", upTo: call, shows: shows}.live(t, workers, func(times chan<- dissect.Idle, reached int64, written <-chan string) {
			now = string(words.AppendTimeOfDay(nil, reached+waited))
			for { // while frames are underway, time is theirs
				select {
				case times <- dissect.Idle{Newest: reached, Now: reached + waited}:
				case text := <-written:
					if strings.Contains(text, "has been no progress") {
						return
					}
				}
			}
		})
		for _, want := range []string{
			now + " x:783: warning: SYM-001: there has been no progress for 1.20 s, and NFS3 CREATE 0x9b745768 is open",
			"\n15:10:27.998 x:784: warning: SYM-001: the connection continues",
			"\n15:10:20.050 ── 2026-11-22, times are UTC\n15:10:20.050 ── #1 RoCEv2",
			"\n15:10:32.736 ── #1 disconnected;",
		} {
			if strings.Count("\n"+got, want) != 1 {
				t.Errorf("%d workers: %q is not there once:\n%s", workers, want, got)
			}
		}
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d workers say something else", workers)
		}
	}
}
