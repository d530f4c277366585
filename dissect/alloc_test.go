package dissect_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/rocev2"
)

// TestFrameAllocatesNothing sends the busiest connection of a real capture
// through a Dissector again and again. What a connection needs for its setup
// and to remember what is in flight may be allocated at first; then nothing is,
// whatever the frame: calls, replies, chunks read and written, acknowledgements.
// (A long message of more than 64 KiB, as rxe-acl has them, is put together in
// memory of its own, which is given back with it.)
func TestFrameAllocatesNothing(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-thresh", "rxe-krb"} {
		t.Run(name, func(t *testing.T) {
			e := busiest(t, name)
			allocatesNothing(t, e.before, e.frames, e.advance, e.tally)
		})
	}
}

// allocatesNothing sends frames again and again, after those before them;
// advance makes of them what they are the next time. Each time they are to give
// what they gave in the capture.
func allocatesNothing(t *testing.T, before, list frames, advance func(), once tally) {
	t.Helper()
	counts := new(looker)
	d := dissect.New(counts, dissect.Options{Accesses: counts})
	for i := range before {
		d.Frame(&before[i])
	}
	passes := 0
	pass := func() {
		for i := range list {
			d.Frame(&list[i])
		}
		advance()
		passes++
	}
	counts.tally = tally{}
	for passes*len(list) < warm {
		pass()
	}
	// AllocsPerRun calls pass twice, and counts the second.
	for range 5 {
		if n := allocs.Per(1, pass); n != 0 {
			t.Errorf("%v allocations in %d frames", n, len(list))
		}
	}
	if want := once.times(passes); counts.tally != want {
		t.Errorf("%d passes are %+v, but the capture has %+v", passes, counts.tally, want)
	}
	if counts.accesses == 0 || counts.bytes == 0 {
		t.Errorf("%d RDMA operations, %d bytes of messages with a place", counts.accesses, counts.bytes)
	}
}

// looker is a tally that looks at all that a Sink may ask of a message.
type looker struct {
	tally
	accesses, bytes int
	places          []flow.Place
}

func (c *looker) Access(*dissect.Access) { c.accesses++ }

func (c *looker) Message(m *dissect.Message) {
	c.places = m.Place(c.places[:0], 0, m.Length)
	for _, p := range c.places {
		c.bytes += p.Length
	}
}

// warm is the number of frames after which all that a Dissector remembers of a
// connection has reached its limits: the last READs of each end, mostly.
const warm = 200_000

// tally is a Sink that counts.
type tally struct {
	rpcs, incomplete int
	disorder         int // frames that are not those that come next, or malformed
}

func (c tally) times(n int) tally { return tally{c.rpcs * n, c.incomplete * n, c.disorder * n} }

func (c *tally) Connection(*dissect.Connection, bool) {}
func (c *tally) Message(*dissect.Message)             {}

func (c *tally) Frame(v *dissect.FrameView) {
	if v.Faulty() || v.Verdict.Note != flow.InOrder || v.ICRC() == rocev2.ICRCWrong {
		c.disorder++
	}
}

func (c *tally) RPC(x *dissect.RPC) {
	c.rpcs++
	if !x.Complete {
		c.incomplete++
	}
}

// endless is the traffic of one connection from its setup to its end, without
// either, so that it can be sent again.
type endless struct {
	before, frames frames
	lower          []link.Packet // of frames
	requester      []flow.End    // of frames: whose PSN it carries
	span           [2]uint32     // PSNs that each end uses
	tally          tally         // of frames, once
}

// busiest is the traffic of the connection with the most frames.
func busiest(t *testing.T, name string) *endless {
	t.Helper()
	list := load(t, name)
	seen := &placing{of: make(map[int]*connection)}
	d := dissect.New(seen, dissect.Options{})
	for i := range list {
		seen.index = i
		d.Frame(&list[i])
	}
	most := new(connection)
	for _, c := range seen.of {
		if len(c.places) > len(most.places) {
			most = c
		}
	}
	if most.tally.rpcs == 0 {
		t.Fatalf("%s has no connection with RPCs", name)
	}
	e := &endless{before: list[:most.places[0].index], tally: most.tally}
	var first, end [2]uint32
	var begun [2]bool
	for _, p := range most.places {
		e.frames = append(e.frames, list[p.index])
		e.lower = append(e.lower, p.lower)
		e.requester = append(e.requester, p.requester)
		if q := p.requester; !begun[q] {
			first[q], end[q], begun[q] = p.psn, p.psn, true
		} else if rocev2.PSNDiff(p.psn, end[q]) > 0 {
			end[q] = p.psn
		}
	}
	for q := range e.span {
		e.span[q] = uint32(rocev2.PSNDiff(end[q], first[q])) + 1
	}
	return e
}

// advance gives each frame the PSN that it has when the traffic is sent once more.
func (e *endless) advance() {
	for i := range e.frames {
		frame, lower := e.frames[i].Data, &e.lower[i]
		word := frame[lower.Start()+8:]
		psn := binary.BigEndian.Uint32(word)
		binary.BigEndian.PutUint32(word, psn&0xFF000000|(psn+e.span[e.requester[i]])&0xFFFFFF)
		rocev2.SetICRC(frame, lower)
	}
}

// placing is a Sink that notes which frames are whose.
type placing struct {
	index int
	of    map[int]*connection // by ID
}

type connection struct {
	tally
	places []place
}

type place struct {
	index     int
	lower     link.Packet
	requester flow.End
	psn       uint32
}

func (s *placing) Message(*dissect.Message) {}

func (s *placing) Connection(c *dissect.Connection, final bool) {
	if !final {
		s.of[c.ID] = new(connection)
	}
}

func (s *placing) RPC(x *dissect.RPC) { s.of[x.Connection.ID].RPC(x) }

func (s *placing) Frame(v *dissect.FrameView) {
	if v.Connection == nil || v.IB.DETH() != 0 {
		return
	}
	requester := v.Verdict.From
	if v.IB.OpCode.IsResponse() {
		requester = 1 - requester
	}
	c := s.of[v.Connection.ID]
	c.Frame(v)
	c.places = append(c.places, place{s.index, *v.Link, requester, v.IB.PSN})
}
