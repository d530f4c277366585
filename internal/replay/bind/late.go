package bind

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A Late finds what the calls of NFS versions 4.1 and 4.2 use that was given before the capture
// began, and makes the beginning that the capture lacks. Calls and replies are to be given in the
// order of the capture. It is for one goroutine.
//
//	the capture lacks       EXCHANGE_ID  CREATE_SESSION  LOOKUP, GETFH ...
//	Begin makes them, each with the reply that the captured server would have given
//	a Binder ties            client ID    session         handles          as of any other call
//	the capture has                                                        SEQUENCE, PUTFH ...
type Late struct {
	binder   *Binder
	sessions map[string]*lateSession
	order    []*lateSession
	names    *names
	handles  map[string]*lateHandle
	used     []*lateHandle         // in the order of their first use
	states   map[string]*lateState // by the "other" bytes
	opened   []*lateState
	// client is a client ID that a call outside of sessions names.
	client []byte
	// reverse is what CalledBack says.
	reverse bool
}

// A lateSession is a session that no reply of the capture gave.
type lateSession struct {
	id     []byte
	minor  uint32
	like   []byte // a call of it, whose credential is used
	client []byte // nil if no call names it
	// slots is how many are used, operations how many a call has at most, and request how long
	// the longest is, in bytes, with its Read chunks; reply that of replies, with Write chunks.
	slots, operations uint32
	request, reply    int
	// own is the sequence number of slot 0 that the next call made here has. It is far from
	// those of the capture, so that none of them seems to be a retransmission.
	own uint32
	// backchannel says that the captured server had a way to call the client.
	backchannel bool
	// destroyed and unclaimed say that the capture has DESTROY_SESSION and DESTROY_CLIENTID.
	destroyed, unclaimed bool
}

// NewLate returns a Late, as New does.
func NewLate(specs ...*types.Spec) (*Late, error) {
	b, err := New(Options{}, specs...)
	if err != nil {
		return nil, err
	}
	l := &Late{binder: b, sessions: make(map[string]*lateSession), handles: make(map[string]*lateHandle), states: make(map[string]*lateState)}
	for _, s := range specs {
		if s.Procedure(rpc.ProgramNFS, version4, numbers.ProcCompound) != nil {
			l.names, err = newNames(s)
			return l, err
		}
	}
	return l, nil
}

// Call looks at a call. Its result is for Reply. The error is that of Binder.Call.
func (l *Late) Call(captured Message) (*Call, error) {
	c, err := l.binder.Call(captured)
	if err != nil {
		return nil, err
	}
	if captured.Program == rpc.ProgramNFS && captured.Version == version4 {
		l.inSession(c)
		l.outside(c)
		l.unboundHandles(c)
		l.unboundStates(c)
	}
	return c, nil
}

// CalledBack says that the captured server calls its client, so that the session is to have a
// backchannel.
func (l *Late) CalledBack() { l.reverse = true }

// Reply looks at what the reply to a call gives.
func (l *Late) Reply(c *Call, captured Message) {
	c.Reply(&captured, captured)
	if c.contents.plan == nil || captured.Program != rpc.ProgramNFS || captured.Version != version4 {
		return
	}
	reply := l.binder.reader.reply(c.contents.plan, &captured)
	if s := l.session(c); s != nil {
		s.reply = max(s.reply, len(captured.Bytes)+sum(captured.Writes))
		s.backchannel = s.backchannel || reply.calledBack()
	}
	if l.names != nil {
		l.names.learn(c, reply)
	}
}

// calledBack reports whether a reply says of its session that the server has a way to call the client:
// without SEQ4_STATUS_CB_PATH_DOWN (RFC 8881, section 18.46).
func (c *contents) calledBack() bool {
	if c == nil || c.opcode(1) != numbers.OpSequence {
		return false
	}
	x := xdr.NewCursor(c.bytes[c.starts[0]+4:], "cut short")
	if x.Uint32() != numbers.StatusOk {
		return false
	}
	x.Skip(16 + 4*4) // session, sequence number, slots
	const pathDown = 1
	return x.Uint32()&pathDown == 0 && !x.Bad()
}

func sum(list []uint32) (n int) {
	for _, v := range list {
		n += int(v)
	}
	return n
}

// A sequenced is what SEQUENCE says (RFC 8881, section 18.46).
type sequenced struct {
	session        []byte
	sequence, slot uint32
}

// sequenced is what the call's SEQUENCE says; not ok if it has none.
func (c *Call) sequenced() (s sequenced, ok bool) {
	if len(c.contents.opcodes) == 0 || c.contents.opcodes[0] != numbers.OpSequence || c.captured.Version != version4 {
		return s, false
	}
	x := xdr.NewCursor(c.contents.bytes[c.contents.starts[0]+4:], "cut short")
	s.session, s.sequence, s.slot = x.Fixed(16), x.Uint32(), x.Uint32()
	return s, !x.Bad()
}

// Slot is the session that the captured call names, and the slot; not ok if it is not of NFS
// version 4.1 or 4.2.
func (c *Call) Slot() (session []byte, slot uint32, ok bool) {
	s, ok := c.sequenced()
	return s.session, s.slot, ok
}

// session is that of the call, if no reply of the capture gave it.
func (l *Late) session(c *Call) *lateSession {
	if s, ok := c.sequenced(); ok {
		return l.sessions[string(s.session)]
	}
	return nil
}

// mostLate is how many sessions are made at most. A client has one with each server.
const mostLate = 16

// inSession notes what a call of a session reports it, if no reply gave that.
func (l *Late) inSession(c *Call) {
	says, ok := c.sequenced()
	if !ok {
		return
	}
	s := l.sessions[string(says.session)]
	if s == nil {
		_, known := l.binder.tables.findLive(types.Sessions, "", says.session)
		if known || special(types.Sessions, says.session) || len(l.order) == mostLate {
			return
		}
		s = &lateSession{id: bytes.Clone(says.session), minor: c.minor(), like: c.captured.Bytes, own: says.sequence + 1<<31}
		l.sessions[string(s.id)] = s
		l.order = append(l.order, s)
	}
	s.slots = max(s.slots, min(says.slot, mostSlots-1)+1)
	s.operations = max(s.operations, uint32(len(c.contents.opcodes)))
	n := len(c.captured.Bytes)
	for _, chunk := range c.captured.Reads {
		n += int(chunk.Length)
	}
	s.request = max(s.request, n)
	if s.client == nil {
		s.client = c.unboundClient(l.binder)
	}
}

// mostSlots bounds how many slots are asked for.
const mostSlots = 4096

// outside notes what calls outside of sessions take away, and whom they name.
func (l *Late) outside(c *Call) {
	for i, op := range c.contents.opcodes {
		x := xdr.NewCursor(c.contents.bytes[c.contents.starts[i]+4:], "cut short")
		switch op {
		case numbers.OpDestroySession:
			if s := l.sessions[string(x.Fixed(16))]; s != nil {
				s.destroyed = true
			}
		case numbers.OpDestroyClientid:
			id := x.Fixed(8)
			if x.Bad() {
				continue
			}
			if _, known := l.binder.tables.findLive(types.Clients, "", id); !known && l.client == nil {
				l.client = bytes.Clone(id)
			}
			for _, s := range l.order {
				s.unclaimed = s.unclaimed || bytes.Equal(id, s.client) || s.client == nil && len(l.order) == 1
			}
		}
	}
}

// unboundClient is the first client ID in the call that no reply gave, nil if there is none.
func (c *Call) unboundClient(b *Binder) []byte {
	for i := range c.contents.items {
		if it := &c.contents.items[i]; it.kind == types.Clients && !it.inChunk && !special(it.kind, c.contents.value(it)) {
			if _, known := b.tables.findLive(it.kind, "", c.contents.value(it)); !known {
				return bytes.Clone(c.contents.value(it))
			}
		}
	}
	return nil
}

// minor is the minor version of a COMPOUND.
func (c *Call) minor() uint32 {
	x := xdr.NewCursor(c.contents.bytes[c.contents.header:], "cut short")
	x.Opaque(1 << 20)
	return x.Uint32()
}
