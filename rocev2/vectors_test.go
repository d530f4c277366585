package rocev2

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/capture/link"
)

// A vector is a packet whose ICRC was computed by someone else: from the IP
// header to the end of the ICRC.
type vector struct {
	name string
	from string
	hex  string
}

// vectors are real frames of Linux 6.1 (Soft-RoCE) hosts that ran NFS over RDMA
// and rping, without their Ethernet header, and the two of the wire reference.
var vectors = []vector{
	{"Acknowledge", "NFS client", "450000302334400040119385c0000202c0000201c2a112b7001c00001100ffff0000001100e2d47c1f000004e7126687"},
	{"NAK", "NFS client, a frame was lost", "45000030db92400040 11db26c0000202c0000201daa912b7001c00001100ffff0000001100fcfa1e6000002 2d5191a6c"},
	{"SendOnly", "NFS server, reply to NULL", "45000060d8ba40004011ddcec0000201c0000202c2a112b7004c00000400ffff0000001180e2d47dbc2d105d000000010000004000000000000000000000000000000000bc2d105d00000001000000000000000000000000000000007e3963c8"},
	{"SendOnlyInv", "NFS server", "45000060e65740004011d031c0000201c0000202dea012b7004c00001700ffff0000001280a1b40d000023d5bbff09fe00000001000000400000000100000000000000000000000100000001000023d500000034bbff09fe45c4a000287f3638"},
	{"WriteOnly, one pad byte", "NFS server", "45000040dff640004011d6b2c0000201c0000202c2a112b7002c00000a10ffff0000001180e2d7874a2e105d45464029000008f40000000300000000a8e5c589"},
	{"ReadRequest", "NFS server", "4500003c0d4040004011a96dc0000201c0000202dea012b7002800000c00ffff0000001280a1b43cdcff09fe43706000000023dd00005000b9ac5048"},
	{"ReadResponseOnly", "rping", "450000f8701c4000401145d5c0000202c0000201e3f712b700e400001000ffff0000001100a6f1371f00000172646d612d70696e672d303a204142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a4142434445464748494a4b4c004a13cd1a"},
	{"IPv4 SendOnly", "wire reference", "45020070123440004011a443c0000201c0000202c00012b7005c00000440ffff0000045680000abc01020304000000010000008000000000000000000000000" +
		"0 00000000010203040000000000000002000186a300000003000000000000000000000000000000000000000068c2b11c"},
	{"IPv6 Acknowledge", "wire reference", "60212345001c114020010db800000000000000000000000120010db8000000000000000000000002c00012b7001c00001140ffff0000001100000abc1f0000" +
		"05b4d9e2f4"},
}

// frame is the vector's bytes.
func (v vector) frame(t testing.TB) []byte {
	t.Helper()
	return check.Hex(t, v.hex)
}

// transport is the vector's bytes from the BTH on.
func (v vector) transport(t testing.TB) []byte {
	t.Helper()
	b := v.frame(t)
	return b[lower(b).Start():]
}

// find is the vector of that name.
func find(t testing.TB, name string) vector {
	t.Helper()
	for _, v := range vectors {
		if v.name == name {
			return v
		}
	}
	t.Fatalf("no vector %q", name)
	return vector{}
}

// lower describes a frame that begins with an IP header without options or
// extensions and is UDP. It does not check what it reads.
func lower(b []byte) *link.Packet {
	start, end := 28, len(b)
	if b[0]>>4 == 6 {
		start = 48
	} else {
		end = int(binary.BigEndian.Uint16(b[2:]))
	}
	p := link.Compose(link.RoCEv2, 0, false, start, end)
	return &p
}
