package watch

import (
	"testing"
	"time"
)

// TestClock holds what time it is, in seconds: as frames come, as none does, where their clock
// is set, and when the input ends.
func TestClock(t *testing.T) {
	const s = int64(time.Second)
	var c clock
	wall := time.Unix(5e8, 0)
	now := func(what string, want int64) {
		t.Helper()
		if got := c.now(wall); got != want*s {
			t.Errorf("%s: it is %.3f s, want %d", what, float64(got)/1e9, want)
		}
	}
	now("before any frame", 0)
	c.frame(0)
	wall = wall.Add(time.Minute)
	now("a frame without a time", 0)
	c.frame(1000 * s)
	now("the first", 1000)
	c.frame(1100 * s) // a file that is read at once
	c.frame(1090 * s) // of another interface, after
	now("at the newest", 1100)
	wall = wall.Add(7 * time.Second)
	now("nothing comes", 1107)
	c.frame(1101 * s)
	now("it goes on", 1101)
	wall = wall.Add(-time.Hour)
	now("the wall's clock is set", 1101)
	c.frame(900 * s)
	now("the capture's clock is set", 900)
	if c.first != 900*s {
		t.Errorf("it began at %d", c.first)
	}
	c.stopped = true
	wall = wall.Add(3 * time.Hour)
	now("all was read", 900)
}
