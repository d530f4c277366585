package dissect_test

import (
	"fmt"
	"testing"
)

func TestCaptureBegunLate(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-thresh", "rxe-cb", "rxe-loss", "siw-basic", "siw-loss", "siw-cb"} {
		list := load(t, name)
		whole := list.record(t)
		all := truthOf(t, whole)
		for _, cut := range []int{80, 83, 85, 100, 117, 200, 201, 202, 203, 333, len(list) / 2} {
			t.Run(fmt.Sprintf("%s from frame %d", name, cut), func(t *testing.T) {
				got := list[cut:].record(t)
				complete := all.check(t, got)
				// All that lies after the cut must be there, except what began
				// before the two directions of its connection could be told.
				want := 0
				for _, r := range whole.rpcs {
					if r.complete && r.frames[0] > int64(cut) {
						want++
					}
				}
				if complete < want {
					t.Errorf("%d RPCs complete, %d lie behind the cut", complete, want)
				}
			})
		}
	}
}
