package track_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
)

// A segmentStream is one TCP segment again and again, changed before each time.
type segmentStream struct {
	driver
	bytes []byte
	time  int64
	rnd   *rand.Rand
}

// Where things are in a segment over IPv4 without options.
const (
	atIPv4    = 14
	atTCP     = atIPv4 + 20
	atPayload = atTCP + 20
)

func newSegments(tracker *follower, port uint16, flags uint8, payload []byte) *segmentStream {
	return &segmentStream{driver: driver{tracker: tracker}, rnd: rand.New(rand.NewPCG(7, 7)), bytes: build.TCPFrame(
		build.Ethernet{}, build.IPv4{Src: build.ClientIPv4, Dst: build.ServerIPv4},
		build.TCP{SrcPort: 50_000, DstPort: port, Flags: flags, Seq: 1}, build.Payload(payload))}
}

func (s *segmentStream) seq(v uint32)    { binary.BigEndian.PutUint32(s.bytes[atTCP+4:], v) }
func (s *segmentStream) ack(v uint32)    { binary.BigEndian.PutUint32(s.bytes[atTCP+8:], v) }
func (s *segmentStream) payload() []byte { return s.bytes[atPayload:] }

// client makes it a segment of another client: by address, 250 ports each.
func (s *segmentStream) client(i uint32) {
	binary.BigEndian.PutUint32(s.bytes[atIPv4+12:], 0x0a000000+i/250)
	binary.BigEndian.PutUint16(s.bytes[atTCP:], uint16(40_000+i%250))
}

func (s *segmentStream) next() flow.Verdict {
	s.time += 1000
	return s.take(s.bytes, len(s.bytes), s.time)
}

// looksLike is the front of an FPDU with a Send of that many bytes in all.
func looksLike(length int) []byte {
	ulpdu := build.Untagged{OpCode: build.RDMAPSend, Last: true, MSN: 1}.Bytes()
	return append(binary.BigEndian.AppendUint16(nil, uint16(length)), ulpdu...)
}

// However long and odd a stream of segments, what is kept of it stays within
// bounds, and nothing is left of it at the end.
func TestEndlessSegments(t *testing.T) {
	start := build.MPAStart{Revision: 1, Private: []byte("private")}.Bytes()
	text := []byte("GET / HTTP/1.1\r\nHost: example.net\r\n\r\n")
	large := func(front []byte) []byte { return append(front, make([]byte, 1400-len(front))...) }
	for _, test := range []struct {
		name    string
		port    uint16
		flags   uint8
		payload []byte
		change  func(s *segmentStream, i uint32)
		slow    bool
	}{
		{"connections that say nothing", 20049, build.SYN, nil, func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"clients that speak HTTP", 80, build.ACK, text, func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"clients that speak HTTP on the port of iWARP", 20049, build.ACK, text, func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"the front of a start frame", 80, build.ACK, start[:12], func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"requests that nobody answers", 80, build.ACK, start, func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"one client asks again and again", 80, build.ACK, start, func(s *segmentStream, i uint32) { s.seq(i << 24) }, false},
		{"a new connection each time", 20049, build.SYN, nil, func(s *segmentStream, i uint32) { s.seq(i << 8) }, false},
		{"the front of a long FPDU", 80, build.ACK, large(looksLike(60_000)), func(s *segmentStream, i uint32) { s.client(i) }, false},
		{"half of a long FPDU on many connections", 80, build.ACK, large(looksLike(60_000)), func(s *segmentStream, i uint32) {
			s.client(i / 20)
			s.seq(i % 20 * 1400)
			copy(s.payload(), make([]byte, 30))
			if i%20 == 0 {
				copy(s.payload(), looksLike(60_000))
			}
		}, false},
		{"half of it after a start frame", 80, build.ACK, large(start), func(s *segmentStream, i uint32) {
			s.client(i / 20)
			s.seq(i % 20 * 1400)
			clear(s.payload())
			switch i % 20 {
			case 0:
				copy(s.payload(), start)
				copy(s.payload()[len(start):], looksLike(60_000))
			}
		}, false},
		{"every second segment missing", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq(i * 2800) }, false},
		{"one segment missing", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq((i + min(i, 1)) * 1400) }, false},
		{"one missing on many connections", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) {
			s.client(i / 100)
			s.seq((i%100 + min(i%100, 1)) * 1400)
		}, false},
		{"backwards", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq(-i * 1400) }, false},
		{"from hole to hole", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq(i * 70_000_001) }, false},
		{"noise", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq(i * 1400); s.noise() }, false},
		{"noise on another port", 80, build.ACK, large(nil), func(s *segmentStream, i uint32) { s.seq(i * 1400); s.noise() }, false},
		{"FPDUs wherever one looks", 20049, build.ACK, large(nil), func(s *segmentStream, i uint32) {
			s.seq(i * 1400)
			for p := s.payload(); len(p) >= 20; p = p[4:] {
				copy(p, looksLike(600 + s.rnd.IntN(900))[:4])
			}
		}, true},
		{"one byte a segment", 20049, build.ACK, []byte{0}, func(s *segmentStream, i uint32) {
			s.seq(i)
			s.payload()[0] = looksLike(65_000)[i%20]
		}, false},
		{"acknowledgements of nothing", 20049, build.ACK, nil, func(s *segmentStream, i uint32) { s.ack(i * 10_000) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			tracker := follow(new(silent), track.Options{})
			s := newSegments(tracker, test.port, test.flags, test.payload)
			n := long.Pick[uint32](10_000, 30_000)
			if test.slow {
				n /= 10
			}
			for i := range n {
				test.change(s, i)
				s.next()
				if i%1000 == 0 {
					within(t, tracker)
				}
			}
			within(t, tracker)
			tracker.Flush()
			if c := tracker.Census(); c.Conns+c.Kept+c.Assembled+c.Candidates != 0 {
				t.Errorf("behind the end of the capture: %+v", c)
			}
		})
	}
}

func (s *segmentStream) noise() {
	for p := s.payload(); len(p) >= 8; p = p[8:] {
		binary.BigEndian.PutUint64(p, s.rnd.Uint64())
	}
}

// In the steady state nothing is allocated, whatever is reported: FPDUs in one
// segment and over several, with markers and CRC, with units and without.
func TestSegmentAllocatesNothing(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup build.IWARPSetup
		units bool
	}{
		{"siw's default", build.IWARPSetup{}, false},
		{"units", build.IWARPSetup{}, true},
		{"markers and CRC", build.IWARPSetup{MarkersToServer: true, MarkersToClient: true, CRC: true}, false},
		{"markers, CRC and units", build.IWARPSetup{MarkersToServer: true, MarkersToClient: true, CRC: true}, true},
		{"FPDUs over several segments", build.IWARPSetup{MULPDU: 5000, CRC: true}, false},
		{"TSO", build.IWARPSetup{TSO: 20_000}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := build.NewIWARP(test.setup)
			c.Connect()
			var rounds []build.Span
			for i := range 60 {
				first := len(c.Frames)
				handle, at := uint32(i), uint64(i)<<16
				c.Send(build.ToServer, call(handle))
				c.Ack(build.ToClient)
				c.Read(build.ToClient, handle, at, memory(handle, at, 9000))
				c.Write(build.ToClient, handle, at, memory(handle, at, 3000))
				c.Cut(build.ToClient, 1000, 3, 500)
				c.Send(build.ToClient, memory(1, 0, 3000))
				c.Flush(build.ToClient)
				c.Ack(build.ToServer)
				rounds = append(rounds, build.Span{First: first, End: len(c.Frames)})
			}
			sink := new(silent)
			r := driver{tracker: follow(sink, track.Options{Units: test.units})}
			next := 0
			take := func(n int) {
				for ; next < n; next++ {
					f := &c.Frames[next]
					r.take(f.Data, f.Length, f.Time.UnixNano())
				}
			}
			take(rounds[39].End)
			i := 40
			if n := allocs.Per(15, func() { take(rounds[i].End); i++ }); n != 0 {
				t.Errorf("%v allocations in %d frames", n, rounds[i-1].End-rounds[i-1].First)
			}
			if c := r.tracker.Census(); c.Conns != 1 || c.Kept > 8192 {
				t.Errorf("%+v", c)
			}
		})
	}
}

func BenchmarkSegment(b *testing.B) {
	for _, test := range []struct {
		name  string
		setup build.IWARPSetup
	}{
		{"plain", build.IWARPSetup{}},
		{"markers and CRC", build.IWARPSetup{MarkersToServer: true, MarkersToClient: true, CRC: true}},
	} {
		b.Run(test.name, func(b *testing.B) {
			c := build.NewIWARP(test.setup)
			c.Connect()
			for i := range uint32(50) {
				c.Send(build.ToServer, call(i))
				c.Read(build.ToClient, i, 0, memory(i, 0, 65536))
				c.Write(build.ToClient, i, 0, memory(i, 0, 65536))
				c.Send(build.ToClient, reply(i))
				c.Ack(build.ToServer)
			}
			size := 0
			for _, f := range c.Frames {
				size += f.Length
			}
			b.SetBytes(int64(size / len(c.Frames)))
			b.ReportAllocs()
			for n := 0; n < b.N; n += len(c.Frames) {
				r := driver{tracker: follow(new(silent), track.Options{})}
				for i := range c.Frames {
					f := &c.Frames[i]
					r.take(f.Data, f.Length, f.Time.UnixNano())
				}
			}
		})
	}
}
