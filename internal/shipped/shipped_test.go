package shipped

import (
	"encoding/binary"
	"strings"
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
			t.Errorf("MADs: %d bytes, base version %d, class %d", len(b), b[0], b[1])
		}
	}
}

// TestSeedsOfIWARP looks at what stands first in each kind of seed of iWARP.
func TestSeedsOfIWARP(t *testing.T) {
	const name = "siw-basic"
	frames := MPAFrames(t, name, 8) // of 4 connections
	for i, b := range frames {
		kind := []string{"MPA ID Req Frame", "MPA ID Rep Frame"}[i%2]
		if string(b[:16]) != kind || len(b) != 20+int(binary.BigEndian.Uint16(b[18:])) {
			t.Errorf("MPAFrames: %d bytes, %q, want a whole %s", len(b), b[:16], kind)
		}
	}
	for _, b := range FPDUs(t, name, 500) {
		// The CRC is not in use. (The pad is not always zero, though it has to
		// be: siw leaves there what it sent before.)
		if crc := binary.BigEndian.Uint32(b[len(b)-4:]); crc != 0 {
			t.Errorf("FPDUs: CRC %#08x, want the 0 of siw", crc)
		}
	}
	kinds := map[byte]int{}
	for _, b := range ULPDUs(t, name, 500) {
		if b[0]&3 != 1 || b[1]>>6 != 1 {
			t.Errorf("ULPDUs: DV %d, RV %d", b[0]&3, b[1]>>6)
		}
		kinds[b[1]&15]++
	}
	for opcode := range byte(4) { // RDMA Write, Read Request, Read Response, Send
		if kinds[opcode] == 0 {
			t.Errorf("ULPDUs: none has RDMAP opcode %d, only %v", opcode, kinds)
		}
	}
	// Some FPDU has several segments.
	odd := 0
	for _, b := range Segments(t, name, 500) {
		if !strings.HasPrefix(string(b), mpaKeyStart) && len(b) != fpduSize(b) {
			odd++
		}
	}
	if odd == 0 {
		t.Error("Segments: each is one FPDU")
	}
}
