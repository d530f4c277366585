package shipped

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// Where things stand in a frame of siw-basic and siw-perftest, as in those of
// the others: TCP begins after 14 bytes of Ethernet and 20 of IPv4.
const (
	tcpAt       = 14 + 20
	startSize   = 20 // key, flags, revision and PD_Length of an MPA frame
	crcSize     = 4
	taggedSize  = 14
	mpaKeyStart = "MPA ID Re" // of a Request and of a Reply
)

// Segments is the first n TCP segments with bytes of iWARP, without TCP's
// header: as they were captured, so that one may begin or end in the middle of
// an FPDU.
func Segments(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	return take(tb, name, n, iwarpOf(tb, name))
}

// MPAFrames is the first n MPA Request and Reply frames.
func MPAFrames(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	segment := iwarpOf(tb, name)
	return take(tb, name, n, func(frame []byte) ([]byte, bool) {
		b, ok := segment(frame)
		return b, ok && bytes.HasPrefix(b, []byte(mpaKeyStart))
	})
}

// FPDUs is the first n FPDUs, from ULPDU_Length to CRC, each of them alone and
// whole in its segment.
func FPDUs(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	segment := iwarpOf(tb, name)
	return take(tb, name, n, func(frame []byte) ([]byte, bool) {
		b, ok := segment(frame)
		return b, ok && len(b) >= 2+taggedSize+crcSize && len(b) == fpduSize(b)
	})
}

// ULPDUs is what the first n FPDUs carry, each a DDP segment.
func ULPDUs(tb testing.TB, name string, n int) (parts [][]byte) {
	tb.Helper()
	for _, b := range FPDUs(tb, name, n) {
		parts = append(parts, b[2:2+binary.BigEndian.Uint16(b)])
	}
	return parts
}

// fpduSize is the bytes of the FPDU that b begins with, if it begins with one.
func fpduSize(b []byte) int {
	return (2+int(binary.BigEndian.Uint16(b))+3)&^3 + crcSize
}

// iwarpOf tells the bytes that segments bring to the streams of iWARP: those
// of the connections on which an MPA frame came before.
func iwarpOf(tb testing.TB, name string) func(frame []byte) ([]byte, bool) {
	tb.Helper()
	known := make(map[uint32]bool) // by both ports
	return func(frame []byte) ([]byte, bool) {
		if len(frame) < tcpAt+20 || !bytes.Equal(frame[12:15], []byte{0x08, 0x00, 0x45}) || frame[23] != 6 {
			return nil, false
		}
		end := 14 + int(binary.BigEndian.Uint16(frame[16:]))
		start := tcpAt + int(frame[tcpAt+12]>>4)*4
		if start >= end || end > len(frame) {
			return nil, false // nothing but TCP's own
		}
		b := frame[start:end]
		from, to := uint32(binary.BigEndian.Uint16(frame[tcpAt:])), uint32(binary.BigEndian.Uint16(frame[tcpAt+2:]))
		if bytes.HasPrefix(b, []byte(mpaKeyStart)) && len(b) >= startSize {
			known[from<<16|to], known[to<<16|from] = true, true
		}
		return b, known[from<<16|to]
	}
}
