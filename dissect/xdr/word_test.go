package xdr

import "testing"

// TestPadded holds Padded against what a cursor takes for an item.
func TestPadded(t *testing.T) {
	b := make([]byte, 64)
	for n := range len(b) - WordSize {
		c := NewCursor(b, "short")
		c.Fixed(n)
		if c.Bad() || uint64(c.Offset()) != Padded(uint64(n)) {
			t.Errorf("Padded(%d) = %d, and a cursor takes %d", n, Padded(uint64(n)), c.Offset())
		}
	}
}
