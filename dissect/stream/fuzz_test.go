package stream_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// The input of FuzzStream is a list of events of five bytes: what happens, a
// distance from the next byte (16 bits), lengths on the wire and captured.
const (
	fuzzSYN  = 1 << iota // a segment with SYN
	fuzzFIN              // a segment with FIN
	fuzzBack             // it lies before the next byte
	fuzzFar              // the distance is in units of 64 KiB
	fuzzAck              // not a segment but an acknowledgement
	fuzzSkip             // not a segment: the first hole is given up
)

func event(b []byte, what byte, distance uint16, length, there byte) []byte {
	b = append(b, what)
	b = binary.BigEndian.AppendUint16(b, distance)
	return append(b, length, there)
}

// FuzzStream has a Stream and its model told the same, whatever it is.
func FuzzStream(f *testing.F) {
	b := event(nil, fuzzSYN, 0, 0, 0)
	b = event(b, 0, 0, 10, 10)
	b = event(b, 0, 10, 10, 4)
	b = event(b, 0, 12, 20, 20)
	b = event(b, 0, 5, 3, 3)
	b = event(b, fuzzAck, 40, 0, 0)
	b = event(b, fuzzSkip, 0, 0, 0)
	b = event(b, fuzzBack, 4, 9, 9)
	b = event(b, fuzzFIN, 60, 1, 1)
	f.Add(uint32(0xfffffff0), b)
	f.Add(uint32(0), event(event(nil, 0, 0, 0, 0), fuzzFar|fuzzBack, 0x4000, 1, 1))
	f.Add(uint32(7), event(event(event(nil, 0, 0, 3, 3), fuzzAck|fuzzFar, 0x3fff, 0, 0), fuzzSkip, 0, 0, 0))
	f.Add(uint32(9), event(event(event(nil, fuzzSYN, 0, 0, 0), fuzzSYN|fuzzFIN, 0, 0, 0), fuzzBack, 100, 4, 4))
	f.Add(uint32(5), event(event(event(event(nil, 0, 0, 0, 0), fuzzAck, 50, 0, 0), fuzzSkip, 0, 0, 0), 0, 1, 24, 24))
	f.Fuzz(func(t *testing.T, base uint32, b []byte) {
		// So few never reach the bounds, of which the model knows nothing.
		const most = stream.MaxSegments / 8
		r := pair{t: t, base: base}
		for i := 0; i < most && len(b) >= 5 && !t.Failed(); i++ {
			what, at := b[0], int64(binary.BigEndian.Uint16(b[1:]))
			length, there := int(b[3]), int(b[4])
			b = b[5:]
			if what&fuzzFar != 0 {
				at <<= 16
			}
			if what&fuzzBack != 0 {
				at = -at
			}
			if at <= -1<<31 || at >= 1<<31 {
				continue // as near from the other side
			}
			at += r.m.next
			switch {
			case what&fuzzSkip != 0:
				r.skip()
			case what&fuzzAck != 0:
				r.ack(at)
			default:
				g := bit{at: at, length: length, syn: what&fuzzSYN != 0, fin: what&fuzzFIN != 0, from: i}
				g.bytes = b[:min(len(b), there, length)]
				r.add(&g)
			}
		}
		for !t.Failed() && r.skip() > 0 {
		}
	})
}
