package finding

import (
	"fmt"
	"testing"
)

// A limit is named as one, in the unit of its value.
func TestBound(t *testing.T) {
	for want, b := range map[string]Bound{
		"at most 4096":   AtMost(4096),
		"at least 36":    AtLeast(uint32(36)),
		"at most 1.00 s": AtMost(Nanoseconds(1e9)),
	} {
		if got := fmt.Sprint(b); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
