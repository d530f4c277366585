package iwarp

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

const (
	hexRequest = "4d504120 49442052 65712046 72616d65" // MPA ID Req Frame
	hexReply   = "4d504120 49442052 65702046 72616d65" // MPA ID Rep Frame
)

// startVectors are frames and what they say. The first two are those of a Linux
// 6.1 NFS client and server over siw, as they were captured; the others are by
// hand, from the RFCs.
var startVectors = []struct {
	name, bytes string
	want        Start // without Bytes
	private     string
	summary     string
}{
	{"siw Request", hexRequest + "10 02 000c 00800000 f6ab0e18 01010303",
		Start{Enhanced: true, Flags: 0x10, Revision: 2, PDLength: 12, HasDepths: true, IRD: 128}, "\xf6\xab\x0e\x18\x01\x01\x03\x03",
		"MPA Request rev 2, no markers, no CRC, IRD 128, ORD 0, 8 bytes of private data"},
	{"siw Reply", hexReply + "10 02 000c 00000080 f6ab0e18 01000303",
		Start{Reply: true, Enhanced: true, Flags: 0x10, Revision: 2, PDLength: 12, HasDepths: true, ORD: 128}, "\xf6\xab\x0e\x18\x01\x00\x03\x03",
		"MPA Reply rev 2, no markers, no CRC, IRD 0, ORD 128, 8 bytes of private data"},
	{"revision 1, no private data", hexRequest + "00 01 0000",
		Start{Revision: 1}, "", "MPA Request rev 1, no markers, no CRC"},
	{"revision 1, markers and CRC", hexReply + "c0 01 0008 f6ab0e18 01000303",
		Start{Reply: true, Markers: true, CRC: true, Flags: 0xc0, Revision: 1, PDLength: 8}, "\xf6\xab\x0e\x18\x01\x00\x03\x03",
		"MPA Reply rev 1, markers wanted, CRC wanted, 8 bytes of private data"},
	{"rejected", hexReply + "60 01 0002 6e6f",
		Start{Reply: true, CRC: true, Reject: true, Flags: 0x60, Revision: 1, PDLength: 2}, "no",
		"MPA Reply rev 1, rejected, no markers, CRC wanted, 2 bytes of private data"},
	{"rejected, enhanced", hexReply + "30 02 0004 00010002",
		Start{Reply: true, Reject: true, Enhanced: true, Flags: 0x30, Revision: 2, PDLength: 4, HasDepths: true, IRD: 1, ORD: 2}, "",
		"MPA Reply rev 2, rejected, no markers, no CRC, IRD 1, ORD 2"},
	{"peer to peer, all RTRs", hexRequest + "50 02 0005 c008 c009 61",
		Start{CRC: true, Enhanced: true, Flags: 0x50, Revision: 2, PDLength: 5, HasDepths: true,
			PeerToPeer: true, ZeroSend: true, ZeroWrite: true, ZeroRead: true, IRD: 8, ORD: 9}, "a",
		"MPA Request rev 2, no markers, CRC wanted, IRD 8, ORD 9, peer to peer, " +
			"RTR: zero-length Send or zero-length RDMA Write or zero-length RDMA Read, 1 byte of private data"},
	{"peer to peer, RTR Read", hexReply + "50 02 0004 8008 4008",
		Start{Reply: true, CRC: true, Enhanced: true, Flags: 0x50, Revision: 2, PDLength: 4, HasDepths: true,
			PeerToPeer: true, ZeroRead: true, IRD: 8, ORD: 8}, "",
		"MPA Reply rev 2, no markers, CRC wanted, IRD 8, ORD 8, peer to peer, RTR: zero-length RDMA Read"},
	{"peer to peer, no RTR", hexReply + "10 02 0004 8001 0001",
		Start{Reply: true, Enhanced: true, Flags: 0x10, Revision: 2, PDLength: 4, HasDepths: true, PeerToPeer: true, IRD: 1, ORD: 1}, "",
		"MPA Reply rev 2, no markers, no CRC, IRD 1, ORD 1, peer to peer"},
	{"RTRs without peer to peer", hexRequest + "10 02 0004 4001 c001",
		Start{Enhanced: true, Flags: 0x10, Revision: 2, PDLength: 4, HasDepths: true, ZeroSend: true, ZeroWrite: true, ZeroRead: true, IRD: 1, ORD: 1}, "",
		"MPA Request rev 2, no markers, no CRC, IRD 1, ORD 1"},
	{"depths not negotiated", hexRequest + "10 02 0004 3fff 3fff",
		Start{Enhanced: true, Flags: 0x10, Revision: 2, PDLength: 4, HasDepths: true, IRD: 0x3fff, ORD: 0x3fff}, "",
		"MPA Request rev 2, no markers, no CRC, IRD not negotiated, ORD not negotiated"},
	{"revision 2 without S", hexRequest + "40 02 0004 00080008",
		Start{CRC: true, Flags: 0x40, Revision: 2, PDLength: 4}, "\x00\x08\x00\x08",
		"MPA Request rev 2, no markers, CRC wanted, 4 bytes of private data"},
	{"flags of no meaning in a Request of revision 1", hexRequest + "3f 01 0004 00080008",
		Start{Reject: true, Enhanced: true, Flags: 0x3f, Revision: 1, PDLength: 4}, "\x00\x08\x00\x08",
		"MPA Request rev 1, no markers, no CRC, 4 bytes of private data, flags without a meaning here: 0x3f"},
	{"siw's reserved flag", hexRequest + "18 02 0004 00010001",
		Start{Enhanced: true, Flags: 0x18, Revision: 2, PDLength: 4, HasDepths: true, IRD: 1, ORD: 1}, "",
		"MPA Request rev 2, no markers, no CRC, IRD 1, ORD 1, flags without a meaning here: 0x08"},
	{"revision 0", hexRequest + "40 00 0000",
		Start{CRC: true, Flags: 0x40}, "", "MPA Request rev 0, no markers, CRC wanted"},
	{"revision 3", hexReply + "50 03 0004 00020003",
		Start{Reply: true, CRC: true, Enhanced: true, Flags: 0x50, Revision: 3, PDLength: 4, HasDepths: true, IRD: 2, ORD: 3}, "",
		"MPA Reply rev 3, no markers, CRC wanted, IRD 2, ORD 3"},
	{"most private data", hexRequest + "00 01 0200" + strings.Repeat("ab", 512),
		Start{Revision: 1, PDLength: 512}, strings.Repeat("\xab", 512),
		"MPA Request rev 1, no markers, no CRC, 512 bytes of private data"},
}

func TestStart(t *testing.T) {
	for _, v := range startVectors {
		t.Run(v.name, func(t *testing.T) {
			frame := check.Hex(t, v.bytes)
			b := append(frame, "an FPDU"...) // as in a stream
			s := Start{Fault: field.Fault{Reason: "of the frame before"}, ORD: 99}
			if n, whole := s.Decode(b); n != len(frame) || !whole {
				t.Errorf("%d bytes, whole is %v; want %d", n, whole, len(frame))
			}
			private := s.PrivateData()
			if string(private) != v.private || private == nil {
				t.Errorf("private data %q, want %q", private, v.private)
			}
			want := v.want
			want.Bytes = frame
			if !reflect.DeepEqual(s, want) {
				t.Errorf("\n got %+v\nwant %+v", s, want)
			}
			if got := string(AppendStartSummary([]byte("> "), &s)); got != "> "+v.summary {
				t.Errorf("%q, want %q", got, v.summary)
			}
		})
	}
}

func TestStartFaults(t *testing.T) {
	for _, test := range []struct {
		name, data string
		n          int
		whole      bool
		fault      string
		private    bool // whether all of it is there
		summary    string
	}{
		{"nothing", "", 0, false, "MPA Request or Reply cut short at byte 0", false, "MPA [MPA Request or Reply cut short at byte 0]"},
		{"an FPDU", "011c 4143 00000000", 0, false, "no key of an MPA Request or Reply at byte 0", false,
			"MPA [no key of an MPA Request or Reply at byte 0]"},
		{"a key of another kind", "4d504120 49442052 65782046 72616d65 00 01 0000", 0, false, "no key of an MPA Request or Reply at byte 9", false,
			"MPA [no key of an MPA Request or Reply at byte 9]"},
		{"another last byte", hexReply[:len(hexReply)-2] + "64 00 01 0000", 0, false, "no key of an MPA Request or Reply at byte 15", false,
			"MPA [no key of an MPA Request or Reply at byte 15]"},
		{"513 bytes", hexRequest + "00 01 0201" + strings.Repeat("ab", 513), 20, true, "PD_Length is more than 512 at byte 18", false,
			"MPA Request rev 1, no markers, no CRC [PD_Length is more than 512 at byte 18]"},
		{"513 bytes, enhanced", hexRequest + "10 02 0201 00010001", 20, true, "PD_Length is more than 512 at byte 18", false,
			"MPA Request rev 2, no markers, no CRC [PD_Length is more than 512 at byte 18]"},
		{"65535 bytes", hexReply + "00 01 ffff", 20, true, "PD_Length is more than 512 at byte 18", false,
			"MPA Reply rev 1, no markers, no CRC [PD_Length is more than 512 at byte 18]"},
		{"too short for S", hexReply + "10 02 0003 000100", 23, true, "PD_Length is less than the 4 bytes that S announces at byte 18", true,
			"MPA Reply rev 2, no markers, no CRC [PD_Length is less than the 4 bytes that S announces at byte 18]"},
		{"too short for S, and cut", hexReply + "10 02 0003 0001", 23, false, "PD_Length is less than the 4 bytes that S announces at byte 18", false,
			"MPA Reply rev 2, no markers, no CRC [PD_Length is less than the 4 bytes that S announces at byte 18]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s Start
			n, whole := s.Decode(check.Hex(t, test.data))
			if n != test.n || whole != test.whole || s.Fault.String() != test.fault {
				t.Errorf("%d bytes, whole is %v, fault %q; want %d, %v, %q", n, whole, s.Fault, test.n, test.whole, test.fault)
			}
			// What is no consumer's data for certain is never given out as such.
			if private := s.PrivateData(); len(private) > 0 || (private != nil) != test.private {
				t.Errorf("private data %x, nil is %v", private, private == nil)
			}
			if s.HasDepths {
				t.Errorf("IRD %d, ORD %d", s.IRD, s.ORD)
			}
			if got := string(AppendStartSummary(nil, &s)); got != test.summary {
				t.Errorf("%q, want %q", got, test.summary)
			}
		})
	}
}

func TestLooksLikeStart(t *testing.T) {
	for _, test := range []struct {
		data string
		want bool
	}{
		{"", false},
		{"M", true},
		{"MPA ID Re", true},
		{"MPA ID Req", true},
		{"MPA ID Rep Fram", true},
		{"MPA ID Req Frame", true},
		{"MPA ID Rep Frame\x10\x02", true},
		{"MPA ID Rex", false},
		{"MPA ID Req frame", false},
		{"mpa ID Req Frame", false},
		{"MPA ID Reqq", false},
		{"MPA ID Req Frami\x10\x02\x00\x0c", false},
		{"\x00", false},
	} {
		if got := LooksLikeStart([]byte(test.data)); got != test.want {
			t.Errorf("%q: %v", test.data, got)
		}
	}
}

func TestStartAllocatesNothing(t *testing.T) {
	for _, v := range startVectors {
		b := check.Hex(t, v.bytes)
		row := make([]byte, 0, 256)
		var s Start
		if n := testing.AllocsPerRun(100, func() {
			LooksLikeStart(b)
			s.Decode(b[:17])
			s.Decode(b)
			s.PrivateData()
			row = AppendStartSummary(row[:0], &s)
		}); n != 0 {
			t.Errorf("%s: %v allocations", v.name, n)
		}
	}
}
