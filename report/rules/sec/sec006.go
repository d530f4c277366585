package sec

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sec006() rules.Check {
	return rules.Check{
		On: []rules.Event{rules.OnFrame(rules.Moving, frame006)},
	}
}

// moves are the changes of an end between two stations.
type moves struct {
	changes int
	away    bool // the newest frame that counts is not from the first station
	other   rules.Station
	ref     flow.Ref // of the first that was not
}

// mostMoves is how many changes make an alternation.
const mostMoves = 3

// frame006 counts the changes of the station of an end.
func frame006(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	from, s := v.Verdict.From&1, rules.StationOf(v)
	first := c.LastSeen(from).Station
	k := state.IfAny(c)
	away, was := s != first, k != nil && k.stations != nil && k.stations[from].away
	if away == was || virtual(s) || virtual(first) || s == (rules.Station{}) || first == (rules.Station{}) || !unrouted(v) {
		return
	}
	x := &rules.Some(&state.Of(c).stations)[from]
	if x.away = away; away {
		if x.changes > 0 && x.other != s {
			return // a third one
		}
		if x.changes == 0 {
			x.other, x.ref = s, rules.Ref(v)
		}
	}
	if x.changes++; x.changes < mostMoves {
		return
	}
	if f := report.Frame("", v, ""); f != nil {
		f.Messagef("frames of the %s, %s, come alternately from %s and %s", c.Sender(from), v.Link.Src(), name(first), name(x.other))
		f.See("source address", name(s), nil).See("changes", x.changes, fmt.Sprintf("fewer than %d", mostMoves)).With(x.ref)
		f.At(flow.Place{Ref: rules.Ref(v), Offset: sourceOf(v), Length: len(s)})
	}
}

// name is a station, for a person.
func name(s rules.Station) string {
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", s[0], s[1], s[2], s[3], s[4], s[5])
}

// sourceOf is where a frame without a VLAN tag has its source address.
func sourceOf(v *dissect.FrameView) int {
	const before = 8 // the IP header
	return max(0, v.Link.Network()-before)
}

// virtual reports whether a station is one that routers share (RFC 9568, section 7.3; RFC 2281,
// section 5.4).
func virtual(s rules.Station) bool {
	switch [4]byte(s[:4]) {
	case [4]byte{0, 0, 0x5e, 0}, [4]byte{0, 0, 0x0c, 0x07}, [4]byte{0, 0, 0x0c, 0x9f}:
		return true
	}
	return false
}

// unrouted reports whether no router has had a frame: its time to live is one with which
// hosts begin.
func unrouted(v *dissect.FrameView) bool {
	at, data := v.Link.Network(), v.Frame.Data
	hops := at + 8 // of IPv4
	if at >= len(data) {
		return false
	}
	if data[at]>>4 == 6 {
		hops = at + 7
	}
	if hops >= len(data) {
		return false
	}
	switch data[hops] {
	case 64, 128, 255:
		return true
	}
	return false
}
