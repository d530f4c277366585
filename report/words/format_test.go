package words

import (
	"math"
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{
		{0, "0.000000"}, {52_946_584_000, "52.946584"}, {999, "0.000000"}, {-1_500_000, "-0.001500"}, {1_000_000_000, "1.000000"},
	} {
		if got := string(AppendSeconds(nil, c.ns)); got != c.want {
			t.Errorf("%d ns is written %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0 bytes"}, {1, "1 byte"}, {9999, "9999 bytes"}, {89_900, "89.9 kB"}, {3_000_000, "3.0 MB"}, {107_374_182_400, "107.37 GB"},
	} {
		if got := string(AppendBytes(nil, c.n)); got != c.want {
			t.Errorf("%d is written %q, want %q", c.n, got, c.want)
		}
	}
}

// TestClock holds the clock against the time package, in an order that makes
// it change its second up and down.
func TestClock(t *testing.T) {
	var c Clock
	for _, ns := range []int64{
		0, 1, -1, 999_999_999, 1_000_000_000, -1_000_000_000, -1_000_000_001,
		1_795_226_661_785_047_000, 1_795_226_661_785_047_001, 1_795_226_662_000_000_000, 1_795_226_661_999_999_999,
		math.MaxInt64, math.MinInt64,
	} {
		want := time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z")
		if got := string(c.Append(nil, ns)); got != want {
			t.Errorf("%d is written %s, want %s", ns, got, want)
		}
	}
}
