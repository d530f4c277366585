package responder

import (
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// What a COMPOUND is, and the operations by which a client does nothing but renew its lease
// (RFC 7530, section 16.27; RFC 8881, section 18.46).
const (
	nfsProgram  = 100003
	nfsVersion4 = 4
	nfsCompound = 1
	opRenew     = 30
	opSequence  = 53
	mostTag     = 1024
	sessionID   = 16
)

// renewal is the result of a call that does nothing but renew a lease: RENEW, or SEQUENCE alone. A
// client that is slower than the captured one makes such calls. After an error of RPC a Linux client
// makes them again every second, and nothing else.
func renewal(h *rpc.Call, arguments []byte) (result []byte, is bool) {
	if h.Program != nfsProgram || h.Version != nfsVersion4 || h.Procedure != nfsCompound || h.Fault.Bad() {
		return nil, false
	}
	c := xdr.NewCursor(arguments, "the arguments end")
	c.Opaque(mostTag)
	c.Uint32() // the minor version
	count, op := c.Uint32(), c.Uint32()
	if count != 1 {
		return nil, false
	}
	result = words(0, 0, 1, op, 0) // NFS4_OK, no tag, and one operation, NFS4_OK
	switch op {
	case opRenew:
		c.Uint64() // the client ID
	case opSequence:
		result = append(result, c.Fixed(sessionID)...)
		sequence, slot, highest := c.Uint32(), c.Uint32(), c.Uint32()
		c.Bool() // whether to cache the reply
		highest = max(highest, slot)
		result = append(result, words(sequence, slot, highest, highest, 0)...)
	default:
		return nil, false
	}
	return result, !c.Bad() && c.Remaining() == 0
}
