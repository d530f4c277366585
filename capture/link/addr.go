package link

import (
	"encoding/binary"
	"net/netip"

	"github.com/rdmacap/rdmacap/field"
)

// An Addr is the network address of one end: an IPv4 or IPv6 address, a GID
// (written like IPv6), or, on a native InfiniBand subnet, a LID. It is
// comparable and holds no pointer, so it serves as a map key.
type Addr struct {
	octets [16]byte
	kind   addrKind
}

type addrKind uint8

const (
	addrNone addrKind = iota
	addrIPv4
	addrIPv6
	addrLID
)

// AddrIPv4 makes an address of four octets in network order.
func AddrIPv4(b []byte) (a Addr) {
	a.setIPv4(b)
	return a
}

// AddrIPv6 makes an address of sixteen octets: IPv6 or a GID. An IPv4-mapped
// one (::ffff:a.b.c.d, as RoCE GIDs carry IPv4) becomes that IPv4 address.
func AddrIPv6(b []byte) (a Addr) {
	a.setIPv6(b)
	return a
}

// setIPv4 and setIPv6 write an address in place: one that is built elsewhere
// and copied costs the hot path three times as much.
func (a *Addr) setIPv4(b []byte) {
	clear(a.octets[4:])
	*(*[4]byte)(a.octets[:4]) = [4]byte(b)
	a.kind = addrIPv4
}

func (a *Addr) setIPv6(b []byte) {
	if binary.BigEndian.Uint64(b) == 0 && binary.BigEndian.Uint32(b[8:]) == 0xFFFF {
		a.setIPv4(b[12:16])
		return
	}
	a.octets = [16]byte(b)
	a.kind = addrIPv6
}

// AddrLID makes an address of a 16-bit local identifier.
func AddrLID(lid uint16) (a Addr) {
	a.kind = addrLID
	a.octets[0], a.octets[1] = byte(lid>>8), byte(lid)
	return a
}

// IsValid reports whether the address is set.
func (a Addr) IsValid() bool { return a.kind != addrNone }

// IP is the address as netip has it, the zero netip.Addr for a LID.
func (a Addr) IP() netip.Addr {
	switch a.kind {
	case addrIPv4:
		return netip.AddrFrom4([4]byte(a.octets[:4]))
	case addrIPv6:
		return netip.AddrFrom16(a.octets)
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
		return field.AppendHex(append(dst, "LID "...), uint64(a.octets[0])<<8|uint64(a.octets[1]), 4)
	}
	return append(dst, '?')
}

// String is AppendTo's text.
func (a Addr) String() string { return string(a.AppendTo(nil)) }

// Less orders addresses, for stable output.
func (a Addr) Less(b Addr) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return string(a.octets[:]) < string(b.octets[:])
}
