package query

import (
	"testing"
)

// TestTsharkNamesAreOurs: each name of Wireshark's stands once, is of a field
// that some level has or has a hint, and what it is by itself is what the table says.
func TestTsharkNamesAreOurs(t *testing.T) {
	s := newSets(t)
	seen := make(map[string]bool)
	for _, n := range append(tsharkNames(), otherMeanings()...) {
		if seen[n.name] {
			t.Errorf("%s stands twice", n.name)
		}
		seen[n.name] = true
		levels := 0
		for l := range levels2() {
			i, ok := s.Set(l).Lookup(n.name)
			j, has := s.Set(l).Lookup(n.ours)
			if ok {
				levels++
			}
			if ok != has || i != j {
				t.Errorf("%s of %s: found %v, %s %v", n.name, words[l].rows, ok, n.ours, has)
			}
		}
		if levels == 0 && (n.ours != "" || n.hint == "") {
			t.Errorf("%s: no level has %q, and the hint is %q", n.name, n.ours, n.hint)
		}
	}
	t.Logf("%d names", len(seen))
}
func levels2() func(func(Level) bool) {
	return func(y func(Level) bool) { _ = y(RPCs) && y(Messages) && y(Frames) }
}
