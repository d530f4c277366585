package markup

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// TestShelf holds that what weighs more stays whole, and of the same weight what came first; that the rest is there in
// short, and what has no room for that is counted.
func TestShelf(t *testing.T) {
	s := NewShelf(200)
	whole := func(weight, order int64) visible.HTML {
		return visible.HTML(fmt.Sprintf("%d-%02d-whole-whole-whole", weight, order))
	} // 22 bytes
	short := func(weight, order int64) visible.HTML { return visible.HTML(fmt.Sprintf("%d-%02d", weight, order)) } // 4
	for n := range int64(30) {
		weight := n % 3
		if s.Takes(weight) {
			s.Add(weight, n, whole(weight, n), short(weight, n))
		} else {
			s.AddShort(weight, n, short(weight, n))
		}
	}
	var want []visible.HTML
	for n := range int64(30) {
		if n == 2 || n == 5 || n == 8 || n == 11 {
			want = append(want, whole(n%3, n)) // 30 in short take 120 bytes, and four more of them 72 more
		} else {
			want = append(want, short(n%3, n))
		}
	}
	if got := s.HTML(); !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	if s.LeftOut != nil || s.Short() != 26 {
		t.Errorf("left out are %v, in short %d", s.LeftOut, s.Short())
	}
	s.Fit(80)
	want = nil
	for n := range int64(30) {
		if n%3 == 2 || n%3 == 1 {
			want = append(want, short(n%3, n))
		}
	}
	if got := s.HTML(); !slices.Equal(got, want) {
		t.Errorf("with less room, kept are %q, want %q", got, want)
	}
	if fmt.Sprint(s.LeftOut) != "map[0:10]" || s.Short() != 20 {
		t.Errorf("with less room, left out are %v, in short %d", s.LeftOut, s.Short())
	}
}
