package rocev2

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

func decoded(b []byte) *Packet {
	p := new(Packet)
	p.Decode(b, len(b))
	return p
}

func TestDecodeVectors(t *testing.T) {
	tests := []struct {
		name    string
		op      OpCode
		pad     uint8
		ackReq  bool
		destQP  uint32
		psn     uint32
		payload [2]int
		ext     func(*Packet) bool
	}{
		{"Acknowledge", OpRCAcknowledge, 0, false, 0x11, 0xE2D47C, [2]int{16, 16},
			func(p *Packet) bool { return p.AETH() == 12 && p.Syndrome() == 0x1F && p.MSN() == 4 }},
		{"NAK", OpRCAcknowledge, 0, false, 0x11, 0xFCFA1E, [2]int{16, 16},
			func(p *Packet) bool { return p.Syndrome() == NAKPSNSequenceError && p.MSN() == 0x22 }},
		{"SendOnly", OpRCSendOnly, 0, true, 0x11, 0xE2D47D, [2]int{12, 64},
			func(p *Packet) bool { return p.Payload()[0] == 0xBC && len(p.Payload()) == 52 }},
		{"SendOnlyInv", OpRCSendOnlyInv, 0, true, 0x12, 0xA1B40D, [2]int{16, 64},
			func(p *Packet) bool { return p.IETH() == 12 && p.InvRKey() == 0x23D5 }},
		{"WriteOnly, one pad byte", OpRCWriteOnly, 1, true, 0x11, 0xE2D787, [2]int{28, 31},
			func(p *Packet) bool {
				return p.RETH() == 12 && p.VA() == 0x4A2E105D45464029 && p.RKey() == 0x8F4 && p.DMALen() == 3
			}},
		{"ReadRequest", OpRCReadRequest, 0, true, 0x12, 0xA1B43C, [2]int{28, 28},
			func(p *Packet) bool {
				return p.VA() == 0xDCFF09FE43706000 && p.RKey() == 0x23DD && p.DMALen() == 0x5000
			}},
		{"ReadResponseOnly", OpRCReadResponseOnly, 0, false, 0x11, 0xA6F137, [2]int{16, 216},
			func(p *Packet) bool { return p.MSN() == 1 && string(p.Payload()[:11]) == "rdma-ping-0" }},
	}
	for _, test := range tests {
		p := decoded(find(t, test.name).transport(t))
		if p.Faulty() {
			t.Errorf("%s: %v", test.name, p.Fault())
		}
		if p.OpCode != test.op || p.PadCnt() != test.pad || p.AckReq() != test.ackReq || p.DestQP != test.destQP ||
			p.PSN != test.psn || p.PKey() != 0xFFFF || p.Solicited() || p.MigReq() || p.FECN() || p.BECN() {
			t.Errorf("%s: %+v", test.name, p)
		}
		if got := [2]int{p.PayloadStart(), p.PayloadEnd()}; got != test.payload || p.PayloadLength() != got[1]-got[0] {
			t.Errorf("%s: payload %v, want %v", test.name, got, test.payload)
		}
		if !test.ext(p) {
			t.Errorf("%s: extended headers %+v", test.name, p)
		}
	}
}

// A snap length that cuts the headers is a fault at the cut; one that cuts
// after them is none and leaves all bounds as they are on the wire.
func TestDecodeCapturedPart(t *testing.T) {
	for _, v := range vectors {
		b := v.transport(t)
		whole := decoded(b)
		for n := range b {
			var p Packet
			p.Decode(b[:n], len(b))
			if n < whole.PayloadStart() {
				if !p.Faulty() || p.Fault().Offset != n {
					t.Errorf("%s, %d bytes: fault %q at %d", v.name, n, p.Fault().Reason, p.Fault().Offset)
				}
				if p.RETH()|p.AETH()|p.IETH()|p.DETH() != 0 {
					t.Errorf("%s, %d bytes: offset of a header that is not whole", v.name, n)
				}
				if p.VA() != 0 || p.MSN() != 0 || p.InvRKey() != 0 || len(p.Payload()) != 0 {
					t.Errorf("%s, %d bytes: values from nowhere", v.name, n)
				}
				continue
			}
			if p.Faulty() || p.PayloadStart() != whole.PayloadStart() || p.PayloadEnd() != whole.PayloadEnd() || p.PSN != whole.PSN {
				t.Errorf("%s, %d bytes: %v, payload %d to %d", v.name, n, p.Fault(), p.PayloadStart(), p.PayloadEnd())
			}
			if got, want := len(p.Payload()), min(n, whole.PayloadEnd())-whole.PayloadStart(); got != want {
				t.Errorf("%s, %d bytes: %d of payload, want %d", v.name, n, got, want)
			}
		}
	}
}

// A packet that is shorter on the wire is at fault wherever it ends within its
// headers, pad and ICRC, or not at a multiple of four bytes.
func TestDecodeShortOnWire(t *testing.T) {
	for _, v := range vectors {
		b := v.transport(t)
		whole := decoded(b)
		for n := range b {
			p := decoded(b[:n])
			want := n%4 != 0 || n < whole.PayloadStart()+int(whole.PadCnt())+ICRCSize
			if p.Faulty() != want {
				t.Errorf("%s, %d bytes: fault %q, want one: %v", v.name, n, p.Fault(), want)
			}
			if p.PayloadLength() < 0 || p.PayloadEnd() > n {
				t.Errorf("%s, %d bytes: payload %d to %d", v.name, n, p.PayloadStart(), p.PayloadEnd())
			}
		}
	}
}

func TestDecodeFaults(t *testing.T) {
	const bth = "00ffff000000110000000a" // all of a BTH but its opcode
	tests := []struct {
		name, hex string
		want      field.Fault
	}{
		{"empty", "", field.Fault{Offset: 0, Reason: "BTH cut short"}},
		{"BTH", "04 00ffff", field.Fault{Offset: 4, Reason: "BTH cut short"}},
		{"TVer", "04 01ffff000000110000000a 00000000", field.Fault{Offset: 1, Reason: "TVer is not 0"}},
		{"reserved", "18" + bth + "00000000", field.Fault{Offset: 0, Reason: "reserved opcode"}},
		{"reserved and TVer", "18 01ffff000000110000000a 00000000", field.Fault{Offset: 0, Reason: "reserved opcode"}},
		{"UC has no READ", "2c" + bth + "00000000000000000000000000000000 00000000", field.Fault{Offset: 0, Reason: "reserved opcode"}},
		{"RETH", "0a" + bth + "000000000000000000000000", field.Fault{Offset: 24, Reason: "RETH cut short"}},
		{"second header", "12" + bth + "1f000001 00000000", field.Fault{Offset: 20, Reason: "AtomicAckETH cut short"}},
		{"no ICRC", "04" + bth, field.Fault{Offset: 12, Reason: "packet ends before its ICRC"}},
		{"pad without payload", "04 30ffff000000110000000a 00000000", field.Fault{Offset: 1, Reason: "PadCnt is more than the bytes before the ICRC"}},
		{"pad does not fill", "04" + bth + "ff 00000000", field.Fault{Offset: 1, Reason: "payload and pad are not a multiple of four bytes"}},
		{"READ Request with payload", "0c" + bth + "00000000000000000000000000000000 ffffffff 00000000",
			field.Fault{Offset: 28, Reason: "payload after an opcode that has none"}},
		{"manufacturer-specific", "c0" + bth + "01020304 00000000", field.Fault{}},
		{"CNP", "81 00ffff400000110000000000000000000000000000000000000000 00000000", field.Fault{}},
	}
	for _, test := range tests {
		if got := decoded(check.Hex(t, test.hex)).Fault(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestDecodeFlags(t *testing.T) {
	p := decoded(check.Hex(t, "81 c0 1234 c0000118 80000000 00000000000000000000000000000000 00000000"))
	if !p.Solicited() || !p.MigReq() || !p.AckReq() || !p.FECN() || !p.BECN() || p.PKey() != 0x1234 || p.DestQP != 0x118 || p.PSN != 0 {
		t.Errorf("%+v", p)
	}
	if p.PayloadLength() != 16 {
		t.Errorf("CNP with %d reserved bytes, want 16", p.PayloadLength())
	}
}

// What lies beyond the length is not the packet's, and a Packet forgets.
func TestDecodeLength(t *testing.T) {
	b := find(t, "WriteOnly, one pad byte").transport(t)
	var p Packet
	p.Decode(append(b[:len(b):len(b)], 0xEE, 0xEE), len(b))
	if p.Faulty() || len(p.Bytes) != len(b) || len(p.Payload()) != 3 {
		t.Errorf("with a trailer: %v, %d bytes", p.Fault(), len(p.Bytes))
	}
	p.Decode(b, -1)
	if !p.Faulty() || p.RETH() != 0 || p.PayloadEnd() != 0 || len(p.Bytes) != 0 {
		t.Errorf("with a negative length: %+v", p)
	}
}

// A Packet that held another packet is as good as a new one: no field stays.
func TestDecodeAgain(t *testing.T) {
	random := rand.NewChaCha8([32]byte{4})
	b := make([]byte, 84)
	var used Packet
	for op := range 256 {
		random.Read(b)
		b[0] = byte(op)
		for _, n := range []int{len(b), 0, 14, len(b), 11, 40} {
			var fresh Packet
			used.ICRC, used.Check = 1, ICRCWrong
			used.Decode(b[:n], len(b))
			fresh.Decode(b[:n], len(b))
			if !reflect.DeepEqual(used, fresh) {
				t.Fatalf("%v, %d bytes:\n used %+v\nfresh %+v", OpCode(op), n, used, fresh)
			}
		}
	}
}

func TestDecodeAllocatesNothing(t *testing.T) {
	b := find(t, "WriteOnly, one pad byte").transport(t)
	var p Packet
	for n := range len(b) + 1 {
		if got := allocs.Per(10, func() { p.Decode(b[:n], len(b)); p.Decode(b[:n], n) }); got != 0 {
			t.Fatalf("%d bytes: %v allocations", n, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range vectors {
		b := v.transport(f)
		f.Add(b, len(b))
		f.Add(b[:len(b)/2], len(b))
	}
	for _, b := range shipped.RoCEv2(f, "rxe-perftest", 60) {
		f.Add(b, len(b))
	}
	f.Fuzz(func(t *testing.T, b []byte, length int) {
		var p Packet
		p.Decode(b, length)
		n := len(p.Bytes)
		if n > len(b) || n > max(length, 0) {
			t.Fatalf("%d bytes of %d, length %d", n, len(b), length)
		}
		if p.PayloadStart() < 0 || p.PayloadEnd() < p.PayloadStart() || p.PayloadEnd() > max(length, 0) {
			t.Fatalf("payload %d to %d of %d", p.PayloadStart(), p.PayloadEnd(), length)
		}
		if p.Fault().Offset < 0 || p.Fault().Offset > n || len(p.Payload()) > p.PayloadLength() {
			t.Fatalf("fault %v of %d bytes, %d bytes of payload", p.Fault(), n, len(p.Payload()))
		}
		for h, at := range extOffsets(&p) {
			has := p.OpCode.Extended().Has(1 << h)
			if at != 0 && (!has || at+extSizes[h] > n) || at == 0 && has && !p.Faulty() {
				t.Fatalf("%s of %v at %d of %d bytes, %v", extNames[h], p.OpCode, at, n, p.Fault())
			}
		}
		if !p.Faulty() && p.PayloadEnd()+int(p.PadCnt())+ICRCSize != length {
			t.Fatalf("no fault, but payload ends at %d of %d", p.PayloadEnd(), length)
		}
		checkAccessors(t, &p)
		checkNodes(t, &p, 42)
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"Acknowledge", "SendOnly", "ReadRequest"} {
		b.Run(name, func(b *testing.B) {
			data := find(b, name).transport(b)
			var p Packet
			b.ReportAllocs()
			for b.Loop() {
				p.Decode(data, len(data))
			}
			if p.Faulty() {
				b.Fatal(p.Fault())
			}
		})
	}
}

// A Packet is kept of every frame that is on its way from the goroutine that
// decodes to the one that follows, in a record of 200 bytes.
func TestPacketIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Packet{}); n > 48 {
		t.Errorf("a Packet has %d bytes", n)
	}
}
