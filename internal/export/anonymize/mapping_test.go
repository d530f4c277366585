package anonymize

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
)

func newMapping() *Mapping { return NewMapping(&Key{1, 2, 3}) }

// common is how many bits two addresses have in common from the first one on.
func common(a, b []byte) int {
	for i := range a {
		if x := a[i] ^ b[i]; x != 0 {
			return 8*i + bits.LeadingZeros8(x)
		}
	}
	return 8 * len(a)
}

// TestAddressesKeepPrefixes holds that addresses have afterwards in common what they had before, and
// no more, so that no two become one.
func TestAddressesKeepPrefixes(t *testing.T) {
	m, random := newMapping(), rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 2000 {
		var a, b [4]byte
		binary.BigEndian.PutUint32(a[:], 10<<24|random.Uint32()>>8)
		b = a
		b[random.IntN(3)+1] ^= byte(1 << random.IntN(8))
		x, y := m.v4.ipv4(a), m.v4.ipv4(b)
		if common(a[:], b[:]) != common(x[:], y[:]) {
			t.Fatalf("%v and %v become %v and %v", a, b, x, y)
		}
		if x != a {
			changed++
		}
		var c, d [16]byte
		binary.BigEndian.PutUint64(c[:], 0x20010db8<<32|random.Uint64()>>32)
		binary.BigEndian.PutUint64(c[8:], random.Uint64())
		d = c
		d[random.IntN(12)+4] ^= byte(1 << random.IntN(8))
		z, w := m.v6.ipv6(c, &m.v4), m.v6.ipv6(d, &m.v4)
		if common(c[:], d[:]) != common(z[:], w[:]) || z == c {
			t.Fatalf("%x and %x become %x and %x", c, d, z, w)
		}
	}
	if changed < 1990 {
		t.Errorf("of 2000 addresses %d changed", changed)
	}
}

// TestAddressesOfAnyKey holds that an address is replaced with any key, and stays out of the networks
// 0 and 127, or in them: with nine keys of a hundred one of network 0 was replaced again and again,
// without end.
func TestAddressesOfAnyKey(t *testing.T) {
	for n := range 500 {
		m := NewMapping(&Key{byte(n), byte(n >> 8)})
		for _, a := range [...][4]byte{{0, 1, 2, 3}, {0, 0, 0, 2}, {127, 0, 0, 1}, {10, 0, 0, 1}, {1, 1, 1, 1}, {126, 0, 0, 1}} {
			is := m.v4.ipv4(a)
			network := a[0] == 0 || a[0] == 127
			if network && is[0] != a[0] || !network && (is[0] == 0 || is[0] == 127) {
				t.Fatalf("key %d: %v becomes %v", n, a, is)
			}
		}
	}
}

// TestAddressesKeepTheirKind holds that what kind of address one is stays.
func TestAddressesKeepTheirKind(t *testing.T) {
	m := newMapping()
	for _, text := range []string{"0.0.0.0", "255.255.255.255", "::", "::1"} {
		a := netip.MustParseAddr(text)
		if got := m.address(a.AsSlice()); !bytes.Equal(got, a.AsSlice()) {
			t.Errorf("%s becomes %v", text, got)
		}
	}
	for _, text := range []string{"10.1.2.3", "127.0.0.53", "172.16.1.1", "192.168.1.1", "224.0.0.251", "fe80::1:2", "ff02::fb", "fd00::1", "2001:db8::1", "::ffff:10.1.2.3"} {
		a := netip.MustParseAddr(text)
		b, _ := netip.AddrFromSlice(m.address(a.AsSlice()))
		if a == b || a.IsLoopback() != b.IsLoopback() || a.IsMulticast() != b.IsMulticast() || a.IsLinkLocalUnicast() != b.IsLinkLocalUnicast() || a.Is4In6() != b.Is4In6() {
			t.Errorf("%s becomes %s", a, b)
		}
	}
	four, six := m.address([]byte{10, 1, 2, 3}), m.address(netip.MustParseAddr("::ffff:10.1.2.3").AsSlice())
	if !bytes.Equal(four, six[12:]) {
		t.Errorf("the IPv4 address becomes %v, in IPv6 %v", four, six)
	}
	for _, is := range [][6]byte{{0x01, 0x80, 0xc2, 0, 0, 1}, {}, {255, 255, 255, 255, 255, 255}} {
		if m.mac(is) != is {
			t.Errorf("%x becomes %x", is, m.mac(is))
		}
	}
	if a, b := m.mac([6]byte{0x52, 1, 2, 3, 4, 5}), m.mac([6]byte{0x33, 0x33, 0, 0, 0, 0xfb}); a[0]&3 != 2 || b[0]&1 != 1 || a[1] == 1 && a[2] == 2 {
		t.Errorf("stations become %x and %x", a, b)
	}
}

// TestNames holds that text stays as long, printable, and the same for the same.
func TestNames(t *testing.T) {
	m := newMapping()
	for _, text := range []string{"x", "secret.txt", "a longer name that needs more than one sum of its own, of 48 characters and then some", "\x00\xff\n"} {
		got := string(m.name([]byte(text)))
		if len(got) != len(text) || got == text || got != string(m.name([]byte(text))) || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for _, text := range []string{"", ".", ".."} {
		if got := string(m.name([]byte(text))); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	host := netip.MustParseAddr("192.168.100.200")
	replaced := netip.AddrFrom4(m.v4.ipv4(host.As4()))
	if got, ok := m.universal("192.168.100.200.8.1"); !ok || len(got) != 19 || !strings.HasSuffix(strings.TrimLeft(got, "0"), replaced.String()+".8.1") {
		t.Errorf("the universal address becomes %q, %s", got, replaced)
	}
	for _, text := range []string{"a.b.c.d.8.1", "192.168.1.1", "1.2.3.4.300.1", "1.2.3.4.08.1", "1.2.3.4.8.", "..", "10.0.0.1.passwd.1"} {
		if got, ok := m.universal(text); ok {
			t.Errorf("%q is taken for an address: %q", text, got)
		}
	}
	if got := m.id([]byte{0, 0, 3, 232}); bytes.Equal(got, []byte{0, 0, 3, 232}) || !bytes.Equal(m.id(make([]byte, 4)), make([]byte, 4)) {
		t.Errorf("1000 becomes %x", got)
	}
}

// TestOpaque holds that any bytes but all zeros and all ones are replaced by as many others.
func TestOpaque(t *testing.T) {
	m := newMapping()
	for _, b := range [][]byte{{0xa1, 0xa2, 0xa3, 0xa4}, {0xff, 0xfe}, {0xff, 0xff, 0xff, 0}, {0, 0, 1}, bytes.Repeat([]byte{0x80}, 100), {0xfd}} {
		if got := m.opaque(Handle, b); bytes.Equal(got, b) || len(got) != len(b) {
			t.Errorf("%x becomes %x", b, got)
		}
	}
	for _, b := range [][]byte{nil, make([]byte, 12), bytes.Repeat([]byte{0xff}, 12)} {
		if got := m.opaque(Handle, b); !bytes.Equal(got, b) {
			t.Errorf("%x becomes %x", b, got)
		}
	}
	p := &Plan{key: m.key}
	if got := p.check([]byte{0xa1, 0xa2}, []byte{1, 2}, []byte{3, 4}); bytes.Equal(got, []byte{0xa1, 0xa2}) || bytes.Equal(got, []byte{3, 4}) {
		t.Errorf("a wrong checksum becomes %x", got)
	}
	if got := p.check([]byte{1, 2}, []byte{1, 2}, []byte{3, 4}); !bytes.Equal(got, []byte{3, 4}) {
		t.Errorf("a right checksum becomes %x", got)
	}
}

// TestStream holds that a stream has the same bytes in the same places, however it is read.
func TestStream(t *testing.T) {
	k := Key{9}
	s := k.stream("payload", []byte("a"))
	whole := make([]byte, 500)
	s.fill(whole, 1<<32-100)
	for from := range 200 {
		part := make([]byte, 100)
		if s.fill(part, uint64(1<<32-100+from)); !bytes.Equal(part, whole[from:from+100]) {
			t.Fatalf("from byte %d it has others", from)
		}
	}
	other := k.stream("payload", []byte("b"))
	part := make([]byte, 100)
	if other.fill(part, 1<<32-100); bytes.Equal(part, whole[:100]) {
		t.Error("two streams are the same")
	}
}

// TestDraft holds that what nobody named is not known, and of pad only zeros.
func TestDraft(t *testing.T) {
	var d plan
	d.beginBytes([]byte{1, 2, 3, 4, 'n', 'a', 'm', 0, 'x', 0, 7, 0, 0, 0, 0, 0})
	d.keep(0, 4)
	d.replace(4, []byte("abc"))
	d.replace(8, []byte("y"))
	d.pads(0)
	var got []string
	d.runs(func(at int, is []byte) { got = append(got, string(rune('0'+at))+string(is)) })
	if want := "0\x01\x02\x03\x04abc\x00y"; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.replace(14, []byte("long")) // does not fit
	if d.known[14] {
		t.Error("what does not fit was taken")
	}
}

// TestFates holds that no field of more than 8 bytes, no checksum and no address stays.
func TestFates(t *testing.T) {
	all := fates()
	for key, want := range map[string]fate{
		"eth.src": address, "ip.dst": address, "ipv6.src": address, "grh.sgid": address, "cm.ip.src": address, "cm.req.primary_localgid": address,
		"ip.checksum": unknown, "tcp.checksum": unknown, "udp.checksum": unknown, "icrc.icrc": unknown, "mpa.crc.crc": unknown, "gre.csum.checksum": unknown,
		"immdt.immdt": unknown, "rpc.sys.uid": id, "rpc.sys.gids": id, "bth.psn": number, "rpc.xid": number, "rpcrdma.segment.handle": number,
		"cm.req.localcaguid": opaque, "cm.rej.info": unknown, "sll.src": station,
	} {
		if got, known := all[key]; got != want || !known {
			t.Errorf("%s: %d, want %d; known %v", key, got, want, known)
		}
	}
	fields := declared()
	for key := range special() {
		if _, known := fields[key]; !known {
			t.Errorf("there is no field %s", key)
		}
	}
}
