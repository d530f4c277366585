package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
)

// A Place is a part of what was captured: some connections, and a length of time. Any number of
// goroutines may ask it.
type Place struct {
	// Start is when the captures begin, from which times without a date count.
	Start       *Start
	connections []int // none for all
	since       bound
	until       bound
}

// A bound is a time with which something begins or ends.
type bound struct {
	given bool
	// ns are nanoseconds since 1970, or if it is relative since the captures begin.
	ns       int64
	relative bool
}

// ParsePlace reads a place as the command line gives it: numbers of connections, and times that
// are seconds since the captures begin ("12.5"), of the second how much later it is than the first
// ("+3s"), or RFC 3339. An empty text is no bound. It is nil where nothing is given.
func ParsePlace(connections []int, since, until string, start *Start) (*Place, error) {
	if len(connections) == 0 && since == "" && until == "" {
		return nil, nil
	}
	p := &Place{Start: start, connections: connections}
	for _, n := range connections {
		if n < 1 {
			return nil, fmt.Errorf("--connection: there is no connection %d: the first one is 1", n)
		}
	}
	var err error
	if p.since, err = parseBound(since); err != nil {
		return nil, fmt.Errorf("--since: %w", err)
	}
	later, isLater := strings.CutPrefix(until, "+")
	if p.until, err = parseBound(later); err != nil {
		return nil, fmt.Errorf("--until: %w", err)
	}
	if isLater {
		switch {
		case !p.since.given:
			return nil, errors.New("--until: + counts from --since, which is not given")
		case !p.until.relative:
			return nil, fmt.Errorf("--until: %s is a time, and no length of time that + can add", later)
		}
		p.until.ns += p.since.ns
		p.until.relative = p.since.relative
	}
	if p.since.given && p.until.given && p.since.relative == p.until.relative && p.until.ns < p.since.ns {
		return nil, errors.New("--until is before --since")
	}
	return p, nil
}

// parseBound reads a time.
func parseBound(text string) (b bound, err error) {
	if text == "" {
		return b, nil
	}
	b.given = true
	if seconds, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64); err == nil && seconds >= 0 && seconds < 1e9 {
		b.ns, b.relative = int64(seconds*1e9+0.5), true
		return b, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		b.ns, b.relative = int64(d), true
		return b, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if at, err := time.Parse(layout, text); err == nil {
			b.ns = at.UnixNano()
			return b, nil
		}
	}
	if strings.HasPrefix(text, "-") {
		return b, fmt.Errorf("%q is before the first frame, from which times count", text)
	}
	return b, fmt.Errorf("%q is not a time: use seconds since the first frame (12.5), or a date and time (2026-01-31T15:04:05Z)", text)
}

// ByNumber reports whether it is of connections by their numbers, which are known only in the
// order of the capture.
func (p *Place) ByNumber() bool { return len(p.connections) > 0 }

// HasConnection reports whether a connection is part of it; nil, which is none, only if all are.
func (p *Place) HasConnection(c *dissect.Connection) bool {
	return len(p.connections) == 0 || c != nil && slices.Contains(p.connections, c.ID)
}

// HasTime reports whether something that lasted from one time to another, both in nanoseconds since
// 1970, was going on then. What has no time was only if any time is part of it.
func (p *Place) HasTime(first, last int64) bool {
	if !p.since.given && !p.until.given {
		return true
	}
	if first == 0 {
		return false
	}
	return (!p.since.given || p.compare(max(first, last), p.since) >= 0) && (!p.until.given || p.compare(first, p.until) <= 0)
}

// compare compares a time with a bound.
func (p *Place) compare(ns int64, b bound) int64 {
	if b.relative {
		ns, _ = p.Start.Since(ns)
	}
	return ns - b.ns
}
