package link

import (
	"math/rand/v2"
	"testing"
)

// TestSegmentAgainstTable holds the accessors of a TCP segment against the
// table, for random headers.
func TestSegmentAgainstTable(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9293))
	whole := 0
	for range 2000 {
		frame := make([]byte, ipv4Size+tcpSize+40)
		for i := range frame {
			frame[i] = byte(random.Uint32())
		}
		frame[0], frame[6], frame[7], frame[9] = 0x45, 0, 0, protoTCP
		frame[2], frame[3] = 0, byte(len(frame))
		h := frame[ipv4Size:]
		var p Packet
		p.Decode(TypeIPv4, frame, len(frame), Options{})
		if p.Transport != TCP {
			t.Fatalf("% x is no TCP: %s", frame, p.Fault())
		}
		u := func(key string) uint64 { return tcpTable.Lookup(key).Uint(h) }
		flags := TCPFlags(u("cwr")<<7 | u("ece")<<6 | u("urg")<<5 | u("ackflag")<<4 | u("psh")<<3 | u("rst")<<2 | u("syn")<<1 | u("fin"))
		want := Segment{Seq: uint32(u("seq")), Ack: uint32(u("ack")), Checksum: uint16(u("checksum")), Window: uint16(u("window")), Flags: flags}
		if size := int(u("hdr_len")) * 4; size >= tcpSize && size <= len(h) {
			want.size = uint8(size)
			whole++
		} else if !p.Faulty() {
			t.Fatalf("a header of %d bytes in %d is no fault", size, len(h))
		}
		got := p.TCP // but for the options, which have their own test
		got.TSval, got.TSecr, got.HasTSval, got.sack = 0, 0, false, 0
		if got != want {
			t.Fatalf("% x is %+v, want %+v", h, got, want)
		}
	}
	if whole == 0 {
		t.Error("no header was whole")
	}
}

// TestNoSegmentOfCutHeader holds that a header that is not all there gives no
// place for the bytes after it.
func TestNoSegmentOfCutHeader(t *testing.T) {
	frame := hexBytes(realSYN)
	for n := range frame {
		var p Packet
		p.Decode(TypeEthernet, frame[:n], len(frame), Options{})
		if n < ethernetSize+ipv4Size+tcpSize && p.TCPData() != 0 {
			t.Errorf("cut at byte %d: bytes from %d on", n, p.TCPData())
		}
	}
}

func TestTCPFlags(t *testing.T) {
	for _, c := range []struct {
		flags         TCPFlags
		all, controls string
	}{
		{0, "", ""},
		{SYN, "SYN", "SYN"},
		{SYN | ACK, "SYN, ACK", "SYN"},
		{PSH | ACK, "PSH, ACK", ""},
		{FIN | PSH | ACK, "FIN, PSH, ACK", "FIN"},
		{0xFF, "FIN, SYN, RST, PSH, ACK, URG, ECE, CWR", "FIN, SYN, RST"},
	} {
		if got := string(c.flags.AppendTo(nil)); got != c.all {
			t.Errorf("%#02x is %q, want %q", uint8(c.flags), got, c.all)
		}
		if got := string(c.flags.Control().AppendTo(nil)); got != c.controls {
			t.Errorf("%#02x controls %q, want %q", uint8(c.flags), got, c.controls)
		}
	}
	if !(SYN | ACK).Has(SYN) || (SYN | ACK).Has(FIN|RST) {
		t.Error("Has is wrong")
	}
}
