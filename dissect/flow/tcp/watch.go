package tcp

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// Limits on the TCP connections that may turn out to be iWARP.
const (
	// MaxCandidates is how many are watched at once; the one unused for longest
	// goes first.
	MaxCandidates = 256
	// MaxOthers is how many are remembered as not iWARP.
	MaxOthers = 1 << 16
)

// watch begins to watch a connection, in the place of one that has ended.
func (t *Tracker) watch(k flow.TCPName, before *tcpConn) *tcpConn {
	if before != nil {
		if before.conn == nil && before.directions[0] != nil {
			t.flushCandidate(before) // what it held may be iWARP
		}
		if before.conn != nil {
			t.Replace(before.conn)
		}
		t.unwatch(before)
	}
	if len(t.candidates) >= MaxCandidates {
		t.notIWARP(t.unlikely())
	}
	delete(t.tcpMarks, k)
	tc := &tcpConn{env: t.tcpEnv, key: k, since: t.At.Ordinal, expected: t.isIWARPPort(k.Port[0]) || t.isIWARPPort(k.Port[1])}
	tc.directions = t.unused()
	for i, s := range tc.directions {
		*s = direction{env: t.tcpEnv, tc: tc, end: flow.End(i)}
	}
	tc.directions[0].peer, tc.directions[1].peer = tc.directions[1], tc.directions[0]
	t.tcp[k] = tc
	t.candidates = append(t.candidates, tc)
	return tc
}

// unused are two sides for use.
func (t *Tracker) unused() (sides [2]*direction) {
	if n := len(t.spare); n > 0 {
		sides, t.spare = t.spare[n-1], t.spare[:n-1]
		return sides
	}
	return [2]*direction{new(direction), new(direction)}
}

// unlikely is the candidate that was unused for longest, one on the ports of
// iWARP only if there is no other.
func (t *Tracker) unlikely() *tcpConn {
	return slices.MinFunc(t.candidates, func(a, b *tcpConn) int {
		switch {
		case a.expected == b.expected:
			return cmp.Compare(a.lastSeen, b.lastSeen)
		case a.expected:
			return 1
		}
		return -1
	})
}

func (t *tcpEnv) isIWARPPort(port uint16) bool { return iwarp.IsPort(port, t.port) }

// decided takes a connection out of the list of candidates.
func (t *tcpEnv) decided(tc *tcpConn) {
	if i := slices.Index(t.candidates, tc); i >= 0 {
		t.candidates = slices.Delete(t.candidates, i, i+1)
	}
}

// unwatch forgets a connection.
func (t *Tracker) unwatch(tc *tcpConn) {
	t.decided(tc)
	t.drop(tc)
	if t.tcp[tc.key] == tc {
		delete(t.tcp, tc.key)
	}
	if t.lastTCP == tc {
		t.lastTCP = nil
	}
}

// drop gives back what the two directions keep, and has them used again.
func (t *Tracker) drop(tc *tcpConn) {
	if tc.directions[0] == nil {
		return
	}
	for _, s := range tc.directions {
		s.drop()
	}
	const few = 8
	if len(t.spare) < few {
		t.spare = append(t.spare, tc.directions)
	}
	tc.directions = [2]*direction{}
}

// notIWARP remembers only that a connection carries something else.
func (t *Tracker) notIWARP(tc *tcpConn) {
	t.unwatch(tc)
	t.tcp[tc.key] = t.other
	if t.others++; t.others >= MaxOthers {
		t.others = 0
		for k, old := range t.tcp {
			if old == t.other {
				delete(t.tcp, k)
			}
		}
		t.lastTCP = nil
	}
}

// hopeless reports whether enough of a candidate was looked at.
func (tc *tcpConn) hopeless() bool {
	no := 0
	for _, s := range tc.directions {
		if s == nil {
			return false // decided already
		}
		if s.failed() {
			no++
		} else if s.stream.Begun() && (s.phase != opening || len(s.head) > 0) {
			return false
		}
	}
	return no > 0
}

// relieve lets go of what waits if that is too much in all: first of what
// candidates keep, then of what this connection does.
func (t *Tracker) relieve(tc *tcpConn) {
	for t.Kept > t.Limits.Kept && len(t.candidates) > 0 {
		t.notIWARP(t.unlikely())
	}
	for _, s := range tc.directions {
		if s != nil && t.Kept > t.Limits.Kept {
			s.relieve()
		}
	}
}
