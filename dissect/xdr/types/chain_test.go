package types_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/cputime"
)

// TestChains holds that four times as many names for names take about four times as long, whether
// a name is declared before or after it is used.
func TestChains(t *testing.T) {
	for name, backwards := range map[string]bool{"forwards": false, "backwards": true} {
		var took [2]time.Duration
		for i, n := range []int{5_000, 20_000} {
			lines := []string{"typedef int A0;\n"}
			for j := 1; j < n; j++ {
				lines = append(lines, fmt.Sprintf("typedef A%d A%d;\n", j-1, j))
			}
			if backwards {
				for a, b := 0, len(lines)-1; a < b; a, b = a+1, b-1 {
					lines[a], lines[b] = lines[b], lines[a]
				}
			}
			text := strings.Join(lines, "")
			before := cputime.Used(t)
			if _, err := types.Parse("f", text); err != nil {
				t.Fatal(err)
			}
			took[i] = cputime.Used(t) - before
		}
		// With the square it would be 16 times.
		if took[1] > 10*took[0]+100*time.Millisecond {
			t.Errorf("%s: %v for a fourth, %v for all", name, took[0], took[1])
		}
	}
}
