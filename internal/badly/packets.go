package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
)

// packets are the sorts that change what is around the transport, and how a TCP stream is
// cut.
func packets() []sort {
	return []sort{
		{"VLAN tags one way", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one, id := someone(list, rnd), uint16(rnd.IntN(4096))
			return each(list, func(f *capture.Frame) {
				if sender(f) == one && len(f.Data) > 14 {
					tag := binary.BigEndian.AppendUint16([]byte{0x81, 0}, id)
					f.Data = slices.Concat(f.Data[:12], tag, f.Data[12:])
					f.Length += 4
				}
			})
		}},
		{"trailers behind packets", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			return each(list, func(f *capture.Frame) {
				if int(f.Length) == len(f.Data) && rnd.IntN(2) == 0 {
					f.Data = append(slices.Clone(f.Data), make([]byte, 1+rnd.IntN(12))...)
					f.Length = int32(len(f.Data))
				}
			})
		}},
		{"TCP segments cut in two", func(list []capture.Frame, rnd *rand.Rand) (more []capture.Frame) {
			for _, f := range list {
				s, ok := segmentOf(f)
				if !ok || len(s.payload) < 2 || rnd.IntN(3) > 0 {
					more = append(more, f)
					continue
				}
				at := 1 + rnd.IntN(len(s.payload)-1)
				more = append(more, s.with(s.seq, s.payload[:at]), s.with(s.seq+uint32(at), s.payload[at:]))
			}
			return more
		}},
		{"TCP segments put together", func(list []capture.Frame, rnd *rand.Rand) (fewer []capture.Frame) {
			for _, f := range list {
				s, ok := segmentOf(f)
				if n := len(fewer) - 1; ok && n >= 0 && len(s.payload) > 0 && rnd.IntN(3) > 0 {
					before, is := segmentOf(fewer[n])
					if is && sender(&fewer[n]) == sender(&f) && before.same(&s) && len(before.payload)+len(s.payload) < 16<<10 && len(before.payload) > 0 {
						fewer[n] = before.with(before.seq, slices.Concat(before.payload, s.payload))
						continue
					}
				}
				fewer = append(fewer, f)
			}
			return fewer
		}},
		{"TCP keep-alives", func(list []capture.Frame, rnd *rand.Rand) (more []capture.Frame) {
			for i, f := range list {
				more = append(more, f)
				if s, ok := segmentOf(f); ok && len(s.payload) == 0 && i > 20 && rnd.IntN(10) == 0 {
					more = append(more, s.with(s.seq-1, make([]byte, rnd.IntN(2))))
				}
			}
			return more
		}},
	}
}

// A segment is a plain data segment of TCP over IPv4, captured whole.
type segment struct {
	frame   capture.Frame
	tcp     int // where the TCP header begins
	start   int // and the payload
	seq     uint32
	payload []byte
}

// segmentOf takes a frame for a segment, if it is one without SYN, FIN, RST or URG.
func segmentOf(f capture.Frame) (s segment, ok bool) {
	const ip = 14
	d := f.Data
	if len(d) < ip+40 || int(f.Length) != len(d) || d[12] != 8 || d[13] != 0 || d[ip+9] != 6 {
		return s, false
	}
	s.tcp = ip + int(d[ip]&15)*4
	end := ip + int(binary.BigEndian.Uint16(d[ip+2:]))
	if end > len(d) || s.tcp+20 > end {
		return s, false
	}
	s.start = s.tcp + int(d[s.tcp+12]>>4)*4
	const synFinRstUrg = 0x27
	if s.start > end || d[s.tcp+13]&synFinRstUrg != 0 {
		return s, false
	}
	s.frame, s.seq, s.payload = f, binary.BigEndian.Uint32(d[s.tcp+4:]), d[s.start:end]
	return s, true
}

// same reports whether another segment comes next in the same stream, and acknowledges the
// same.
func (s *segment) same(o *segment) bool {
	a, b := s.frame.Data, o.frame.Data
	return s.tcp == o.tcp && string(a[26:34]) == string(b[26:34]) && string(a[s.tcp:s.tcp+4]) == string(b[s.tcp:s.tcp+4]) &&
		string(a[s.tcp+8:s.tcp+12]) == string(b[s.tcp+8:s.tcp+12]) && s.seq+uint32(len(s.payload)) == o.seq
}

// with is the frame with other bytes at another place of the stream.
func (s *segment) with(seq uint32, payload []byte) capture.Frame {
	const ip = 14
	f := s.frame
	f.Data = slices.Concat(s.frame.Data[:s.start], payload)
	binary.BigEndian.PutUint16(f.Data[ip+2:], uint16(len(f.Data)-ip))
	binary.BigEndian.PutUint32(f.Data[s.tcp+4:], seq)
	f.Length = int32(len(f.Data))
	seal(f.Data[ip:s.tcp], 10, 0)
	seal(f.Data[s.tcp:], 16, pseudo(f.Data[ip:s.tcp], len(f.Data)-s.tcp))
	return f
}

// pseudo is the sum of TCP's pseudo-header.
func pseudo(ip []byte, length int) (sum uint32) {
	for i := 12; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	return sum + 6 + uint32(length)
}

// seal puts the Internet checksum of bytes at a place in them.
func seal(b []byte, at int, sum uint32) {
	b[at], b[at+1] = 0, 0
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	if len(b)%2 == 1 {
		sum += uint32(b[len(b)-1]) << 8
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	binary.BigEndian.PutUint16(b[at:], ^uint16(sum))
}
