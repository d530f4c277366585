package shipped

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// The samples have neither VLAN tags nor IPv4 options, so the BTH of a frame
// begins after 14 bytes of Ethernet, 20 of IPv4 and 8 of UDP.
const (
	bthAt    = 14 + 20 + 8
	bthSize  = 12
	dethSize = 8
	icrcSize = 4

	rcSendOnly = 0x04
	udSendOnly = 0x64
)

// RoCEv2 is the first n packets, from BTH to ICRC, of a sample over IPv4.
func RoCEv2(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	return take(tb, name, n, roce)
}

// Sends is the payload of the first n packets that are an RC SEND Only.
func Sends(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	return payloads(tb, name, n, rcSendOnly, 0)
}

// MADs is the payload of the first n packets that are a UD SEND Only: of 256
// bytes each, connection management.
func MADs(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	return payloads(tb, name, n, udSendOnly, dethSize)
}

func payloads(tb testing.TB, name string, n int, opcode byte, extended int) [][]byte {
	tb.Helper()
	return take(tb, name, n, func(frame []byte) ([]byte, bool) {
		b, ok := roce(frame)
		if !ok || b[0] != opcode {
			return nil, false
		}
		pad := int(b[1] >> 4 & 3) // PadCnt
		return b[bthSize+extended : len(b)-icrcSize-pad], true
	})
}

func roce(frame []byte) ([]byte, bool) {
	if len(frame) < bthAt+bthSize+dethSize+icrcSize ||
		!bytes.Equal(frame[12:15], []byte{0x08, 0x00, 0x45}) ||
		frame[23] != 17 || binary.BigEndian.Uint16(frame[36:]) != 4791 {
		return nil, false
	}
	return frame[bthAt:], true
}
