package rocev2

import (
	"strconv"
	"strings"
	"testing"
)

// opcodeRows is IBA's table of opcodes with the headers that each transport
// has: lower five bits | RC | UC | UD | XRC. A dash is a packet with no
// extended header, n/a one that the transport has not.
const opcodeRows = `
00 | SEND First | - | - | n/a | XRCETH
01 | SEND Middle | - | - | n/a | XRCETH
02 | SEND Last | - | - | n/a | XRCETH
03 | SEND Last with Immediate | ImmDt | ImmDt | n/a | XRCETH ImmDt
04 | SEND Only | - | - | DETH | XRCETH
05 | SEND Only with Immediate | ImmDt | ImmDt | DETH ImmDt | XRCETH ImmDt
06 | RDMA WRITE First | RETH | RETH | n/a | XRCETH RETH
07 | RDMA WRITE Middle | - | - | n/a | XRCETH
08 | RDMA WRITE Last | - | - | n/a | XRCETH
09 | RDMA WRITE Last with Immediate | ImmDt | ImmDt | n/a | XRCETH ImmDt
0A | RDMA WRITE Only | RETH | RETH | n/a | XRCETH RETH
0B | RDMA WRITE Only with Immediate | RETH ImmDt | RETH ImmDt | n/a | XRCETH RETH ImmDt
0C | RDMA READ Request | RETH | n/a | n/a | XRCETH RETH
0D | RDMA READ Response First | AETH | n/a | n/a | AETH
0E | RDMA READ Response Middle | - | n/a | n/a | -
0F | RDMA READ Response Last | AETH | n/a | n/a | AETH
10 | RDMA READ Response Only | AETH | n/a | n/a | AETH
11 | Acknowledge | AETH | n/a | n/a | AETH
12 | ATOMIC Acknowledge | AETH AtomicAckETH | n/a | n/a | AETH AtomicAckETH
13 | CmpSwap | AtomicETH | n/a | n/a | XRCETH AtomicETH
14 | FetchAdd | AtomicETH | n/a | n/a | XRCETH AtomicETH
15 | RESYNC | n/a | n/a | n/a | n/a
16 | SEND Last with Invalidate | IETH | n/a | n/a | XRCETH IETH
17 | SEND Only with Invalidate | IETH | n/a | n/a | XRCETH IETH
18 | | n/a | n/a | n/a | n/a
19 | | n/a | n/a | n/a | n/a
1A | | n/a | n/a | n/a | n/a
1B | | n/a | n/a | n/a | n/a
1C | FLUSH | FETH RETH | n/a | n/a | n/a
1D | ATOMIC WRITE | RETH | n/a | n/a | n/a
1E | | n/a | n/a | n/a | n/a
1F | | n/a | n/a | n/a | n/a`

func TestOpCodeRows(t *testing.T) {
	bases := []OpCode{OpRCSendFirst, OpUCSendFirst, OpUDSendOnly &^ 0x1F, OpXRCSendFirst}
	rows := strings.Split(strings.TrimSpace(opcodeRows), "\n")
	if len(rows) != 32 {
		t.Fatalf("%d rows, want 32", len(rows))
	}
	for _, row := range rows {
		cols := strings.Split(row, "|")
		for i := range cols {
			cols[i] = strings.TrimSpace(cols[i])
		}
		low, err := strconv.ParseUint(cols[0], 16, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i, base := range bases {
			o, want := base|OpCode(low), cols[2+i]
			if want == "n/a" {
				if o.Known() || !o.Reserved() || o.Extended() != 0 || o.IsRequest() || o.IsResponse() {
					t.Errorf("%#02x %v: not reserved", uint8(o), o)
				}
				continue
			}
			if want == "-" {
				want = ""
			}
			if got := o.Extended().String(); got != want {
				t.Errorf("%v: extended headers %q, want %q", o, got, want)
			}
			if got, want := o.String(), o.Transport().String()+" "+cols[1]; got != want {
				t.Errorf("%#02x: name %q, want %q", uint8(o), got, want)
			}
		}
	}
}

// RD has the headers of RC after an RDETH and, in requests, a DETH.
func TestOpCodeRD(t *testing.T) {
	for low := range OpCode(32) {
		o := OpRDSendFirst | low
		if o > OpRDResync && o != OpRDFlush {
			if !o.Reserved() {
				t.Errorf("%v: not reserved", o)
			}
			continue
		}
		want := (OpRCSendFirst | low).Extended() | ExtRDETH
		if low < 0x0D || low > 0x12 {
			want |= ExtDETH
		}
		if got := o.Extended(); got != want {
			t.Errorf("%v: extended headers %v, want %v", o, got, want)
		}
	}
}

func TestOpCodeMeaning(t *testing.T) {
	tests := []struct {
		op                    OpCode
		transport             Transport
		kind                  Kind
		position              Position
		request, response     bool
		immediate, invalidate bool
		name                  string
	}{
		{OpRCSendFirst, TransportRC, KindSend, PositionFirst, true, false, false, false, "RC SEND First"},
		{OpRCSendMiddle, TransportRC, KindSend, PositionMiddle, true, false, false, false, "RC SEND Middle"},
		{OpUCSendLastImm, TransportUC, KindSend, PositionLast, true, false, true, false, "UC SEND Last with Immediate"},
		{OpRCSendOnlyInv, TransportRC, KindSend, PositionOnly, true, false, false, true, "RC SEND Only with Invalidate"},
		{OpXRCSendLastInv, TransportXRC, KindSend, PositionLast, true, false, false, true, "XRC SEND Last with Invalidate"},
		{OpRCWriteOnly, TransportRC, KindWrite, PositionOnly, true, false, false, false, "RC RDMA WRITE Only"},
		{OpRCWriteOnlyImm, TransportRC, KindWrite, PositionOnly, true, false, true, false, "RC RDMA WRITE Only with Immediate"},
		{OpRCReadRequest, TransportRC, KindReadRequest, PositionOnly, true, false, false, false, "RC RDMA READ Request"},
		{OpRCReadResponseMiddle, TransportRC, KindReadResponse, PositionMiddle, false, true, false, false, "RC RDMA READ Response Middle"},
		{OpRCAcknowledge, TransportRC, KindAcknowledge, PositionOnly, false, true, false, false, "RC Acknowledge"},
		{OpRCAtomicAcknowledge, TransportRC, KindAtomicAcknowledge, PositionOnly, false, true, false, false, "RC ATOMIC Acknowledge"},
		{OpRCCompareSwap, TransportRC, KindCompareSwap, PositionOnly, true, false, false, false, "RC CmpSwap"},
		{OpXRCFetchAdd, TransportXRC, KindFetchAdd, PositionOnly, true, false, false, false, "XRC FetchAdd"},
		{OpRDResync, TransportRD, KindResync, PositionOnly, true, false, false, false, "RD RESYNC"},
		{OpRCFlush, TransportRC, KindFlush, PositionOnly, true, false, false, false, "RC FLUSH"},
		{OpRCAtomicWrite, TransportRC, KindAtomicWrite, PositionOnly, true, false, false, false, "RC ATOMIC WRITE"},
		{OpUDSendOnlyImm, TransportUD, KindSend, PositionOnly, true, false, true, false, "UD SEND Only with Immediate"},
		{OpCNP, TransportCNP, KindCNP, PositionOnly, false, false, false, false, "CNP"},
		{0x80, TransportCNP, KindUnknown, PositionNone, false, false, false, false, "reserved opcode 0x80"},
		{0xC0, TransportManufacturer, KindUnknown, PositionNone, false, false, false, false, "manufacturer-specific opcode 0xc0"},
		{0xFF, TransportManufacturer, KindUnknown, PositionNone, false, false, false, false, "manufacturer-specific opcode 0xff"},
	}
	for _, test := range tests {
		o := test.op
		if o.Transport() != test.transport || o.Kind() != test.kind || o.Position() != test.position {
			t.Errorf("%v: %v %v %v, want %v %v %v", o, o.Transport(), o.Kind(), o.Position(), test.transport, test.kind, test.position)
		}
		if o.IsRequest() != test.request || o.IsResponse() != test.response || o.HasImm() != test.immediate || o.HasInv() != test.invalidate {
			t.Errorf("%v: request, response, immediate or invalidate wrong", o)
		}
		if o.String() != test.name {
			t.Errorf("%#02x: %q, want %q", uint8(o), o, test.name)
		}
		if o.Transport() == TransportManufacturer && (o.Known() || o.Reserved()) {
			t.Errorf("%v: known or reserved", o)
		}
	}
}

// The sizes are those of IBA's headers, and the order that of the bits.
func TestExtSet(t *testing.T) {
	s := ExtXRCETH | ExtRETH | ExtImmDt
	if s.Size() != 24 || s.String() != "XRCETH RETH ImmDt" || !s.Has(ExtRETH) || s.Has(ExtAETH) || s.Has(ExtRETH|ExtAETH) {
		t.Errorf("%v: size %d", s, s.Size())
	}
	for i, table := range extTables {
		if table.Size() != extSizes[i] || table.Name != extNames[i] {
			t.Errorf("table %s has %d bytes, want %s with %d", table.Name, table.Size(), extNames[i], extSizes[i])
		}
		if ExtSet(1<<i).index() != i {
			t.Errorf("index of bit %d is %d", i, ExtSet(1<<i).index())
		}
	}
}
