package iwarp

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

func decodedPDU(b []byte, length int) *PDU {
	p := new(PDU)
	p.Decode(b, length)
	return p
}

func TestPDUVectors(t *testing.T) {
	for _, v := range pduVectors {
		b := v.bytes(t)
		want := v.want
		want.DV, want.RV, want.Bytes, want.length = 1, 1, b, v.wire(t)
		// A PDU is filled again and again: nothing of the one before may stay.
		got := &PDU{Fault: field.Fault{Offset: 3, Reason: "old"}, Tagged: true, STag: 1, TO: 1, Invalidate: 1, QN: 1, MSN: 1, MO: 1}
		got.Decode(b, v.wire(t))
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", v.name, *got, want)
		}
		if !bytes.Equal(got.Payload(), b[want.PayloadStart:]) || got.PayloadLength() != v.wire(t)-want.PayloadStart {
			t.Errorf("%s: payload %x, %d bytes on the wire", v.name, got.Payload(), got.PayloadLength())
		}
		if line := string(AppendPDUSummary([]byte("> "), got)); line != "> "+v.line {
			t.Errorf("%s:\n got %s\nwant > %s", v.name, line, v.line)
		}
		if !Plausible(b, v.wire(t)) {
			t.Errorf("%s is not plausible", v.name)
		}
	}
}

// A snap length that cuts a header, DDP's or RDMAP's, is a fault at the cut;
// one that cuts a payload is none.
func TestPDUCutByCapture(t *testing.T) {
	for _, v := range pduVectors {
		b := v.bytes(t)
		whole := decodedPDU(b, v.wire(t))
		for n := range b {
			p := decodedPDU(b[:n:n], v.wire(t))
			header := whole.PayloadStart
			if ops[whole.OpCode].single() {
				header = len(b)
			}
			if p.Fault.Bad() != (n < header) || p.Fault.Bad() && p.Fault.Offset != n {
				t.Errorf("%s cut at byte %d: fault %q", v.name, n, p.Fault)
			}
			if n >= whole.PayloadStart && (p.MSN != whole.MSN || p.TO != whole.TO || p.QN != whole.QN) {
				t.Errorf("%s cut at byte %d: %+v", v.name, n, p)
			}
			if n < whole.PayloadStart && (p.STag|p.Invalidate|p.QN|p.MSN|p.MO != 0 || p.TO != 0) {
				t.Errorf("%s cut at byte %d has values from nowhere: %+v", v.name, n, p)
			}
			if n > 0 && p.PayloadLength() != whole.PayloadLength() || len(p.Payload()) != max(0, n-whole.PayloadStart) {
				t.Errorf("%s cut at byte %d: %d bytes of %d of payload", v.name, n, len(p.Payload()), p.PayloadLength())
			}
			_, read := p.ReadRequest()
			_, imm := p.Immediate()
			_, request := p.AtomicRequest()
			_, response := p.AtomicResponse()
			if read || imm || request || response {
				t.Errorf("%s cut at byte %d: a header that is not whole was read", v.name, n)
			}
			if !Plausible(b[:n], v.wire(t)) {
				t.Errorf("%s cut at byte %d is not plausible", v.name, n)
			}
		}
	}
}

// One that ends on the wire where the capture ends has no more than that.
func TestPDUShortOnWire(t *testing.T) {
	for _, v := range pduVectors {
		b := v.bytes(t)
		whole := decodedPDU(b, v.wire(t))
		for n := range b {
			p := decodedPDU(b[:n:n], n)
			if whole.OpCode == OpTerminate && n == UntaggedSize+TerminateMin {
				continue // as long as M, D and R of 0 say
			}
			if want := n < whole.PayloadStart || ops[whole.OpCode].single(); p.Fault.Bad() != want {
				t.Errorf("%s of %d bytes: fault %q, want one: %v", v.name, n, p.Fault, want)
			}
			if want := n >= whole.PayloadStart && !ops[whole.OpCode].single(); Plausible(b[:n], n) != want && whole.OpCode != OpTerminate {
				t.Errorf("%s of %d bytes is plausible: %v", v.name, n, !want)
			}
			if p.PayloadLength() != max(0, n-whole.PayloadStart) {
				t.Errorf("%s of %d bytes: payload of %d", v.name, n, p.PayloadLength())
			}
		}
	}
}

func TestPDUFaults(t *testing.T) {
	const read = "9847a401ff291a66827a700000040000f43981026a1aad1183d7a000"
	const sound = "00000000 00000000 00000004 00000000"
	for _, c := range []struct {
		hex       string
		length    int
		offset    int
		reason    string
		line      string
		plausible bool
	}{
		{hex: "", offset: 0, reason: "ULPDU is empty and no DDP segment", line: "DDP segment"},
		{hex: "", length: 60, offset: 0, reason: "DDP header cut short", line: "DDP segment", plausible: true},
		{hex: "41", offset: 1, reason: "ULPDU ends within the DDP header", line: "DDP segment"},
		{hex: "41", length: 60, offset: 1, reason: "DDP header cut short", line: "DDP segment", plausible: true},
		{hex: "c140eae21022e21aad118534d0", offset: 13, reason: "ULPDU ends within the DDP header", line: "RDMA Write"},
		{hex: "4143000000000000000000000004000000", offset: 17, reason: "ULPDU ends within the DDP header", line: "Send"},
		{hex: "4043" + sound, offset: 0, reason: "DDP version is not 1", line: "Send"},
		{hex: "4203" + sound, offset: 0, reason: "DDP version is not 1", line: "Send"},
		{hex: "4103" + sound, offset: 1, reason: "RDMAP version is not 1", line: "Send"},
		{hex: "4183" + sound, offset: 1, reason: "RDMAP version is not 1", line: "Send"},
		{hex: "414c" + sound, offset: 1, reason: "reserved RDMAP opcode", line: "reserved opcode 0xc"},
		{hex: "c14f" + sound, offset: 1, reason: "reserved RDMAP opcode", line: "reserved opcode 0xf"},
		{hex: "c143" + sound, offset: 0, reason: "tagged segment of a message that must be untagged", line: "Send"},
		{hex: "4140" + sound, offset: 0, reason: "untagged segment of a message that must be tagged", line: "RDMA Write"},
		{hex: "414300000000 00000001 0000000400000000", offset: 6, reason: "QN is not the queue of the opcode", line: "Send"},
		{hex: "414100000000 00000000 0000000400000000" + read, offset: 6, reason: "QN is not the queue of the opcode", line: "RDMA Read Request"},
		{hex: "414700000000 00000000 0000000400000000" + "01000000", offset: 6, reason: "QN is not the queue of the opcode", line: "Terminate"},
		{hex: "414b00000000 00000001 0000000400000000" + "000000514142434445464748", offset: 6, reason: "QN is not the queue of the opcode", line: "Atomic Response"},
		{hex: "014100000000 00000001 0000000400000000" + read, offset: 0, reason: "L is not set in a message of one segment", line: "RDMA Read Request"},
		{hex: "414100000000 00000001 0000000400000001" + read, offset: 14, reason: "MO is not 0 in a message of one segment", line: "RDMA Read Request"},
		{hex: "414100000000 00000001 0000000400000000" + read + "00", offset: 18, reason: "RDMA Read Request header is not of 28 bytes", line: "RDMA Read Request MSN 4"},
		{hex: "414100000000 00000001 0000000400000000" + read[2:], offset: 18, reason: "RDMA Read Request header is not of 28 bytes", line: "RDMA Read Request MSN 4"},
		{hex: "414100000000 00000001 0000000400000000" + read[2:], length: 46, offset: 45, reason: "RDMA Read Request header cut short", line: "RDMA Read Request MSN 4", plausible: true},
		{hex: "414800000000 00000000 0000000400000000" + "00000001", offset: 18, reason: "Immediate Data does not have 8 bytes", line: "Immediate Data MSN 4"},
		{hex: "414a00000000 00000001 0000000400000000" + read, offset: 18, reason: "Atomic Request header is not of 52 bytes", line: "Atomic Request MSN 4"},
		{hex: "414b00000000 00000003 0000000400000000" + read, offset: 18, reason: "Atomic Response header is not of 12 bytes", line: "Atomic Response MSN 4"},
		{hex: "414700000000 00000002 0000000100000000" + "010000", offset: 18, reason: "Terminate is not as long as its control bits say", line: "Terminate"},
	} {
		b := check.Hex(t, c.hex)
		length := max(c.length, len(b))
		p := decodedPDU(b, length)
		if want := (field.Fault{Offset: c.offset, Reason: c.reason}); p.Fault != want {
			t.Errorf("%s: fault %q, want %q", c.hex, p.Fault, want)
		}
		if got, want := string(AppendPDUSummary(nil, p)), c.line+" ["+p.Fault.String()+"]"; got != want {
			t.Errorf("%s: %s, want %s", c.hex, got, want)
		}
		if got := Plausible(b, length); got != c.plausible {
			t.Errorf("%s is plausible: %v", c.hex, got)
		}
		checkPDUNodes(t, b, length)
	}
}

// What is no fault, because receivers are told not to look at it, is not
// plausible either when an FPDU is looked for.
func TestPlausibleIsStricter(t *testing.T) {
	for _, hex := range []string{
		"7d43 00000000 00000000 00000004 00000000 00",   // reserved bits of DDP
		"4173 00000000 00000000 00000004 00000000 00",   // reserved bits of RDMAP
		"c140 00000001 ffffffffffffffff 0001",           // TO wraps within the payload
		"4143 00000000 00000000 00000004 ffffffff 0001", // MO wraps
	} {
		b := check.Hex(t, hex)
		if p := decodedPDU(b, len(b)); p.Fault.Bad() {
			t.Errorf("%s: fault %q", hex, p.Fault)
		}
		if Plausible(b, len(b)) {
			t.Errorf("%s is plausible", hex)
		}
	}
	for _, hex := range []string{
		"c140 00000001 ffffffffffffffff 00",
		"c140 00000001 0000000000000000",
		"c140 00000001 ffffffffffffffff",
		"4143 00000000 00000000 00000000 00000000",
		"4143 00000000 00000000 00000004 fffffffe 0001",
	} {
		if b := check.Hex(t, hex); !Plausible(b, len(b)) {
			t.Errorf("%s is not plausible", hex)
		}
	}
}

func TestPDUDecodeAllocatesNothing(t *testing.T) {
	var all [][]byte
	for _, v := range pduVectors {
		all = append(all, v.bytes(t))
	}
	var p PDU
	line := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() {
		for _, b := range all {
			p.Decode(b, len(b))
			p.ReadRequest()
			p.Termination()
			p.AtomicRequest()
			line = AppendPDUSummary(line[:0], &p)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPDUDecode(b *testing.B) {
	send := findPDU(b, "Send with Invalidate").bytes(b)
	write := findPDU(b, "Write").bytes(b)
	var p PDU
	for b.Loop() {
		p.Decode(send, len(send))
		p.Decode(write, len(write))
	}
}
