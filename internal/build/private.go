package build

import (
	"encoding/binary"
	"net/netip"
)

// PortNFS is the port of NFS over RDMA (RFC 8267, section 9).
const PortNFS = 20049

// IPServiceID is the service ID of a port in the RDMA IP CM service's TCP port
// space (InfiniBand Architecture 1.3, annex A11).
func IPServiceID(port uint16) uint64 { return 0x0000_0000_0106_0000 | uint64(port) }

// IPCM is the first 36 bytes of the private data of a REQ for such a service.
type IPCM struct {
	SrcPort  uint16
	Src, Dst netip.Addr
}

// Bytes is the IP CM header followed by the consumer's own private data.
func (h IPCM) Bytes(consumer []byte) []byte {
	b := make([]byte, 36, 92)
	b[1] = 4 << 4
	if h.Src.Is6() {
		b[1] = 6 << 4
	}
	binary.BigEndian.PutUint16(b[2:], h.SrcPort)
	putIPCM(b[4:20], h.Src)
	putIPCM(b[20:36], h.Dst)
	return append(b, consumer...)
}

// putIPCM writes an address into 16 bytes; IPv4 takes the last four alone.
func putIPCM(b []byte, a netip.Addr) {
	data := a.AsSlice()
	copy(b[len(b)-len(data):], data)
}

// PrivateData is the CM private data of RPC-over-RDMA version 1 (RFC 8797,
// section 4): inline sizes in bytes, 1024 to 262144 in steps of 1024.
func PrivateData(send, receive int, remoteInvalidation bool) []byte {
	b := []byte{0xf6, 0xab, 0x0e, 0x18, 1, 0, byte(send/1024 - 1), byte(receive/1024 - 1)}
	if remoteInvalidation {
		b[5] = 1
	}
	return b
}
