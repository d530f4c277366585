package rocev2_test

import (
	"encoding/hex"
	"math/bits"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/rocev2"
)

// bareFrame is a SEND Only of 17 bytes, with a pad of 3 and a right ICRC.
func bareFrame(t *testing.T) []byte {
	t.Helper()
	frame, err := hex.DecodeString(strings.ReplaceAll("020000000001 020000000002 0800"+
		"45 02 0044 1234 4000 40 11 0000 c0000202 c0000201"+ // 68 bytes
		"c123 12b7 0030 0000"+
		"04 b0 ffff 00 000411 80 000007"+strings.Repeat("a5", 17)+"000000 00000000", " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	frame[17] = byte(len(frame) - 14)
	frame[39] = byte(len(frame) - 34)
	build.Reseal(frame)
	return frame
}

func decoded(t *testing.T, frame []byte) *link.Packet {
	t.Helper()
	var p link.Packet
	p.Decode(link.TypeEthernet, frame, len(frame), link.Options{})
	if _, _, ok := rocev2.ICRC(frame, &p); !ok {
		t.Fatal("the frame has no ICRC")
	}
	return &p
}

// TestICRCRules finds each rule by which an ICRC is right, and none in damage.
func TestICRCRules(t *testing.T) {
	put := func(frame []byte, crc uint32) { // as it stands on the wire
		for i := range 4 {
			frame[len(frame)-4+i] = byte(bits.ReverseBytes32(crc) >> (8 * i))
		}
	}
	for _, test := range []struct {
		name   string
		change func(frame []byte)
		kind   rocev2.ICRCKind
		fields string
	}{
		{"no pad", func(f []byte) { build.OtherICRC(f, "nopad") }, rocev2.ICRCNoPad, ""},
		{"reversed", func(f []byte) { build.OtherICRC(f, "reversed") }, rocev2.ICRCReversed, ""},
		{"TTL as sent", func(f []byte) { build.OtherICRC(f, "ttl") }, rocev2.ICRCMask, "TTL as sent, not as all ones"},
		{"identification masked", func(f []byte) {
			id := [2]byte(f[18:20])
			f[18], f[19] = 0xff, 0xff
			build.Reseal(f)
			copy(f[18:], id[:])
		}, rocev2.ICRCMask, "IPv4 identification as all ones, not as sent"},
		{"another source address", func(f []byte) { f[29] = 77 }, rocev2.ICRCAddresses, ""},
		{"another destination address", func(f []byte) { f[33] = 77 }, rocev2.ICRCAddresses, ""},
		{"both", func(f []byte) { f[29], f[33] = 77, 78 }, rocev2.ICRCAddresses, ""},
	} {
		frame := bareFrame(t)
		test.change(frame)
		p := decoded(t, frame)
		addresses := [2]link.Addr{link.AddrIPv4([]byte{192, 0, 2, 2}), link.AddrIPv4([]byte{192, 0, 2, 1})}
		r, ok := rocev2.FindICRCRule(frame, p, addresses)
		if !ok || r.Kind != test.kind || r.Fields() != test.fields {
			t.Errorf("%s: %v, kind %d, %q", test.name, ok, r.Kind, r.Fields())
		}
		if !r.Explains(frame, p) {
			t.Errorf("%s: the rule that was found does not explain it", test.name)
		}
	}
	frame := bareFrame(t)
	if r, ok := rocev2.FindICRCRule(frame, decoded(t, frame)); ok {
		t.Errorf("a right ICRC follows rule %d", r.Kind)
	}
	for at := 30 * 8; at < len(frame)*8; at++ { // from the destination address on, of which no other is known
		damaged := bareFrame(t)
		damaged[at/8] ^= 1 << (at % 8)
		p := decodedAny(damaged)
		if r, ok := rocev2.FindICRCRule(damaged, p); ok {
			t.Errorf("bit %d is damaged, and follows rule %d, %q", at, r.Kind, r.Fields())
		}
	}
	put(frame, 0)
	if r, ok := rocev2.FindICRCRule(frame, decoded(t, frame)); ok {
		t.Errorf("an ICRC of zeros follows rule %d, %q", r.Kind, r.Fields())
	}
	for n := range frame { // cut anywhere
		p := decodedAny(frame[:n])
		if _, ok := rocev2.FindICRCRule(frame[:n], p); ok {
			t.Errorf("%d bytes of a frame follow a rule", n)
		}
	}
}

func decodedAny(frame []byte) *link.Packet {
	var p link.Packet
	p.Decode(link.TypeEthernet, frame, max(len(frame), 85), link.Options{})
	return &p
}
