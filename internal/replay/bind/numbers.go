package bind

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A counter is what is known of something whose calls are counted: a slot of a session, the
// sessions of a client, an open-owner. Calls of the capture may be left out of a replay, so
// the next number is the one behind the last that the live server has taken, whatever the
// captured one is.
//
//	captured  109  110  111 (left out)  112
//	live        1    2                    3
type counter struct {
	captured, live uint32
	// used says that the live server has taken the number: it answered, and the operation
	// was not one that leaves it as it is. Before an answer that is taken for granted.
	used bool
	// again says that the captured server has not taken it, so that the next call with
	// the same number is no retransmission.
	again bool
}

// A number is a sequence number that a call has used.
type number struct {
	op   int32
	kind types.BindKind
	// count is what it counts.
	count string
}

// number is what a sequence number of the call becomes.
func (c *Call) number(it *item) replacement {
	if it.kind == types.Seqids && c.contents.session {
		// What a session's slots count needs no other number: RFC 8881, section
		// 2.10.6; owners' are zero there.
		return replacement{}
	}
	t := &c.binder.tables
	count := t.count(it)
	if count == "" {
		return replacement{}
	}
	c.numbers = append(c.numbers, number{it.op, it.kind, count})
	captured := binary.BigEndian.Uint32(c.contents.value(it))
	n := t.counters[count]
	switch {
	case n == nil:
		n = &counter{live: captured}
		if it.kind == types.Sequences && c.known(it.op) {
			n.live = 1 // RFC 8881, section 2.10.6.1
		}
		if len(t.counters) >= mostTied {
			t.full = true
			return replacement{reason: reasonFull}
		}
		t.counters[count] = n
	case captured == n.captured && !n.again && !c.again:
		// A retransmission.
	case n.used:
		n.live++
	}
	n.captured, n.used, n.again = captured, true, false
	return replacement{bytes: binary.BigEndian.AppendUint32(nil, n.live)}
}

// known reports whether an operation names a session or client that the live server gave.
func (c *Call) known(op int32) bool {
	for _, it := range c.contents.itemsOf(op) {
		if it.kind == types.Sessions || it.kind == types.Clients {
			if _, ok := c.binder.tables.findLive(it.kind, "", c.contents.value(&it)); ok {
				return true
			}
		}
	}
	return false
}

// count is what a sequence number counts; what a stateid belongs to, if it was seen.
func (t *tables) count(it *item) string {
	if it.count == "" {
		return ""
	}
	if it.byState {
		if s := t.states[it.count]; s != nil && s.count != "" {
			return s.count
		}
		return it.kind.String() + " stateid " + it.count
	}
	return it.kind.String() + " " + it.count
}

// counted notes what became of the numbers of a call: was and is are the captured and the live
// reply, nil where there is none that has a result.
func (c *Call) counted(was, is *contents, haveCaptured bool) {
	for _, n := range c.numbers {
		if at := c.binder.tables.counters[n.count]; at != nil {
			at.used = is.advanced(n)
			at.again = haveCaptured && !was.advanced(n)
		}
	}
}

// advanced reports whether the operation of a number was carried out, so that the next one
// is expected: RFC 8881, sections 2.10.6.1 and 18.36; RFC 7530, section 9.1.7.
func (c *contents) advanced(n number) bool {
	if c == nil {
		return false
	}
	s := c.status(n.op)
	if s == nil || s.ok || n.kind == types.Sequences || s.names == nil {
		return s != nil && s.ok
	}
	m := s.names.Member(s.value)
	return m == nil || !m.Unsequenced
}

// expect notes which number the live server expects next, where the captured one expected
// another: in the result of EXCHANGE_ID (RFC 8881, section 18.35).
func (t *tables) expect(count string, captured, live uint32) {
	if len(t.counters) < mostTied {
		t.counters[count] = &counter{captured: captured - 1, live: live - 1, used: true}
	}
}
