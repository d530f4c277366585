package link

import (
	"cmp"
	"encoding/binary"
	"net/netip"

	"github.com/rdmacap/rdmacap/field"
)

// An Addr is the network address of one end: an IPv4 or IPv6 address, a GID
// (written like IPv6), or, on a native InfiniBand subnet, a LID. It is
// comparable and holds no pointer, so it serves as a map key.
type Addr struct {
	// hi and lo are the sixteen bytes as two words in network order, the
	// first byte the most significant of hi; IPv4 and LIDs stand at the end
	// of lo. Words are compared and copied faster than bytes.
	hi, lo uint64
	kind   addrKind
}

type addrKind uint8

const (
	addrNone addrKind = iota
	addrIPv4
	addrIPv6
	addrLID
)

// AddrIPv4 makes an address of four bytes in network order.
func AddrIPv4(b []byte) Addr {
	return Addr{lo: uint64(binary.BigEndian.Uint32(b)), kind: addrIPv4}
}

// AddrIPv6 makes an address of sixteen bytes: IPv6 or a GID. An IPv4-mapped
// one (::ffff:a.b.c.d, as RoCE GIDs carry IPv4) becomes that IPv4 address.
func AddrIPv6(b []byte) Addr {
	hi, lo := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	const mapped = 0xffff
	if hi == 0 && lo>>32 == mapped {
		return Addr{lo: lo & 0xffffffff, kind: addrIPv4}
	}
	return Addr{hi, lo, addrIPv6}
}

// AddrLID makes an address of a 16-bit local identifier.
func AddrLID(lid uint16) Addr { return Addr{lo: uint64(lid), kind: addrLID} }

// IsValid reports whether the address is set.
func (a Addr) IsValid() bool { return a.kind != addrNone }

// IP is the address as netip has it, the zero netip.Addr for a LID.
func (a Addr) IP() netip.Addr {
	switch a.kind {
	case addrIPv4:
		var b [4]byte
		binary.BigEndian.PutUint32(b[:], uint32(a.lo))
		return netip.AddrFrom4(b)
	case addrIPv6:
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], a.hi)
		binary.BigEndian.PutUint64(b[8:], a.lo)
		return netip.AddrFrom16(b)
	}
	return netip.Addr{}
}

// AppendTo appends the address as a person writes it: "192.0.2.1",
// "fd00::1", "LID 0x0012".
func (a Addr) AppendTo(dst []byte) []byte {
	switch a.kind {
	case addrIPv4, addrIPv6:
		return a.IP().AppendTo(dst)
	case addrLID:
		return field.AppendHex(append(dst, "LID "...), a.lo, 4)
	}
	return append(dst, '?')
}

// String is AppendTo's text.
func (a Addr) String() string { return string(a.AppendTo(nil)) }

// Hash is a number that is the same for the same address, in every run.
func (a Addr) Hash() uint64 {
	h := (a.hi^uint64(a.kind)<<56)*0xFF51AFD7ED558CCD + a.lo // a prime, of MurmurHash3
	h ^= h >> 33
	h *= 0xC4CEB9FE1A85EC53 // the other one
	return h ^ h>>33
}

// Less orders addresses, for stable output.
func (a Addr) Less(b Addr) bool {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) < 0
}
