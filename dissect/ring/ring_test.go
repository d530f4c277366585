package ring

import (
	"slices"
	"testing"
)

// TestRing holds a Ring against a list of which the oldest are cut off.
func TestRing(t *testing.T) {
	for _, most := range []int{8, 16, 32, 64} {
		var r Ring[int]
		var want []int
		for i := range 3*most + 5 {
			*r.Add(most) = i
			want = append(want, i)
			want = want[max(0, len(want)-most):]
			var all, backward []int
			for x := range r.All() {
				all = append(all, *x)
			}
			for x := range r.Backward() {
				backward = append(backward, *x)
			}
			slices.Reverse(backward)
			if r.Len() != len(want) || !slices.Equal(all, want) || !slices.Equal(backward, want) {
				t.Fatalf("of %d, %d added: %d are %v, backward %v; want %v", most, i+1, r.Len(), all, backward, want)
			}
		}
	}
}

// TestStartOver has places used again before the Ring has grown to its bound, and grow
// again after that.
func TestStartOver(t *testing.T) {
	const most = 32
	var r Ring[int]
	var want []int
	grown := 0
	for i := range 5 * most {
		if r.Grows() && r.Len() < most {
			if grown++; grown > 2 && grown%2 == 1 {
				r.StartOver()
			}
		}
		before := r.Len()
		*r.Add(most) = i
		want = append(want, i)
		want = want[len(want)-r.Len():]
		if r.Len() < before || r.Len() > most || r.Forgot() != (i >= r.Len()) {
			t.Fatalf("%d added: %d are there, %d before; forgot %t", i+1, r.Len(), before, r.Forgot())
		}
		var all, backward []int
		for x := range r.All() {
			all = append(all, *x)
		}
		for x := range r.Backward() {
			backward = append(backward, *x)
		}
		slices.Reverse(backward)
		if !slices.Equal(all, want) || !slices.Equal(backward, want) {
			t.Fatalf("%d added: %v, backward %v; want %v", i+1, all, backward, want)
		}
	}
	if !r.Forgot() || r.Len() != most {
		t.Errorf("%d are there in the end", r.Len())
	}
}

// TestEmptyRing goes over nothing.
func TestEmptyRing(t *testing.T) {
	var r Ring[int]
	for range r.All() {
		t.Error("there is one")
	}
	for range r.Backward() {
		t.Error("there is one, backward")
	}
}

// TestPlacesStay holds that the place of an entry stays while the Ring grows, and that a
// Ring of few has room for few.
func TestPlacesStay(t *testing.T) {
	var r Ring[int]
	var places []*int
	for i := range 64 {
		p := r.Add(64)
		*p = i
		if places = append(places, p); i < few && r.room() != few {
			t.Errorf("room for %d with %d", r.room(), i+1)
		}
	}
	for i, p := range places {
		if r.At(i) != p || *p != i {
			t.Errorf("place %d has moved, or has %d", i, *p)
		}
	}
	if r.Add(64) != places[0] {
		t.Error("the Ring grew beyond its bound")
	}
}
