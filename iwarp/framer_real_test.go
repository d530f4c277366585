package iwarp

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// A realStream is one direction of a TCP connection that Linux siw speaks on:
// the bytes after the start-up frame, and where the segments begin.
type realStream struct {
	bytes    []byte
	segments []int
	seq      uint32 // of what comes next
}

// realStreams reads the streams to and from the port of NFS/RDMA, by their two
// ports. The sample lacks nothing of them, but repeats a segment.
func realStreams(t *testing.T) map[[2]uint16]*realStream {
	t.Helper()
	streams := make(map[[2]uint16]*realStream)
	for _, frame := range shipped.Frames(t, "siw-basic", 6013) {
		const ip = 14
		if len(frame) < ip+40 || frame[12] != 0x08 || frame[ip+9] != 6 {
			continue
		}
		tcp := ip + int(frame[ip]&15)*4
		ports := [2]uint16{binary.BigEndian.Uint16(frame[tcp:]), binary.BigEndian.Uint16(frame[tcp+2:])}
		payload := frame[tcp+int(frame[tcp+12]>>4)*4 : ip+int(binary.BigEndian.Uint16(frame[ip+2:]))]
		if ports[0] != Port && ports[1] != Port || len(payload) == 0 {
			continue
		}
		s, seq := streams[ports], binary.BigEndian.Uint32(frame[tcp+4:])
		if s == nil {
			var start Start
			if n, whole := start.Decode(payload); !whole || n != len(payload) {
				t.Fatalf("%v does not begin with a start-up frame alone", ports)
			}
			streams[ports] = &realStream{seq: seq + uint32(len(payload))}
			continue
		}
		if back := s.seq - seq; back > 0 && int(int32(back)) >= len(payload) {
			continue // all of it was there
		} else if back != 0 {
			t.Fatalf("%v: sequence number %d, want %d", ports, seq, s.seq)
		}
		s.seq += uint32(len(payload))
		s.segments = append(s.segments, len(s.bytes))
		s.bytes = append(s.bytes, payload...)
	}
	return streams
}

// tell hands the stream on from a byte on, in its segments or in one call.
func (s *realStream) tell(f *Framer, from int, segments bool) {
	at := from
	for _, next := range s.segments {
		if segments && next > at {
			f.Data(s.bytes[at:next])
			at = next
		}
	}
	f.Data(s.bytes[at:])
	f.Flush()
}

// TestRealStreams holds the FPDUs against what tshark 4.0 counts in the sample:
// how many there are, and the sum of their ULPDU_Length. A hunt from any byte
// finds the next one or one of the two after it, and nothing else.
func TestRealStreams(t *testing.T) {
	streams := realStreams(t)
	want := map[[2]uint16][2]int{
		{20049, 41685}: {399, 348885}, {41685, 20049}: {338, 338865},
		{20049, 43790}: {399, 349045}, {43790, 20049}: {338, 339153},
		{20049, 52102}: {430, 348807}, {52102, 20049}: {368, 333377},
		{20049, 58489}: {396, 343299}, {58489, 20049}: {337, 334187},
	}
	got := make(map[[2]uint16][2]int)
	rnd := rand.New(rand.NewPCG(1, 1))
	hunts, exact := 0, 0
	for ports, s := range streams {
		d, f := &record{t: t}, new(Framer)
		f.Start(d, false, CRCUnused)
		s.tell(f, 0, true)
		sum := 0
		fpdus := make(map[uint64]int) // by position, their number
		for i, x := range d.fpdus {
			sum += x.ULPDULength
			fpdus[x.At] = i
			if x.Cut != Whole || x.Lost || x.CRC != 0 || !Plausible(x.ULPDU, x.ULPDULength) {
				t.Errorf("%v: FPDU %d is %+v", ports, i, x)
			}
		}
		got[ports] = [2]int{len(d.fpdus), sum}
		for i := range 50 {
			from := rnd.IntN(len(s.bytes) * 9 / 10)
			h := &record{t: t}
			f.Hunt(h, CRCUnknown, i%4 == 0)
			s.tell(f, from, i%2 == 0)
			hunts++
			next := 0
			for next < len(d.fpdus) && d.fpdus[next].At < uint64(from) {
				next++
			}
			if first := len(d.fpdus) - len(h.fpdus); first < next || first > next+2 {
				t.Errorf("%v from byte %d on: %d FPDUs of %d", ports, from, len(h.fpdus), len(d.fpdus)-next)
			} else if first == next {
				exact++
			}
			for j, x := range h.fpdus {
				number, known := fpdus[x.At+uint64(from)]
				if !known || number != len(d.fpdus)-len(h.fpdus)+j || x.Length != d.fpdus[number].Length || x.Lost {
					t.Fatalf("%v from byte %d on: an FPDU that was not sent: %+v", ports, from, x)
				}
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("FPDUs and bytes in ULPDUs: %v, want %v", got, want)
	}
	t.Logf("%d of %d hunts found the very next FPDU", exact, hunts)
	if exact < hunts*95/100 {
		t.Errorf("only %d of %d hunts found the very next FPDU", exact, hunts)
	}
}
