package shipped

import (
	"encoding/binary"
	"testing"
)

// TestSeedsAreWhatTheySay looks at what stands first in each kind of seed.
func TestSeedsAreWhatTheySay(t *testing.T) {
	if got := binary.LittleEndian.Uint32(File(t, "rxe-cb")); got != 0xfd2fb528 {
		t.Errorf("File: magic number %#08x, not that of zstd", got)
	}
	if got := binary.LittleEndian.Uint32(Unpacked(t, "rxe-cb", 24)); got != 0xa1b2c3d4 {
		t.Errorf("Unpacked: magic number %#08x, not that of pcap", got)
	}
	if got := binary.LittleEndian.Uint32(Unpacked(t, "rxe-loss", 28)); got != 0x0a0d0d0a {
		t.Errorf("Unpacked: block type %#08x, not that of a pcapng section", got)
	}
	for _, frame := range Frames(t, "rxe-cb", 100) {
		if kind := binary.BigEndian.Uint16(frame[12:]); kind < 0x600 {
			t.Errorf("Frames: EtherType %#04x", kind)
		}
	}
	for _, b := range RoCEv2(t, "rxe-cb", 100) {
		if pkey := binary.BigEndian.Uint16(b[2:]); pkey != 0xffff {
			t.Errorf("RoCEv2: P_Key %#04x, not the default one", pkey)
		}
	}
	for _, b := range Sends(t, "rxe-cb", 100) {
		if version := binary.BigEndian.Uint32(b[4:]); version != 1 {
			t.Errorf("Sends: RPC-over-RDMA version %d", version)
		}
	}
	for _, b := range MADs(t, "rxe-cb", 6) {
		if len(b) != 256 || b[0] != 1 || b[1] != 7 {
			t.Errorf("MADs: %d octets, base version %d, class %d", len(b), b[0], b[1])
		}
	}
}
