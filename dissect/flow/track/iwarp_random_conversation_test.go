package track_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A randomConversation is one over iWARP in a random setup, and what became of
// its frames.
type randomConversation struct {
	*build.IWARP
	rnd   *rand.Rand
	said  [2][]string    // the Sends, by direction
	moved map[uint32]int // bytes of the Writes and Reads, by handle
	calm  int            // the frame from which on nothing happens to any
	quiet [2]int         // the Sends said before that, by direction
	wire  []int          // frames that were lost on the wire, before the capture
}

// pick is one of several, at random.
func pick[T any](rnd *rand.Rand, list ...T) T { return list[rnd.IntN(len(list))] }

func newRandomConversation(seed uint64, rounds int) *randomConversation {
	rnd := rand.New(rand.NewPCG(seed, 5044))
	some := func() bool { return rnd.IntN(3) == 0 }
	setup := build.IWARPSetup{
		MarkersToServer: some(), MarkersToClient: some(),
		CRC: some(), ClientCRC: some(),
		Revision: pick[uint8](rnd, 0, 0, 1), Plain: some(),
		MSS:       pick(rnd, 0, 0, 536, 300),
		ClientISN: -rnd.Uint32N(20_000) - 1, ServerISN: rnd.Uint32() | 1,
		AckEvery: rnd.IntN(3),
	}
	switch rnd.IntN(4) {
	case 0:
		setup.MULPDU = 64 + rnd.IntN(4000) // whatever the MSS
	case 1:
		setup.TSO = pick(rnd, 3000, 65160)
	}
	if some() {
		setup.Client.Addr, setup.Server.Addr = build.ClientIPv6, build.ServerIPv6
	}
	if some() {
		setup.VLANs = []build.VLAN{{ID: 7}}
	}
	if setup.Revision == 0 && !setup.Plain {
		setup.RTR = pick(rnd, build.NoRTR, build.RTRSend, build.RTRWrite, build.RTRRead)
	}
	s := &randomConversation{IWARP: build.NewIWARP(setup), rnd: rnd, moved: make(map[uint32]int)}
	s.Connect()
	for i := range rounds {
		s.round(uint32(i))
	}
	s.Flush(build.ToServer)
	s.Flush(build.ToClient)
	s.Ack(build.ToServer)
	s.Ack(build.ToClient)
	s.calm = len(s.Frames)
	s.quiet = [2]int{len(s.said[0]), len(s.said[1])}
	for i := range 30 {
		d := build.Direction(i % 2)
		s.say(d, uint32(rounds+i), 100+rnd.IntN(800))
		s.Ack(d.Opposite())
	}
	return s
}

// say appends one of the Sends with a text of n bytes that no other has.
func (s *randomConversation) say(d build.Direction, i uint32, n int) build.Span {
	text := append(binary.BigEndian.AppendUint32([]byte{'T'}, i), memory(i, 0, n)...)
	s.said[d] = append(s.said[d], string(text))
	switch s.rnd.IntN(4) {
	case 0:
		return s.SendInvalidate(d, i, text)
	case 1:
		return s.SendSE(d, text)
	case 2:
		return s.SendSEInvalidate(d, i, text)
	}
	return s.Send(d, text)
}

// round appends one operation, its loss and repetition perhaps, and its
// acknowledgement perhaps.
func (s *randomConversation) round(i uint32) {
	d := build.Direction(s.rnd.IntN(2))
	n := s.rnd.IntN(4000)
	switch s.rnd.IntN(3) {
	case 0:
		n = s.rnd.IntN(40)
	case 1:
		n = s.rnd.IntN(600)
	}
	if s.rnd.IntN(5) == 0 {
		for range s.rnd.IntN(6) {
			s.Cut(d, 1+s.rnd.IntN(700))
		}
	}
	handle, at := 1000+i, uint64(i)<<20
	var span build.Span
	read := false
	switch s.rnd.IntN(4) {
	case 0, 1:
		span = s.say(d, i, n)
	case 2:
		span = s.Write(d, handle, at, memory(handle, at, n))
		s.moved[handle] = n
	case 3:
		// The request must have come before there is a response.
		s.Flush(d)
		r := s.ReadRequest(d, handle, at, n)
		s.Flush(d)
		s.ReadResponse(r, memory(handle, at, n))
		s.moved[handle], read = n, true
	}
	if !read && s.AckEvery == 0 && span.First < span.End && s.rnd.IntN(6) == 0 {
		at := span.First + s.rnd.IntN(span.End-span.First)
		s.Wait(pick(s.rnd, time.Millisecond, 200*time.Millisecond))
		s.wire = append(s.wire, at)
		s.Retransmit(at)
	}
	if s.rnd.IntN(3) > 0 {
		s.Ack(d.Opposite())
	}
}

// addressOf is the address that a round moves to or from after its handle.
func addressOf(handle uint32) uint64 {
	if handle < 1000 {
		return 0 // that of the RTR
	}
	return uint64(handle-1000) << 20
}

// direction is where the bytes go that an end of a connection sends.
func (s *randomConversation) direction(c *flow.Conn, from flow.End) build.Direction {
	if c.Ends[from].Port == s.Service {
		return build.ToClient
	}
	return build.ToServer
}

// compare holds the Sends against what was reported: each is one that was reported, or
// if incomplete the front of one, none is told twice, and they come in order. It
// returns which were whole.
func (s *randomConversation) compare(d *recorder) (whole [2]map[string]bool) {
	d.t.Helper()
	whole = [2]map[string]bool{{}, {}}
	type way struct {
		conn int
		dir  build.Direction
	}
	next := make(map[way]int)
	for _, m := range d.sends {
		c := d.conns[m.conn-1]
		dir := s.direction(c, m.from)
		if m.length == 0 && s.RTR == build.RTRSend && c.Setup != flow.SetupMPA && dir == build.ToServer {
			continue // nobody can know what it was for
		}
		w, found := way{m.conn, dir}, false
		for i := next[w]; i < len(s.said[dir]) && !found; i++ {
			text := s.said[dir][i]
			if found = strings.HasPrefix(text, m.bytes) && m.length <= len(text) && (!m.whole || text == m.bytes); found && m.whole {
				next[w] = i + 1
			}
		}
		if !found {
			d.t.Errorf("a Send of %d bytes, whole: %v, was not said, or not behind the one before it", m.length, m.whole)
		}
		if m.whole && whole[dir][m.bytes] {
			d.t.Errorf("a Send of %d bytes is told twice", m.length)
		}
		if m.whole {
			whole[dir][m.bytes] = true
		}
	}
	return whole
}

// placedOnce counts the bytes that were moved after each handle, and sees to
// it that none is told twice.
func (s *randomConversation) placedOnce(d *recorder) (size map[uint32]int) {
	d.t.Helper()
	size = make(map[uint32]int)
	type place struct {
		handle uint32
		at     uint64
	}
	seen := make(map[place]bool)
	add := func(handle uint32, at uint64, n int) {
		for i := range uint64(n) {
			if p := (place{handle, at + i}); seen[p] {
				d.t.Fatalf("byte %d behind handle %d is told twice", at+i, handle)
			} else {
				seen[p] = true
			}
		}
		size[handle] += n
	}
	for _, w := range d.writes {
		add(w.handle, w.offset, len(w.bytes))
	}
	for _, x := range d.data {
		add(x.read.handle, x.read.offset+x.at, len(x.bytes))
	}
	return size
}

// record is the function of that name, but asks for the units too now and then: they
// change nothing.
func (s *randomConversation) record(t testing.TB, frames build.Frames) *recorder {
	return recordWith(t, track.Options{Peek: peek, Units: s.rnd.IntN(2) == 0}, frames)
}
