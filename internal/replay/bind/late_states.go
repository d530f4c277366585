package bind

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A lateState is a stateid that calls use with an object and no reply of the capture gave. That of an
// open is put in its place, whatever the captured one was: reading and writing goes on with it, and
// only what returns a delegation or a lock fails.
type lateState struct {
	other []byte
	// seqid is the lowest that the capture has, 0 if it has none: it counts on from there.
	seqid  uint32
	handle string
	access uint32
	like   []byte // the first call that uses it
	// session is that of the call, nil if a reply of the capture gave it.
	session *lateSession
	closed  bool // the capture closes it
}

// What calls need of an open (RFC 8881, section 18.16).
const (
	accessRead  = 1
	accessWrite = 2
	wantNoDeleg = 0x400
	claimFH     = 4
)

// access is what an operation needs of the open whose stateid it names; not ok if the stateid is not
// of an open: a delegation, a layout, the owner of locks.
func (c *Call) access(op int32) (access uint32, ok bool) {
	switch c.contents.opcode(op) {
	case numbers.OpClose:
		return 0, true
	case numbers.OpRead, numbers.OpReadPlus, numbers.OpSeek:
		return accessRead, true
	case numbers.OpWrite, numbers.OpSetattr, numbers.OpAllocate, numbers.OpDeallocate:
		return accessWrite, true
	case numbers.OpOpenDowngrade:
		return accessRead | accessWrite, true
	case numbers.OpLock:
		x := xdr.NewCursor(c.contents.bytes[c.contents.starts[op-1]+4:], "cut short")
		x.Skip(2*4 + 2*8)                                     // type, reclaim, offset, length
		return accessRead | accessWrite, x.Bool() && !x.Bad() // a new owner of locks names the open
	}
	return 0, false
}

// unboundStates notes the stateids of a call that no reply has given so far.
func (l *Late) unboundStates(c *Call) {
	for i := range c.contents.items {
		it := &c.contents.items[i]
		if it.kind != types.Stateids || it.inChunk || it.holds {
			continue
		}
		v := c.contents.value(it)
		if s := l.states[string(v[4:])]; s != nil {
			s.seqid = lower(s.seqid, binary.BigEndian.Uint32(v))
		}
		access, ok := c.access(it.op)
		if _, known := l.binder.tables.findLive(it.kind, "", v); !ok || known || special(it.kind, v) || c.scopes[it.op] == "" {
			continue
		}
		s := l.states[string(v[4:])]
		if s == nil {
			if len(l.opened) >= mostTied {
				return
			}
			s = &lateState{other: bytes.Clone(v[4:]), seqid: binary.BigEndian.Uint32(v), handle: c.scopes[it.op], like: c.captured.Bytes, session: l.session(c)}
			l.states[string(v[4:])] = s
			l.opened = append(l.opened, s)
			l.need(s.handle, s.like, s.session)
		}
		s.access |= access
		s.closed = s.closed || c.contents.opcode(it.op) == numbers.OpClose
	}
}

// lower is the lower of two seqids, of which 0 is none.
func lower(a, b uint32) uint32 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// open opens the files whose stateids are used, and closes them in the end where the capture does not.
// It makes no file, and changes none.
//
//	| SEQUENCE | PUTFH | OPEN seqid 0, access, deny none, owner, no creation, CLAIM_FH |
//	  result               | stateid | no change | no flags | no attributes | no delegation |
func (l *Late) open(b *Beginning, owner string) error {
	var closing []Own
	for i, s := range l.opened {
		if h := l.handles[s.handle]; h == nil || !h.found {
			continue
		}
		session := l.any(s.session)
		c, err := session.compound(s.like)
		if err != nil {
			return err
		}
		access := max(s.access, accessRead)
		stateid := append(words(nil, max(s.seqid, 1)), s.other...)
		handle := opaque(nil, []byte(s.handle))
		args := append(words(nil, 0, access|wantNoDeleg, 0), session.client...)
		args = opaque(args, fmt.Appendf(nil, "%s %d", owner, i)) // opens of one owner would become one
		c.op(numbers.OpPutfh, handle, nil)
		c.op(numbers.OpOpen, words(args, 0, claimFH), append(bytes.Clone(stateid), make([]byte, 20+3*4)...))
		mode := [...]string{1: "reading", 2: "writing", 3: "reading and writing"}[access]
		b.Before = append(b.Before, c.own(Own{What: fmt.Sprintf("OPEN of the handle %s for %s", shortHandle(s.handle), mode)}))
		if s.closed {
			continue
		}
		if c, err = session.compound(s.like); err != nil {
			return err
		}
		c.op(numbers.OpPutfh, handle, nil)
		c.op(numbers.OpClose, append(words(nil, 0), stateid...), stateid)
		closing = append(closing, c.own(Own{What: fmt.Sprintf("CLOSE of the handle %s", shortHandle(s.handle))}))
	}
	b.After = append(closing, b.After...)
	return nil
}
