package report

import (
	"slices"
	"strings"

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
	// foldPause is how long apart, in nanoseconds, frames are that are no run: what
	// waits so long is to be seen.
	foldPause = 10_000_000
)

// A ladderWish is what a ladder is to show.
type ladderWish struct {
	conn   *dissect.Connection
	frames []flow.Ref // in order, each once
	// around says that what came before and after is shown too; else only what of
	// it is out of the plain.
	around bool
	blamed []blame
	// call and reply are the last frames of the messages of an RPC.
	call, reply flow.Ref
	// name is that of the RPC if it is known, status how it ended.
	name, status string
	named        bool
	chunks       []page.Chunk
}

// A blame is a frame that a finding is about, and the finding's rule.
type blame struct {
	frame flow.Ref
	rule  string
}

// blames are those of a finding.
func (w *want) blames() []blame {
	list := []blame{{w.Frame, w.ID()}}
	for _, r := range refsOf(w.Octets) {
		list = append(list, blame{r, w.ID()})
	}
	return list
}

// blameOf names the rules whose findings are about a frame: what is at fault and what
// shows it are told apart by them.
func (w *ladderWish) blameOf(r flow.Ref) string {
	var rules []string
	for _, b := range w.blamed {
		if b.frame == r && !slices.Contains(rules, b.rule) {
			rules = append(rules, b.rule)
		}
	}
	return strings.Join(rules, ", ")
}

// ladder draws what went over a connection. It is nil if nothing of it is at hand.
func (h *HTML) ladder(w *ladderWish) *page.Ladder {
	steps, hidden := h.walk(w)
	if len(steps) == 0 {
		return nil
	}
	l := &page.Ladder{
		Client: string(appendEndpoint(nil, w.conn.Client())), Server: string(appendEndpoint(nil, w.conn.Server())),
		Start: h.since(steps[0].time),
	}
	found := make(map[flow.Ref]bool, len(steps))
	var lines []line
	for i, s := range steps {
		found[s.frame] = true
		n := 0
		if hidden != nil {
			n = hidden[i]
		}
		lines = fold(lines, s, n, w)
	}
	for _, r := range w.frames {
		if !found[r] {
			l.LeftOut++
		}
	}
	if n := len(lines) - ladderSteps; n > 0 {
		// The beginning and the end tell most.
		const at = ladderSteps * 3 / 4
		for _, x := range lines[at : at+n] {
			lines[at+n].hidden += x.frames + x.hidden
		}
		lines = slices.Delete(lines, at, at+n)
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

// A line is steps that are shown as one.
type line struct {
	first, last *step
	frames      int
	octets      int64
	chunk       int
	hidden      int // frames before it that are not shown
	bad         string
}

// fold adds a step, before which frames are hidden, to the lines: to the last one, if
// it does the same and comes directly behind it.
func fold(lines []line, s *step, hidden int, w *ladderWish) []line {
	bad := w.blameOf(s.frame)
	chunk := w.chunkOf(s)
	if n := len(lines); n > 0 && hidden == 0 {
		x := &lines[n-1]
		p := x.last
		same := p.kind == s.kind && p.from == s.from && p.note == s.note && x.bad == bad && x.chunk == chunk
		switch {
		case !same:
		case s.time-p.time >= foldPause:
			same = false
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
	return append(lines, line{first: s, last: s, frames: 1, octets: int64(s.length), chunk: chunk, hidden: hidden, bad: bad})
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
