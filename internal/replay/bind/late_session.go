package bind

import (
	"encoding/binary"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// What a session is asked for at least, whatever the capture shows of it: what Linux clients ask
// for, 1 MiB of data and a page.
const (
	leastSize       = 1<<20 + 4096
	leastOperations = 16
	cachedReply     = 4096 // servers keep no more than about 2 KiB of a reply
)

// A backchannel, which has to be described whether it is used or not.
const (
	backSize       = 4096
	backOperations = 2
	backSlots      = 16
	backProgram    = 0x40000000
)

// createBackchannel is CREATE_SESSION4_FLAG_CONN_BACK_CHAN (RFC 8881, section 18.36).
const createBackchannel = 2

// beginSession makes a client, a session, and the word that nothing is reclaimed; and after the
// last call takes session and client away, where the capture does not. Of says to a person which of several
// sessions it is.
//
//	EXCHANGE_ID       | verifier | owner | flags 0 | SP4_NONE | no implementation |
//	  result          | client ID | sequence 1 | flags | SP4_NONE | owner | scope | none |
//	CREATE_SESSION    | client ID | sequence 1 | flags | fore channel | backchannel | program | AUTH_NONE |
//	  result          | session | sequence | flags | fore channel | backchannel |
//	RECLAIM_COMPLETE  | all file systems |
func (l *Late) beginSession(b *Beginning, s *lateSession, owner, of string) error {
	c, err := newCompound(s.like, s.minor)
	if err != nil {
		return err
	}
	args := opaque([]byte("rdmacap "), []byte(owner)) // a verifier of 8 bytes: the client starts only once
	result := words(s.client[:8:8], 1, 0, 0, 0, 0)
	result = words(result, 0, 0, 0) // of the server: major owner, scope, implementation
	c.op(numbers.OpExchangeId, words(args, 0, 0, 0), result)
	b.Before = append(b.Before, c.own(Own{What: "EXCHANGE_ID" + of, Needed: true}))

	if c, err = newCompound(s.like, s.minor); err != nil {
		return err
	}
	flags, with := uint32(0), ""
	if l.reverse || s.backchannel {
		flags, with = createBackchannel, ", backchannel"
	}
	slots := max(s.slots, 1)
	fore := words(nil, 0, longest(s.request), longest(s.reply), cachedReply, max(leastOperations, s.operations), slots, 0)
	back := words(nil, 0, backSize, backSize, 0, backOperations, backSlots, 0)
	channels := append(fore, back...)
	c.op(numbers.OpCreateSession, words(append(words(s.client[:8:8], 1, flags), channels...), backProgram, 1, uint32(rpc.AuthNone)),
		append(words(s.id[:16:16], 1, flags), channels...))
	b.Before = append(b.Before, c.own(Own{What: fmt.Sprintf("CREATE_SESSION of NFS 4.%d%s: %s%s", s.minor, of, field.Counted(int(slots), "slot"), with), Session: s.id, Needed: true}))

	if c, err = s.compound(s.like); err != nil {
		return err
	}
	c.op(numbers.OpReclaimComplete, words(nil, 0), nil)
	b.Before = append(b.Before, c.own(Own{What: "RECLAIM_COMPLETE" + of}))

	if !s.destroyed {
		if c, err = newCompound(s.like, s.minor); err != nil {
			return err
		}
		c.op(numbers.OpDestroySession, s.id, nil)
		b.After = append(b.After, c.own(Own{What: "DESTROY_SESSION" + of}))
	}
	if !s.unclaimed {
		if c, err = newCompound(s.like, s.minor); err != nil {
			return err
		}
		c.op(numbers.OpDestroyClientid, s.client, nil)
		b.After = append(b.After, c.own(Own{What: "DESTROY_CLIENTID" + of}))
	}
	return nil
}

// longest is how long messages may be, where the longest of the capture is so long: items that are bound
// to another server may be longer.
func longest(seen int) uint32 { return uint32(max(leastSize, min(seen, 1<<30)+4096)) }

// compound begins a COMPOUND of the session, on slot 0.
func (s *lateSession) compound(like []byte) (*compound, error) {
	c, err := newCompound(like, s.minor)
	if err != nil {
		return nil, err
	}
	highest := max(s.slots, 1) - 1
	c.op(numbers.OpSequence, words(s.id[:16:16], s.own, 0, highest, 0), words(s.id[:16:16], s.own, 0, highest, highest, 0))
	s.own++
	return c, nil
}

// own is the call that was put together, and its reply.
func (c *compound) own(o Own) Own {
	m := Message{Program: rpc.ProgramNFS, Version: version4, Procedure: numbers.ProcCompound}
	o.Call, o.Reply = m, m
	o.Call.Bytes, o.Reply.Bytes = c.call(0), c.answer()
	return o
}

// GrantedSlots is how many slots the reply to a CREATE_SESSION that is alone in its COMPOUND
// grants; not ok if it grants no session.
func GrantedSlots(reply []byte) (n uint32, ok bool) {
	var header rpc.Reply
	header.Decode(reply)
	if header.Fault.Bad() || header.Denied || header.Accept != rpc.Success {
		return 0, false
	}
	x := xdr.NewCursor(reply[header.Length:], "result cut short")
	x.Uint32()
	x.Opaque(1 << 20)
	if x.Count(1, 8) != 1 || x.Uint32() != numbers.OpCreateSession || x.Uint32() != numbers.StatusOk {
		return 0, false
	}
	x.Skip(16 + 2*4 + 5*4) // session, sequence, flags; five sizes
	b := x.Fixed(4)
	if x.Bad() {
		return 0, false
	}
	return binary.BigEndian.Uint32(b), true
}
