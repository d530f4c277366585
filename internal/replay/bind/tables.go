package bind

import (
	"bytes"
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// mostTied bounds what is remembered: a conversation is in memory as a whole, so this is
// only for captures made to be large here.
const mostTied = 1 << 19

// A token is an item that one side gave, within its scope: cookies are those of one
// directory, and so are their verifiers.
type token struct {
	kind  types.BindKind
	scope string
	value string
}

// tables are what of the capture is what of the live conversation.
type tables struct {
	live     map[token]string // captured → live
	captured map[token]string // live → captured
	lacking  map[token]bool   // captured ones that the live server did not give
	foreign  map[token]bool   // captured ones whose live ones are not this replay's own
	states   map[string]*state
	counters map[string]*counter // by what is counted
	full     bool                // more was given than is kept
}

// A state is what is known of a captured stateid's "other" bytes.
type state struct {
	live  string
	delta uint32 // of its seqid, as it was seen last
	// count is what the seqids of calls that name it count.
	count string
	// standsIn says that the live server gave a stateid in the same result, but not this
	// one: of an OPEN without the captured one's delegation.
	standsIn bool
}

func newTables() tables {
	return tables{
		live: make(map[token]string), captured: make(map[token]string), lacking: make(map[token]bool), foreign: make(map[token]bool),
		states: make(map[string]*state), counters: make(map[string]*counter),
	}
}

// tie notes that a live item stands where the captured one stood. What is given again by
// another live item is that from now on.
func (t *tables) tie(kind types.BindKind, scope string, captured, live []byte) {
	k := token{kind, scope, string(captured)}
	if _, known := t.live[k]; !known && len(t.live) >= mostTied {
		t.full = true
		return
	}
	t.live[k] = string(live)
	t.captured[token{kind, scope, string(live)}] = k.value
	delete(t.lacking, k)
	if kind == types.Stateids {
		s := t.state(captured)
		s.live = string(live[4:])
		s.delta = binary.BigEndian.Uint32(live) - binary.BigEndian.Uint32(captured)
		t.captured[token{kind: kind, value: s.live}] = string(captured[4:])
	}
}

// state is what is known of a captured stateid, made if nothing is.
func (t *tables) state(captured []byte) *state {
	s := t.states[string(captured[4:])]
	if s == nil {
		s = new(state)
		if len(t.states) < mostTied {
			t.states[string(captured[4:])] = s
		}
	}
	return s
}

// standsIn reports whether the anonymous stateid does for a captured one: the file is open,
// and only the delegation, with which the captured client read and wrote it, was not given
// (RFC 8881, section 8.2.3).
func (t *tables) standsIn(captured []byte) bool {
	s := t.states[string(captured[4:])]
	return s != nil && s.live == "" && s.standsIn
}

// lack notes that the live server did not give an item.
func (t *tables) lack(kind types.BindKind, scope string, captured []byte) {
	k := token{kind, scope, string(captured)}
	if _, known := t.live[k]; !known && len(t.lacking) < mostTied {
		t.lacking[k] = true
	}
}

// findLive is the live item for a captured one.
func (t *tables) findLive(kind types.BindKind, scope string, captured []byte) (live []byte, ok bool) {
	v, ok := t.live[token{kind, scope, string(captured)}]
	if !ok && scope != "" {
		v, ok = t.live[token{kind, "", string(captured)}]
	}
	if ok || kind != types.Stateids {
		return []byte(v), ok
	}
	// A seqid that no reply gave: it counts on from the one that was seen.
	s := t.states[string(captured[4:])]
	if s == nil || s.live == "" {
		return nil, false
	}
	n := binary.BigEndian.Uint32(captured)
	if n != 0 { // 0 stands for the current one (RFC 8881, section 8.2.2)
		n = max(n+s.delta, 1)
	}
	return append(binary.BigEndian.AppendUint32(nil, n), s.live...), true
}

// back is the captured item for a live one.
func (t *tables) back(kind types.BindKind, live []byte) (captured []byte, ok bool) {
	v, ok := t.captured[token{kind, "", string(live)}]
	if ok || kind != types.Stateids {
		return []byte(v), ok
	}
	other, ok := t.captured[token{kind: kind, value: string(live[4:])}]
	if !ok {
		return nil, false
	}
	n := binary.BigEndian.Uint32(live)
	if n != 0 {
		n = max(n-t.states[other].delta, 1)
	}
	return append(binary.BigEndian.AppendUint32(nil, n), other...), true
}

// special reports whether an item means something by itself, on any server: zero, and
// the stateids of RFC 8881, section 8.2.3.
func special(kind types.BindKind, v []byte) bool {
	if kind == types.Stateids {
		v = v[4:]
		return uniform(v, 0) || uniform(v, 0xff)
	}
	return uniform(v, 0)
}

func uniform(v []byte, c byte) bool {
	return len(v) == bytes.Count(v, []byte{c})
}
