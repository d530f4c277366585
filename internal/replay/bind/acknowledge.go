package bind

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// Acknowledge makes a reply to a reverse-direction call of a live server that the capture does not
// have: NULL is answered, and CB_COMPOUND by its CB_SEQUENCE and NFS4_OK for what
// follows, as a client does that returns a delegation later. An attribute or a layout it does not
// have. The error says that the call is of another program, or malformed.
//
//	| XID | REPLY, accepted | status | tag "" | n | CB_SEQUENCE, OK, session, slot ... | ... |
func (b *Binder) Acknowledge(live Message) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	live.Reverse = true
	c, err := b.read(&live)
	if err != nil {
		return nil, err
	}
	out := binary.BigEndian.AppendUint32(nil, binary.BigEndian.Uint32(live.Bytes))
	out = words(out, 1, 0, 0, 0, uint32(rpc.Success))
	switch {
	case c.plan == nil || c.plan.procedure(&live).Program.Number != rpc.ProgramNFSCallback:
		return nil, fmt.Errorf("procedure %d of program %d is not one of an NFS client", live.Procedure, live.Program)
	case live.Procedure == 0:
		return out, nil
	case !c.whole:
		return nil, fmt.Errorf("the CB_COMPOUND is malformed: %v", b.reader.walker.Fault)
	}
	status, results := uint32(numbers.StatusOk), []byte(nil)
	count := uint32(0)
operations:
	for i, op := range c.opcodes {
		count++
		switch op {
		case numbers.OpCBSequence:
			results = sequenceResult(words(results, numbers.OpCBSequence, numbers.StatusOk), live.Bytes[c.starts[i]+4:])
			continue
		case numbers.OpCBGetattr:
			status = numbers.StatusBadhandle
		case numbers.OpCBLayoutrecall:
			status = numbers.StatusNomatchingLayout
		case numbers.OpCBIllegal:
			status = numbers.StatusOpIllegal
		}
		if results = words(results, uint32(op), status); status != numbers.StatusOk {
			break operations // what follows is not carried out
		}
	}
	return append(words(out, status, 0, count), results...), nil
}

// sequenceResult appends the result of CB_SEQUENCE, by its arguments: session, sequence
// number, slot, and the highest slot twice (RFC 8881, section 20.9).
func sequenceResult(b, args []byte) []byte {
	const session, highest = 16, 24
	b = append(b, args[:session+3*4]...)
	return append(b, args[highest:highest+4]...)
}

func words(b []byte, list ...uint32) []byte {
	for _, v := range list {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// SameOperations reports whether two calls are of the same procedure and, if it is one like
// COMPOUND, of the same operations: whether a reply to the one could be one to the other.
func (b *Binder) SameOperations(one, other Message) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one.Reverse != other.Reverse || one.Procedure != other.Procedure || !one.Reverse && (one.Program != other.Program || one.Version != other.Version) {
		return false
	}
	c, err := b.read(&one)
	if err != nil {
		return false
	}
	d, err := b.read(&other)
	return err == nil && slices.Equal(c.opcodes, d.opcodes)
}
