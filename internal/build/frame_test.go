package build

import (
	"net/netip"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// same compares bytes and says where they part.
func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: byte %d is %#02x, want %#02x\ngot  %x\nwant %x", what, i, got[i], want[i], got, want)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d bytes, want %d\ngot  %x\nwant %x", what, len(got), len(want), got, want)
	}
}

const ethernet = 14

// Packets with a known ICRC: two written out whole, and one that a ConnectX-4
// Lx sent, of which the ICRC and these fields are known.
func TestICRCVectors(t *testing.T) {
	ipv4 := RoCE(IPv4{Src: ServerIPv4, Dst: ClientIPv4, TOS: 2, ID: 0x1234},
		BTH{OpCode: RCSendOnly, M: true, AckReq: true, DestQP: 0x456, PSN: 0xabc},
		Payload(Header{XID: 0x01020304, Credits: 128}.With(NFS3Null(0x01020304).Bytes)))
	same(t, "NFSv3 NULL call over IPv4", ipv4[ethernet:], check.Hex(t, `
		45020070123440004011a443c0000201c0000202 c00012b7005c0000 0440ffff0000045680000abc
		01020304000000010000008000000000 000000000000000000000000
		010203040000000000000002000186a30000000300000000 0000000000000000 0000000000000000 68c2b11c`))
	ipv6 := RoCE(IPv6{Src: ServerIPv6, Dst: ClientIPv6, TrafficClass: 0x02, FlowLabel: 0x12345},
		BTH{OpCode: RCAcknowledge, M: true, DestQP: 0x11, PSN: 0xabc}, AETH{Syndrome: SyndromeAck, MSN: 5})
	same(t, "ACK over IPv6", ipv6[ethernet:], check.Hex(t, `
		60212345001c114020010db800000000000000000000000120010db8000000000000000000000002
		c00012b7001c0000 1140ffff0000001100000abc 1f000005 b4d9e2f4`))
	cnp := RoCE(IPv4{Src: netip.MustParseAddr("10.0.17.1"), Dst: netip.MustParseAddr("10.0.18.1"), TOS: 0xc2, ID: 0x718c},
		UDP{SrcPort: 0}, BTH{OpCode: CongestionNotification, BECN: true, DestQP: 0x118}, Payload(make([]byte, 16)))
	same(t, "ICRC of a CNP from hardware", cnp[len(cnp)-4:], check.Hex(t, "82fd002a"))
}

// What a router changes on the way leaves the ICRC as it is; everything else counts.
func TestICRCCovers(t *testing.T) {
	masked := map[string][]int{
		"IPv4": {1, 8, 10, 11, 26, 27, 28 + 4},
		"IPv6": {1, 2, 3, 7, 46, 47, 48 + 4}, // and the low half of byte 0
		"GRH":  {1, 2, 3, 7, 40 + 4},
	}
	for name, network := range map[string]Layer{"IPv4": IPv4{}, "IPv6": IPv6{}, "GRH": GRH{}} {
		packet := RoCE(network, BTH{OpCode: RCSendOnly}, Payload("hello"))[ethernet:]
		packet = packet[:len(packet)-icrcLength]
		isMasked := make(map[int]bool)
		for _, i := range masked[name] {
			isMasked[i] = true
		}
		want := ICRC(packet)
		for i := 1; i < len(packet); i++ {
			if name != "GRH" && i == map[string]int{"IPv4": 9, "IPv6": 6}[name] {
				continue // the next protocol decides what the headers are
			}
			packet[i] ^= 0x10
			if changed := ICRC(packet) != want; changed == isMasked[i] {
				t.Errorf("%s: a bit of byte %d changes the ICRC: %v", name, i, changed)
			}
			packet[i] ^= 0x10
		}
	}
}

func TestLayers(t *testing.T) {
	const bth = "00 ffff 00 000000 00 000000"
	for _, test := range []struct {
		name   string
		layers []Layer
		want   string // between BTH and ICRC, BTH included
	}{
		{"every bit of a BTH", []Layer{BTH{OpCode: 0x0c, SE: true, M: true, TVer: 15, PKey: 0x8001, FECN: true, BECN: true, DestQP: 0xabcdef, AckReq: true, PSN: 0x123456}},
			"0c cf 8001 c0 abcdef 80 123456"},
		{"pad of one", []Layer{BTH{}, Payload("abc")}, "00 10 ffff 00 000000 00 000000 61626300"},
		{"pad of three", []Layer{BTH{}, Payload("a")}, "00 30 ffff 00 000000 00 000000 61000000"},
		{"DETH", []Layer{BTH{}, DETH{0x11223344, 0x556677}}, "00" + bth + "11223344 00 556677"},
		{"XRCETH, then RETH", []Layer{BTH{}, XRCETH{0x112233}, RETH{0x0102030405060708, 9, 10}}, "00" + bth + "00 112233 0102030405060708 00000009 0000000a"},
		{"AtomicETH", []Layer{BTH{}, AtomicETH{1, 2, 3, 4}}, "00" + bth + "0000000000000001 00000002 0000000000000003 0000000000000004"},
		{"AETH, then AtomicAckETH", []Layer{BTH{}, AETH{0x62, 0x010203}, AtomicAckETH{5}}, "00" + bth + "62 010203 0000000000000005"},
		{"ImmDt", []Layer{BTH{}, ImmDt{0xdeadbeef}}, "00" + bth + "deadbeef"},
		{"IETH", []Layer{BTH{}, IETH{0xcafef00d}}, "00" + bth + "cafef00d"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Transport(append(test.layers, Trailer("not part of it"))...)
			same(t, test.name, got[:len(got)-icrcLength], check.Hex(t, test.want))
		})
	}
}

func TestBadICRCAndTrailer(t *testing.T) {
	good := RoCE(BTH{OpCode: RCSendOnly}, Payload("data"))
	bad := RoCE(BTH{OpCode: RCSendOnly}, Payload("data"), BadICRC{}, Trailer("!!"))
	n := len(good) - icrcLength
	same(t, "before the ICRC", bad[:n], good[:n])
	for i := n; i < len(good); i++ {
		if bad[i] != ^good[i] {
			t.Errorf("byte %d of the bad ICRC is %#02x, the good one's %#02x", i, bad[i], good[i])
		}
	}
	same(t, "trailer", bad[len(good):], []byte("!!"))
}
