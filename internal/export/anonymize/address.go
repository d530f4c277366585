package anonymize

import (
	"crypto/cipher"
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"
)

// An addresses replaces network addresses so that two that had a prefix in common have one of the
// same length in common afterwards, and no more: Xu, Fan, Ammar and Moon, "Prefix-Preserving IP
// Address Anonymization" (ICNP 2002), known as Crypto-PAn.
type addresses struct {
	block cipher.Block
	pad   [16]byte
}

func newAddresses(k *Key, purpose string) addresses {
	s := k.sum(purpose)
	return addresses{newAES(s[:16]), [16]byte(s[16:])}
}

// scramble turns each bit from the one with that number on by a function of those before it.
func (x *addresses) scramble(b []byte, from int) {
	was := [16]byte{}
	copy(was[:], b)
	for i := from; i < 8*len(b); i++ {
		in := x.pad
		full := i / 8
		copy(in[:full], was[:full])
		mask := byte(0xff) << (8 - i%8)
		in[full] = was[full]&mask | x.pad[full]&^mask
		var out [16]byte
		x.block.Encrypt(out[:], in[:])
		b[full] ^= out[0] >> 7 << (7 - i%8)
	}
}

// ipv4 replaces an address. Its class stays, so that multicast does; 0.0.0.0 and 255.255.255.255
// mean no address and all, and stay.
func (x *addresses) ipv4(b [4]byte) [4]byte {
	switch binary.BigEndian.Uint32(b[:]) {
	case 0, 1<<32 - 1:
		return b
	}
	if b[0] == 0 || b[0] == 127 { // these networks mean something: addresses stay in them
		x.scramble(b[:], 8)
		return b
	}
	class := 1 // the bits up to the first 0, at most four
	for class < 4 && b[0]<<(class-1)&0x80 != 0 {
		class++
	}
	// What would come into one of those goes on, so that no two become one. That ends, since the
	// first byte is turned by a permutation, which leads back to where it began, outside of them.
	// Only of addresses whose first bytes differ may the prefix be another afterwards.
	for {
		x.scramble(b[:], class)
		if b[0] != 0 && b[0] != 127 {
			return b
		}
	}
}

// ipv6 replaces an address or GID. What kind of address it is stays: link-local, multicast with its
// scope, unique local, global. An IPv4 address in one is replaced as such.
func (x *addresses) ipv6(b [16]byte, v4 *addresses) [16]byte {
	a := netip.AddrFrom16(b)
	switch {
	case a.IsUnspecified(), a.IsLoopback():
		return b
	case isIPv4(b[:]):
		four := v4.ipv4([4]byte(b[12:]))
		copy(b[12:], four[:])
		return b
	}
	from := 3
	switch {
	case a.IsMulticast():
		from = 16
	case a.IsLinkLocalUnicast():
		from = 64
	case a.IsPrivate():
		from = 8
	case b[0] >= 0xe0:
		from = 16
	}
	x.scramble(b[:], from)
	return b
}

// isIPv4 reports whether an IPv6 address or GID stands for an IPv4 address: after ::ffff, or, as the
// IP CM service has it, after zeros.
func isIPv4(b []byte) bool {
	return netip.AddrFrom16([16]byte(b)).Is4In6() || [12]byte(b[:12]) == [12]byte{}
}

// mac replaces the address of a station. That it is a multicast one stays, and so do those of
// the protocols of bridges, broadcast and zero; all others are locally administered afterwards.
func (m *Mapping) mac(b [6]byte) [6]byte {
	bridge := [5]byte(b[:5]) == [5]byte{0x01, 0x80, 0xc2, 0, 0}
	if bridge || b == [6]byte{} || b == [6]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff} {
		return b
	}
	s := m.key.sum("mac", b[:])
	out := [6]byte(s[:])
	out[0] = out[0]&^3 | 2 | b[0]&1
	return out
}

// universal replaces a universal address (RFC 5665, section 5.2.3: "192.0.2.1.8.1") by one of the
// same length; not ok if it is none, or the address that belongs there is longer.
func (m *Mapping) universal(text string) (replaced string, ok bool) {
	low := strings.LastIndexByte(text, '.')
	if low < 0 {
		return "", false
	}
	high := strings.LastIndexByte(text[:low], '.')
	if high < 0 {
		return "", false
	}
	for _, port := range [...]string{text[high+1 : low], text[low+1:]} {
		if n, err := strconv.ParseUint(port, 10, 8); err != nil || strconv.FormatUint(n, 10) != port {
			return "", false
		}
	}
	a, err := netip.ParseAddr(text[:high])
	if err != nil || !a.Is4() || a.String() != text[:high] {
		return "", false
	}
	four := a.As4()
	out := m.address(four[:])
	host := netip.AddrFrom4([4]byte(out)).String()
	if len(host) > high {
		return "", false
	}
	return strings.Repeat("0", high-len(host)) + host + text[high:], true
}
