package report

import (
	"maps"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page"
)

const (
	// ladderWalk is how many steps of a connection are looked through for a ladder.
	ladderWalk = 1 << 14
	// ladderSteps is how many a ladder has at most.
	ladderSteps = 160
	// ladderAround is how many steps are shown before and behind those of a finding
	// that is about no RPC.
	ladderAround = 8
)

// A ladderWish is what a ladder is to show.
type ladderWish struct {
	conn   *dissect.Connection
	frames []flow.Ref // in order
	// around says that what came before and after is shown too; else only what of
	// it is out of the plain.
	around bool
	bad    []flow.Ref
	// call and reply are the last frames of the messages of an RPC.
	call, reply flow.Ref
	// name is that of the RPC if it is known, status how it ended.
	name, status string
	named        bool
	chunks       []page.Chunk
}

// ladder draws what went over a connection. It is nil if nothing of it is at hand.
func (h *HTML) ladder(w *ladderWish) *page.Ladder {
	steps := h.walk(w)
	if len(steps) == 0 {
		return nil
	}
	l := &page.Ladder{
		Client: string(appendEndpoint(nil, w.conn.Client())), Server: string(appendEndpoint(nil, w.conn.Server())),
		Start: h.since(steps[0].time),
	}
	found := make(map[flow.Ref]bool, len(steps))
	var lines []line
	for _, s := range steps {
		found[s.frame] = true
		lines = fold(lines, s, w)
	}
	for _, r := range w.frames {
		if !found[r] {
			l.LeftOut++
		}
	}
	if n := len(lines) - ladderSteps; n > 0 {
		// The beginning and the end tell most.
		for _, x := range lines[ladderSteps*3/4 : ladderSteps*3/4+n] {
			l.LeftOut += x.frames
		}
		lines = slices.Delete(lines, ladderSteps*3/4, ladderSteps*3/4+n)
	}
	advertised := -1
	for i := range lines {
		x := &lines[i]
		l.Steps = append(l.Steps, h.stepOf(x, w, steps[0].time))
		if advertised < 0 && w.call.Number != 0 && x.last.frame == w.call {
			advertised = i
		}
	}
	for i := range w.chunks {
		w.chunks[i].Step = advertised
	}
	l.Chunks = w.chunks
	return l
}

// gather returns the last steps of a connection, in the order of the capture: back to
// a little before the oldest frame that is wanted.
func (h *HTML) gather(c *dissect.Connection, wanted map[flow.Ref]bool) (list []*step) {
	state := h.stateOf(c)
	missing := maps.Clone(wanted)
	number, behind := state.last, 0
	for range ladderWalk {
		s := h.trail.get(number)
		if s == nil || int(s.conn) != c.ID {
			break
		}
		number = s.before
		list = append(list, s)
		if delete(missing, s.frame); len(missing) > 0 {
			continue
		}
		if behind++; behind > ladderAround {
			break
		}
	}
	if len(missing) > 0 {
		// What the trail has forgotten may be among the first.
		for n := len(state.head) - 1; n >= 0; n-- {
			s := &state.head[n]
			if len(list) == 0 || s.frame != list[len(list)-1].frame && s.time <= list[len(list)-1].time {
				list = append(list, s)
			}
		}
	}
	slices.Reverse(list)
	return list
}

// walk returns the steps that a ladder shows.
func (h *HTML) walk(w *ladderWish) []*step {
	wanted := make(map[flow.Ref]bool, len(w.frames))
	for _, r := range w.frames {
		wanted[r] = true
	}
	list := h.gather(w.conn, wanted)
	if w.around {
		return around(list, wanted, w.frames)
	}
	psns := make(map[uint32]bool)
	first, last := -1, -1
	for i, s := range list {
		if !wanted[s.frame] {
			continue
		}
		if s.kind != trailACK {
			psns[s.psn] = true
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first < 0 {
		return nil
	}
	kept := list[:0]
	for i, s := range list {
		plainACK := s.kind == trailACK && s.syndrome.IsACK() && s.note == flow.InOrder
		switch {
		case wanted[s.frame],
			i > first && i <= last+ladderAround && plainACK && psns[s.psn],
			i > first && i < last && !plainACK && s.odd():
			kept = append(kept, s)
		}
	}
	return kept
}

// odd reports whether a step is shown with whatever else is: it may be why that took
// its time.
func (s *step) odd() bool {
	switch s.kind {
	case trailACK, trailTerminate, trailCM, trailMPA:
		return true
	}
	return s.note != flow.InOrder && s.note != flow.Gap
}

// around returns the steps that are wanted, with some before and behind each.
func around(list []*step, wanted map[flow.Ref]bool, frames []flow.Ref) []*step {
	show := make([]bool, len(list))
	any := false
	mark := func(at int) {
		any = true
		for k := max(0, at-ladderAround); k <= min(len(list)-1, at+ladderAround); k++ {
			show[k] = true
		}
	}
	for i, s := range list {
		if wanted[s.frame] {
			mark(i)
		}
	}
	if !any && len(frames) > 0 {
		// They came before it was known that they are of this connection.
		at := slices.IndexFunc(list, func(s *step) bool { return s.frame.Compare(frames[0]) > 0 })
		if at < 0 {
			return nil
		}
		mark(at)
	}
	kept := list[:0]
	for i, s := range list {
		if show[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// A line is steps that are shown as one.
type line struct {
	first, last *step
	frames      int
	octets      int64
	chunk       int
	bad         bool
}

// fold adds a step to the lines: to the last one, if it does the same.
func fold(lines []line, s *step, w *ladderWish) []line {
	bad := slices.Contains(w.bad, s.frame)
	chunk := w.chunkOf(s)
	if n := len(lines); n > 0 {
		x := &lines[n-1]
		p := x.last
		same := p.kind == s.kind && p.from == s.from && p.note == s.note && x.bad == bad && x.chunk == chunk
		switch {
		case !same:
		case s.kind == trailSend || s.kind == trailSendInv:
			same = !p.ends() && !p.message.known
		case s.kind == trailACK:
			same = p.syndrome == s.syndrome && s.syndrome.IsACK()
		case s.kind == trailWrite, s.kind == trailReadData, s.kind == trailTCP && p.flags == s.flags:
		default:
			same = false
		}
		if same {
			if x.last.frame != s.frame {
				x.frames++
			}
			x.last = s
			x.octets += int64(s.length)
			return lines
		}
	}
	return append(lines, line{first: s, last: s, frames: 1, octets: int64(s.length), chunk: chunk, bad: bad})
}

// chunkOf is the chunk whose memory a step touches, -1 for none.
func (w *ladderWish) chunkOf(s *step) int {
	read := false
	switch s.kind {
	case trailReadRequest, trailReadData:
		read = true
	case trailWrite:
	default:
		return -1
	}
	for i := range w.chunks {
		c := &w.chunks[i]
		for k := range c.Segments {
			if g := &c.Segments[k]; (c.Kind == "read") == read && g.Handle == s.handle && s.offset-g.Offset < uint64(g.Length) {
				return i
			}
		}
	}
	return -1
}
