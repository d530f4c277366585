package live

import (
	"errors"
	"testing"
)

// TestDivide has what the rings take of the memory, and for how many workers there is room.
func TestDivide(t *testing.T) {
	const MiB = 1 << 20
	for _, c := range []struct {
		total, ring     int64 // MiB, as the others
		interfaces      int
		given           bool
		kept            int64
		workers         int
		want, following int64
		atWork          int
	}{
		{256, 64, 1, false, 0, 1, 64, 176, 1},
		{256, 64, 4, false, 0, 1, 32, 112, 1},
		{1024, 64, 4, false, 0, 1, 64, 752, 1},
		{256, 64, 0, false, 0, 1, 64, 240, 1},
		{256, 16, 2, true, 0, 1, 16, 208, 1},
		{256, 64, 1, false, 64, 1, 64, 112, 1},
		{112 + 64, 64, 1, true, 0, 2, 64, 64, 2},
		{112 + 64, 64, 1, true, 0, 16, 64, 64, 2},
		{80 + 64, 64, 1, true, 0, 4, 64, 64, 1},
		{192 + 64, 64, 1, true, 0, 4, 64, 80, 4},
		{192 + 64, 64, 1, true, 0, 64, 64, 80, 4},
	} {
		got, err := Memory{c.total * MiB, c.ring * MiB, c.given}.Divide(c.interfaces, c.kept*MiB, c.workers)
		if want := (Division{c.want * MiB, c.following * MiB, c.atWork}); err != nil || got != want {
			t.Errorf("%+v: %+v, %v, want %+v", c, got, err, want)
		}
	}
	for _, kept := range []int64{0, 64 << 20} {
		_, err := Memory{256 << 20, 64 << 20, true}.Divide(4, kept, 1)
		if little, is := errors.AsType[*TooLittleError](err); !is || *little != (TooLittleError{4, 64 << 20, 64 << 20, kept}) {
			t.Errorf("%v", err)
		}
	}
}
