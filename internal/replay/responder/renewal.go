package responder

import (
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// What a COMPOUND is (RFC 7530, section 15.2), and how long its tag may be.
const (
	nfsVersion4 = 4
	mostTag     = 1024
)

// A renewal is a call that does nothing but renew a lease: RENEW, or SEQUENCE alone. A client that
// is slower than the captured one makes such calls. After an error of RPC a Linux client makes them
// again every second, and nothing else.
type renewal struct {
	tag []byte
	op  uint32
	sequence
}

// renews reads a call, and reports whether it does nothing but renew a lease.
func renews(h *rpc.Call, arguments []byte) (r renewal, is bool) {
	c, tag, minor, count, ok := compound(h, arguments)
	if !ok || count != 1 {
		return r, false
	}
	r = renewal{tag: tag, op: c.Uint32()}
	switch {
	case r.op == numbers.OpRenew && minor == 0:
		c.Uint64() // the client ID
	case r.op == numbers.OpSequence && minor > 0:
		r.sequence = takeSequence(c)
	default:
		return r, false
	}
	return r, !c.Bad() && c.Remaining() == 0
}

// compound reads what stands before the operations of a COMPOUND.
func compound(h *rpc.Call, arguments []byte) (c *xdr.Cursor, tag []byte, minor, count uint32, ok bool) {
	if h.Program != rpc.ProgramNFS || h.Version != nfsVersion4 || h.Procedure != numbers.ProcCompound || h.Fault.Bad() {
		return nil, nil, 0, 0, false
	}
	at := xdr.NewCursor(arguments, "the arguments end")
	tag = at.Opaque(mostTag)
	minor, count = at.Uint32(), at.Uint32()
	return &at, tag, minor, count, !at.Bad()
}

// result is what a renewal is answered with. The SEQUENCE has a status, and unless that is an
// error the slots that the client may use.
func (r *renewal) result(status, highest, target uint32) []byte {
	b := words(status, uint32(len(r.tag)))
	b = append(b, r.tag...)
	b = append(b, make([]byte, padded(len(r.tag))-len(r.tag))...)
	b = append(b, words(1, r.op, status)...)
	if r.op == numbers.OpSequence && status == 0 {
		b = append(b, r.session[:]...)
		b = append(b, words(r.number, r.slot, highest, target, 0)...) // no status flag
	}
	return b
}
