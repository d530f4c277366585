package iwarp

import (
	"encoding/binary"
	"math/rand/v2"
)

// A sender writes FPDUs as RFC 5044 describes it, byte by byte, without the
// help of the code under test.
type sender struct {
	markers bool
	crc     crcKind
	rnd     *rand.Rand
	stream  []byte
	sent    []sent
	msn     [4]uint32
	stags   [3]uint32
}

type crcKind int

const (
	rightCRC crcKind = iota
	zeroCRC
	junkCRC
)

// sent is one FPDU and where it is in the stream.
type sent struct {
	at, end     int
	ulpdu       []byte
	firstMarker int // from at, -1 if none
}

func newSender(markers bool, crc crcKind, seed uint64) *sender {
	s := &sender{markers: markers, crc: crc, rnd: rand.New(rand.NewPCG(seed, 5044))}
	for i := range s.stags {
		s.stags[i] = s.rnd.Uint32() | 1
	}
	return s
}

// fpdu sends one FPDU.
func (s *sender) fpdu(ulpdu []byte) {
	f := sent{at: len(s.stream), ulpdu: ulpdu, firstMarker: -1}
	length := -1 // where ULPDU_Length is
	mark := func() {
		if !s.markers || len(s.stream)%512 != 0 {
			return
		}
		if f.firstMarker < 0 {
			f.firstMarker = len(s.stream) - f.at
		}
		pointer := 0
		if length >= 0 {
			pointer = len(s.stream) - length
		}
		s.stream = append(s.stream, 0, 0, byte(pointer>>8), byte(pointer))
	}
	put := func(data ...byte) {
		for _, c := range data {
			mark()
			if length < 0 {
				length = len(s.stream)
			}
			s.stream = append(s.stream, c)
		}
	}
	put(byte(len(ulpdu)>>8), byte(len(ulpdu)))
	put(ulpdu...)
	for n := 2 + len(ulpdu); n%4 != 0; n++ {
		put(0)
	}
	mark() // what stands before the CRC is summed
	var crc uint32
	switch s.crc {
	case rightCRC:
		crc = bitwiseCRC(s.stream[f.at:])
	case junkCRC:
		crc = s.rnd.Uint32() | 1
	}
	s.stream = binary.LittleEndian.AppendUint32(s.stream, crc)
	f.end = len(s.stream)
	s.sent = append(s.sent, f)
}

// bitwiseCRC is the CRC32c by its definition, bit by bit.
func bitwiseCRC(b []byte) uint32 {
	crc := ^uint32(0)
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			if crc&1 != 0 {
				crc = crc>>1 ^ 0x82f63b78
			} else {
				crc >>= 1
			}
		}
	}
	return ^crc
}

func (s *sender) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.rnd.Uint32())
	}
	return b
}

func (s *sender) tagged(opcode byte, last bool, payload []byte) []byte {
	control := byte(0x81)
	if last {
		control |= 0x40
	}
	b := []byte{control, 0x40 | opcode}
	b = binary.BigEndian.AppendUint32(b, s.stags[s.rnd.IntN(len(s.stags))])
	b = binary.BigEndian.AppendUint64(b, uint64(s.rnd.Uint32()))
	return append(b, payload...)
}

func (s *sender) untagged(opcode, qn byte, payload []byte) []byte {
	s.msn[qn]++
	b := []byte{0x41, 0x40 | opcode, 0, 0, 0, 0, 0, 0, 0, qn}
	b = binary.BigEndian.AppendUint32(b, s.msn[qn])
	b = append(b, 0, 0, 0, 0)
	return append(b, payload...)
}

// any sends n FPDUs of all sorts.
func (s *sender) any(n, longest int) *sender {
	for range n {
		size := s.rnd.IntN(200)
		switch s.rnd.IntN(6) {
		case 0:
			size = 0
		case 1:
			size = s.rnd.IntN(longest)
		}
		switch s.rnd.IntN(4) {
		case 0:
			s.fpdu(s.tagged(0, s.rnd.IntN(2) == 0, s.bytes(size)))
		case 1:
			s.fpdu(s.tagged(2, s.rnd.IntN(2) == 0, s.bytes(size)))
		case 2:
			s.fpdu(s.untagged(3, 0, s.bytes(size)))
		case 3:
			s.fpdu(s.untagged(1, 1, s.bytes(28)))
		}
	}
	return s
}
