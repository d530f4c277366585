package values

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// An OrphanResult is the first result of a COMPOUND whose call is not in the capture (RFC 8881, section 16.2).
type OrphanResult struct {
	Op     uint32
	Status uint32
	// Rest are the bytes that follow the status.
	Rest []byte
}

// IsOrphan reports whether a message answers a call that is not in the capture, so far.
func IsOrphan(m *dissect.Message) bool {
	r := m.RPC()
	return m.Role() == dissect.RoleAnswer && r != nil && r.Call == nil
}

// OrphanOf reads what may be the first result of an answer without a call, while a rule receives the message. Maybe
// is false where the answer is surely none of a COMPOUND that was carried out; read where the result could be read: not of
// one that is cut, long or encrypted.
func OrphanOf(m *dissect.Message) (r OrphanResult, maybe, read bool) {
	switch {
	case !m.HasRPC:
		return r, true, false
	case m.ReplyHeader.Denied || m.ReplyHeader.Accept != 0:
		return r, false, false
	}
	b := m.Inline()
	b = b[min(m.ReplyHeader.Length, len(b)):]
	tag, ok := xdr.WordAt(b, xdr.WordSize)
	if !ok {
		return r, !m.Whole || m.Header.HasReply, false
	}
	const status = xdr.WordSize
	at := status + xdr.WordSize + xdr.Padded(tag)
	const lastOp = 75 // REMOVEXATTR (RFC 8276, section 8.4)
	const count, op = xdr.WordSize, xdr.WordSize
	if at+count+op+xdr.WordSize > uint64(len(b)) {
		return r, !m.Whole, false
	}
	r.Op, r.Status = binary.BigEndian.Uint32(b[at+count:]), binary.BigEndian.Uint32(b[at+count+op:])
	r.Rest = b[at+count+op+xdr.WordSize:]
	if results := binary.BigEndian.Uint32(b[at:]); results == 0 || r.Op < numbers.OpAccess || r.Op > lastOp {
		return OrphanResult{}, false, false
	}
	return r, true, true
}
