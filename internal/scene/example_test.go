package scene_test

import (
	"fmt"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// A server grants no credits; a rule is expected to find that.
func ExamplePlay() {
	s, err := scene.Play(`
connect
call 1 NFS3 GETATTR object="fh"
reply 1
    credits 0
    want CREDIT-003a credits
disconnect
`, scene.RoCE)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := s.Wants[0]
	fmt.Printf("%d frames; line %d wants %s in frame %d, bytes %d to %d\n", len(s.Frames), w.Line, w.Rule,
		w.Places[0].Frame, w.Places[0].Offset, w.Places[0].Offset+w.Places[0].Length-1)
	// Output: 9 frames; line 6 wants CREDIT-003a in frame 6, bytes 62 to 65
}
