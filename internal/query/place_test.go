package query

import (
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// TestPlace holds what is part of a place.
func TestPlace(t *testing.T) {
	begun := time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC).UnixNano()
	const second = int64(time.Second)
	for _, c := range []struct {
		since, until string
		first, last  float64 // in seconds since the captures began
		want         bool
	}{
		{"", "", 1, 2, true},
		{"12.5", "", 12.5, 12.5, true},
		{"12.5", "", 12, 12.499, false},
		{"12.5", "", 12, 13, true}, // it was going on
		{"12.5s", "", 12, 12, false},
		{"1m", "", 59, 59, false},
		{"1m", "", 59, 61, true},
		{"", "3", 3, 4, true},
		{"", "3", 3.1, 4, false},
		{"10", "+3s", 13, 13, true},
		{"10", "+3s", 13.1, 20, false},
		{"10", "+3", 9, 9.9, false},
		{"2026-01-31T15:04:15Z", "+3s", 12, 12, true},
		{"2026-01-31T15:04:15Z", "+3s", 14, 14, false},
		{"2026-01-31T16:04:15+01:00", "", 9, 9, false},
		{"2026-01-31 15:04:15", "", 10, 10, true},
		{"10", "2026-01-31T15:04:16Z", 10.5, 10.5, true},
		{"10", "2026-01-31T15:04:16Z", 11.5, 11.5, false},
	} {
		start := new(Start)
		p, err := ParsePlace(nil, c.since, c.until, start)
		if err != nil {
			t.Errorf("%s to %s: %v", c.since, c.until, err)
			continue
		}
		start.Set(begun)
		start.Set(begun + 7) // only the first counts
		if p == nil {
			p = &Place{}
		}
		if got := p.HasTime(begun+int64(c.first*float64(second)), begun+int64(c.last*float64(second))); got != c.want {
			t.Errorf("%s to %s has %v to %v: %v, want %v", c.since, c.until, c.first, c.last, got, c.want)
		}
		if timed := c.since+c.until != ""; p.HasTime(0, 0) == timed {
			t.Errorf("%s to %s: what has no time is part of it: %v", c.since, c.until, timed)
		}
	}
	p, err := ParsePlace([]int{2, 5}, "", "", new(Start))
	if err != nil {
		t.Fatal(err)
	}
	numbered := func(id int) *dissect.Connection { return &dissect.Connection{Conn: &flow.Conn{ID: id}} }
	two, three := numbered(2), numbered(3)
	if !p.ByNumber() || !p.HasConnection(two) || p.HasConnection(three) || p.HasConnection(nil) || !p.HasTime(0, 0) {
		t.Error("other connections than 2 and 5")
	}
}

// TestPlaceWrong holds what is reported of a place that cannot be.
func TestPlaceWrong(t *testing.T) {
	for _, c := range []struct {
		connections  []int
		since, until string
		want         string
	}{
		{nil, "noon", "", `--since: "noon" is not a time`},
		{nil, "", "-3", `--until: "-3" is before the first frame`},
		{nil, "", "+3s", "--until: + counts from --since"},
		{nil, "3", "+2026-01-31T15:04:05Z", "no length of time"},
		{nil, "3", "2", "--until is before --since"},
		{nil, "NaN", "", "is not a time"},
		{nil, "1e300", "", "is not a time"},
		{[]int{1, 0}, "", "", "--connection: there is no connection 0"},
	} {
		if _, err := ParsePlace(c.connections, c.since, c.until, new(Start)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %q %q: %v, want %q", c.connections, c.since, c.until, err, c.want)
		}
	}
}
