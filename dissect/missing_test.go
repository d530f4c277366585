package dissect_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// TestOneFrameMissing takes single frames out of a capture. What is complete is
// as it was, and little else is lost: over TCP the two directions wait for each
// other, so only the RPC that the frame is of; a queue pair's packets do not
// wait for the peer's, so a few that follow a lost call may miss their data.
func TestOneFrameMissing(t *testing.T) {
	for _, c := range []struct {
		name string
		most int // RPCs that one frame costs
	}{{"siw-basic", 1}, {"rxe-basic", 3}} {
		t.Run(c.name, func(t *testing.T) {
			list := load(t, c.name)
			whole := list.record(t)
			all := truthOf(t, whole)
			costly, step := 0, long.Pick(151, 23)
			for i := 90; i < len(list); i += step {
				got := slices.Delete(slices.Clone(list), i, i+1).record(t)
				n := len(whole.rpcs) - all.check(t, got)
				if n > c.most {
					t.Errorf("without frame %d %d RPCs are not complete", list[i].Number, n)
				}
				if n > 0 {
					costly++
				}
			}
			if costly == 0 {
				t.Error("no frame was of any RPC")
			}
		})
	}
}
