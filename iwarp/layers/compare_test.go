package layers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/iwarp"
)

// A cursor goes through the layers of a packet.
type cursor []gopacket.Layer

// next takes the next layer, nil at the end.
func (c *cursor) next() gopacket.Layer {
	if len(*c) == 0 {
		return nil
	}
	l := (*c)[0]
	*c = (*c)[1:]
	return l
}

// differs says in what the next layers are not what iwarp makes of the start-up
// frame or FPDU that takes size bytes and of which b was captured, "" if in
// nothing. Of an FPDU b holds the whole DDP header.
func (c *cursor) differs(b []byte, size int, start bool) string {
	if start {
		return c.differsStart(b)
	}
	length := int(binary.BigEndian.Uint16(b))
	fpdu, ok := c.next().(*FPDU)
	if !ok {
		return "no FPDU"
	}
	whole := len(b) == size
	if fpdu.ULPDULength != length || fpdu.Whole != whole || whole && fpdu.CRC != binary.BigEndian.Uint32(b[size-4:]) ||
		!whole && fpdu.CRC != 0 || len(fpdu.Contents) != 2 || !bytes.HasPrefix(b[2:], fpdu.Payload) {
		return fmt.Sprintf("another FPDU: %+v", fpdu)
	}
	var want iwarp.PDU
	want.Decode(b[2:min(2+length, len(b))], length)
	ddp, ok := c.next().(*DDP)
	if !ok {
		return "no DDP"
	}
	if ddp.OpCode != want.OpCode || ddp.Tagged != want.Tagged || ddp.Last != want.Last || ddp.DV != want.DV || ddp.RV != want.RV ||
		ddp.STag != want.STag || ddp.TO != want.TO || ddp.Invalidate != want.Invalidate || ddp.QN != want.QN || ddp.MSN != want.MSN ||
		ddp.MO != want.MO || ddp.Fault != want.Fault || len(ddp.Contents) != want.PayloadStart || !bytes.Equal(ddp.Payload, want.Payload()) {
		return fmt.Sprintf("another DDP: %+v", ddp)
	}
	if len(want.Payload()) == 0 {
		return ""
	}
	return c.differsMessage(&want)
}

// differsMessage holds what follows a DDP header against iwarp's.
func (c *cursor) differsMessage(want *iwarp.PDU) string {
	l := c.next()
	if l == nil {
		return "nothing after the DDP header"
	}
	var got, has any
	switch l := l.(type) {
	case *ReadRequest:
		got = l.ReadRequest
		has, _ = want.ReadRequest()
	case *Terminate:
		got = l.Termination
		has, _ = want.Termination()
	case *AtomicRequest:
		got = l.AtomicRequest
		has, _ = want.AtomicRequest()
	case *AtomicResponse:
		got = l.AtomicResponse
		has, _ = want.AtomicResponse()
	case *Immediate:
		got = l.Data
		has, _ = want.Immediate()
	case *gopacket.Payload:
		got, has = l.LayerContents(), want.Payload()
		if want.OpCode.QN() != iwarp.QNSend || want.OpCode == iwarp.OpImmediate || want.OpCode == iwarp.OpImmediateSE {
			return "payload, not a " + want.OpCode.String()
		}
	default:
		return fmt.Sprintf("a layer %v", l.LayerType())
	}
	if !reflect.DeepEqual(got, has) {
		return fmt.Sprintf("%+v, want %+v", got, has)
	}
	if !bytes.Equal(l.LayerContents(), want.Payload()) {
		return "another message"
	}
	return ""
}

// differsStart holds the layers of a start-up frame against iwarp's.
func (c *cursor) differsStart(b []byte) string {
	l, ok := c.next().(*MPAStart)
	if !ok {
		return "no MPAStart"
	}
	var want iwarp.Start
	want.Decode(b)
	if !reflect.DeepEqual(l.Start, want) || !bytes.Equal(append(bytes.Clone(l.Contents), l.Payload...), want.Bytes) {
		return fmt.Sprintf("another MPAStart: %+v", l)
	}
	private := want.PrivateData()
	if !bytes.Equal(l.Payload, private) {
		return "other private data"
	}
	if len(private) > 0 {
		if p := c.next(); p == nil || !bytes.Equal(p.LayerContents(), private) {
			return "no private data"
		}
	}
	return ""
}
