package build

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	fpduOverhead   = 2 + 4 // ULPDU_Length and CRC
	markerLength   = 4
	markerInterval = 512
)

// An MPAStream frames ULPDUs as one sender does (RFC 5044, section 4).
//
//	+------------------+-------+---------+-------------+
//	| ULPDU_Length (2) | ULPDU | pad 0-3 | CRC32c (4)  |
//	+------------------+-------+---------+-------------+
//
// With Markers, four bytes stand before the first FPDU and then at every 512th
// byte of the stream, markers counted: two zeros, and how many bytes back the
// ULPDU_Length of the FPDU begins that the marker stands in, 0 if that follows.
type MPAStream struct {
	Markers bool
	CRC     bool // else the field is 0

	sent int // bytes of FPDUs so far
}

// An FPDUOption makes something of an FPDU other than a right sender would.
type FPDUOption func(*fpdu)

type fpdu struct {
	length    int
	pad       byte
	crcMask   uint32
	markerXor uint32
}

// WrongCRC inverts every bit of the CRC field.
func WrongCRC() FPDUOption { return func(f *fpdu) { f.crcMask = ^uint32(0) } }

// StatedLength is what ULPDU_Length says, whatever the ULPDU's length is.
func StatedLength(n int) FPDUOption { return func(f *fpdu) { f.length = n } }

// PadWith puts a byte in place of each zero of the pad.
func PadWith(c byte) FPDUOption { return func(f *fpdu) { f.pad = c } }

// WrongMarker inverts the bits of mask in every marker of the FPDU; the CRC
// counts the markers as they are then.
func WrongMarker(mask uint32) FPDUOption { return func(f *fpdu) { f.markerXor = mask } }

// FPDU is the next FPDU, markers and all.
func (s *MPAStream) FPDU(ulpdu []byte, options ...FPDUOption) []byte {
	f := fpdu{length: len(ulpdu)}
	for _, o := range options {
		o(&f)
	}
	body := binary.BigEndian.AppendUint16(nil, uint16(f.length))
	body = append(body, ulpdu...)
	for len(body)%4 != 0 {
		body = append(body, f.pad)
	}

	var b []byte
	begin := 0 // of ULPDU_Length in b
	for at := 0; at <= len(body); at += 4 {
		if s.Markers && (s.sent+len(b))%markerInterval == 0 {
			pointer := uint32(len(b) - begin)
			b = appendWords(b, pointer^f.markerXor)
			if at == 0 {
				begin = len(b)
			}
		}
		b = append(b, body[at:min(at+4, len(body))]...)
	}
	b = binary.LittleEndian.AppendUint32(b, s.crc(b)^f.crcMask)
	s.sent += len(b)
	return b
}

// crc is the field of an FPDU whose bytes before it are b: that of iSCSI
// (RFC 5044, section 4.4), on the wire least significant byte first.
func (s *MPAStream) crc(b []byte) uint32 {
	if !s.CRC {
		return 0
	}
	return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
}

// MULPDU is the largest ULPDU in bytes whose FPDU fits a TCP segment of emss
// bytes (RFC 5044, section 4.5), of which markers take some.
func MULPDU(emss int, markers bool) int {
	n := emss - fpduOverhead - emss%4
	if markers {
		n -= markerLength * ((emss + markerInterval - 1) / markerInterval)
	}
	return n
}
