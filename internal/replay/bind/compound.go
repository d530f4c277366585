package bind

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// A compound is a COMPOUND call of the replay's own, and the reply that the captured server would
// have given to it, while they are put together (RFC 8881, section 16.2).
//
//	call   | header | tag "" | minorversion | n | op args | op args | ...
//	reply  | header | status | tag ""       | n | op status result | ...
type compound struct {
	header      []byte // of the call
	minor       uint32
	n           uint32
	args, reply []byte
}

// newCompound begins one with the credential and verifier of a captured call, of whatever program.
func newCompound(like []byte, minor uint32) (*compound, error) {
	header, err := decodeCall(&Message{Bytes: like})
	if err != nil {
		return nil, err
	}
	const credential = 24 // after XID, type, version of RPC, program, version, procedure
	c := &compound{minor: minor, header: words(nil, 0, 0, 2, rpc.ProgramNFS, version4, numbers.ProcCompound)}
	c.header = append(c.header, like[credential:header.Length]...)
	return c, nil
}

// op adds an operation: its arguments, and what the captured server's result has after its
// status.
func (c *compound) op(number uint32, args, result []byte) {
	c.args = append(words(c.args, number), args...)
	c.reply = append(words(c.reply, number, numbers.StatusOk), result...)
	c.n++
}

// call is the call.
func (c *compound) call(xid uint32) []byte {
	b := append(words(nil, xid), c.header[4:]...)
	return append(words(b, 0, c.minor, c.n), c.args...)
}

// answer is the reply.
func (c *compound) answer() []byte {
	return append(words(nil, 0, 1, 0, 0, 0, uint32(rpc.Success), numbers.StatusOk, 0, c.n), c.reply...)
}

// lookups adds a LOOKUP for each name.
func (c *compound) lookups(names []string) {
	for _, name := range names {
		c.op(numbers.OpLookup, opaque(nil, []byte(name)), nil)
	}
}

// opaque appends opaque data of variable length.
func opaque(b, v []byte) []byte {
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
	for range -len(v) & 3 {
		b = append(b, 0)
	}
	return b
}
