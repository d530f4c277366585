package markup

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// TestShelf holds that what weighs more stays, and of the same weight what came first.
func TestShelf(t *testing.T) {
	s := Shelf{Room: 100}
	piece := func(weight, order int64) visible.HTML { return visible.HTML(fmt.Sprintf("%05d-%04d", weight, order)) }
	for n := range int64(50) {
		weight := n % 3
		if s.Takes(weight) {
			s.Add(weight, n, piece(weight, n))
		}
	}
	var want []visible.HTML
	for n := range int64(10) {
		want = append(want, piece(2, 2+3*n))
	}
	if got := s.HTML(); !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	if fmt.Sprint(s.LeftOut) != "map[0:17 1:17 2:6]" {
		t.Errorf("left out are %v", s.LeftOut)
	}
	s = Shelf{Room: 1000}
	s.Add(1, 7, "b")
	s.Add(2, 9, "a")
	s.Add(1, 8, "c")
	if got := fmt.Sprint(s.HTML(), s.LeftOut); got != "[b c a] map[]" {
		t.Error(got)
	}
}
