package credit

import (
	"math"
	"testing"
)

const second = int64(1e9)

func TestWindowKeepsAFormerGrant(t *testing.T) {
	var w window
	const begin = 1000 * second
	for _, g := range []struct {
		at          int64 // after the begin
		granted     uint32
		least, most uint32
	}{
		{0, 32, 32, 32},
		{second / 2, 8, 8, 32},
		{second - 1, 8, 8, 32},   // of the first part
		{2*second - 2, 8, 8, 32}, // of the part before
		{3 * second, 8, 8, 8},
		{3*second + 1, 64, 8, 64},
		{9 * second, 64, 64, 64}, // nothing came for long
	} {
		w.addGrant(g.granted, begin+g.at, false)
		if least, most := w.least(begin+g.at), w.most(begin+g.at); least != g.least || most != g.most {
			t.Errorf("after %d ns: from %d to %d credits, want %d to %d", g.at, least, most, g.least, g.most)
		}
	}
	if most := w.most(begin + 100*second); most != 64 {
		t.Errorf("long after the last grant the most is %d", most)
	}
}

func TestWindowDoesNotKnowFormerGrants(t *testing.T) {
	var w window
	const begin = 1000 * second
	for _, x := range []struct {
		at          int64 // after the begin
		least, most uint32
	}{
		{0, 0, math.MaxUint32},
		{second - 1, 0, math.MaxUint32},
		{second, 0, math.MaxUint32},
		{2*second - 1, 0, math.MaxUint32},
		{2 * second, 32, 32},
	} {
		if w.addGrant(32, begin+x.at, true); w.least(begin+x.at) != x.least || w.most(begin+x.at) != x.most {
			t.Errorf("after %d ns: from %d to %d credits, want %d to %d", x.at, w.least(begin+x.at), w.most(begin+x.at), x.least, x.most)
		}
	}
}

func TestWindowWithoutTimes(t *testing.T) {
	var w window
	w.addGrant(32, 0, false)
	w.addGrant(8, 0, false)
	if least, most := w.least(0), w.most(0); least != 8 || most != 32 {
		t.Errorf("from %d to %d credits, want 8 to 32: no time went by", least, most)
	}
}

func TestSeries(t *testing.T) {
	type message struct {
		value uint32
		open  int
	}
	steady := func(n int) (list []message) {
		for i := range n {
			list = append(list, message{32, i % 5})
		}
		return list
	}
	left := func(n int) (list []message) {
		for i := range n {
			list = append(list, message{uint32(32 - i%5), i % 5})
		}
		return list
	}
	growing := func(n int) (list []message) {
		for i := range n {
			list = append(list, message{uint32(2 + i), 20 - i})
		}
		return list
	}
	falling := func(n int) (list []message) {
		for i := range n {
			list = append(list, message{uint32(32 - i), 1})
		}
		return list
	}
	for _, x := range []struct {
		name          string
		list          []message
		tracks, falls bool
	}{
		{"a limit", steady(40), false, false},
		{"what is left of it", left(8), true, false},
		{"seven messages with what is left", left(7), false, false},
		{"a limit that grows while calls end", growing(16), false, false},
		{"a value that falls", falling(8), false, true},
		{"seven that fall", falling(7), false, false},
	} {
		var s series
		var tracks, falls bool
		for _, m := range x.list {
			a, b := s.addValue(m.value, m.open)
			tracks, falls = tracks || a, falls || b
		}
		if tracks != x.tracks || falls != x.falls {
			t.Errorf("%s: tracks %v, falls %v", x.name, tracks, falls)
		}
	}
}
