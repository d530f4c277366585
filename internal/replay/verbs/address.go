//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"encoding/binary"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sockaddrSize is how long a sockaddr_storage is.
const sockaddrSize = 128

// putAddress writes a sockaddr_in or sockaddr_in6.
func putAddress(s structure, a netip.AddrPort) {
	clear(s[:sockaddrSize])
	binary.BigEndian.PutUint16(s[2:], a.Port())
	if ip := a.Addr().Unmap(); ip.Is4() {
		binary.NativeEndian.PutUint16(s, unix.AF_INET)
		copy(s[4:], ip.AsSlice())
		return
	}
	binary.NativeEndian.PutUint16(s, unix.AF_INET6)
	copy(s[8:], a.Addr().AsSlice())
	if card, err := net.InterfaceByName(a.Addr().Zone()); err == nil {
		binary.NativeEndian.PutUint32(s[24:], uint32(card.Index)) // of a link-local address
	}
}

// addressAt is the address of a sockaddr in memory of C.
func addressAt(base uintptr, offset int) netip.AddrPort {
	s := unsafe.Slice((*byte)(at(base, offset)), sockaddrSize)
	port := binary.BigEndian.Uint16(s[2:])
	switch binary.NativeEndian.Uint16(s) {
	case unix.AF_INET:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(s[4:8])), port)
	case unix.AF_INET6:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(s[8:24])), port)
	}
	return netip.AddrPort{}
}
