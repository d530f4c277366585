package ladder

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page/evidence"
)

const (
	// mostSteps is how many a ladder has at most.
	mostSteps = 160
	// foldPause is how long apart, in nanoseconds, frames are that are no run: what
	// waits so long is to be seen.
	foldPause = 10_000_000
)

// Draw draws what went over a connection. It is nil if nothing of it is at hand. Times count from
// start, in nanoseconds since 1970.
func (t *RecentFrames) Draw(w *Request, of *Thread, start int64) *evidence.Ladder {
	steps, hidden := t.walk(w, of)
	if len(steps) == 0 {
		return nil
	}
	stamp := &of.Stamp
	l := &evidence.Ladder{Client: stamp.name(stamp.client), Server: stamp.name(stamp.client.Peer()), Start: since(steps[0].time, start)}
	found := make(map[flow.Ref]bool, len(steps))
	owners := t.ownersOf(w, of, steps)
	var lines []line
	for i, s := range steps {
		found[s.frame] = true
		n := 0
		if hidden != nil {
			n = hidden[i]
		}
		lines = fold(lines, s, owners[i], n, w)
	}
	for _, r := range w.Frames {
		if !found[r] {
			l.LeftOut++
		}
	}
	lines = cut(lines, mostSteps)
	advertised := -1
	for i := range lines {
		x := &lines[i]
		l.Steps = append(l.Steps, stepOf(x, w, steps[0].time, stamp.client))
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

// since is a time as the page has it; 0 for a frame without a time.
func since(ns, start int64) int64 {
	if ns == 0 {
		return 0
	}
	return ns - start
}

// fold adds a step, before which frames are hidden, to the lines: to the last one, if
// it does the same for the same RPC and comes directly after it.
func fold(lines []line, s *Step, of owner, hidden int, w *Request) []line {
	bad := w.blameOf(s.frame)
	chunk := w.chunkOf(s)
	if n := len(lines); n > 0 && hidden == 0 {
		x := &lines[n-1]
		p := x.last
		same := p.kind == s.kind && p.from == s.from && p.note == s.note && x.bad == bad && x.chunk == chunk && x.of == of
		switch {
		case !same:
		case s.time-p.time >= foldPause:
			same = false
		case s.kind == kindSend || s.kind == kindSendInv:
			same = !p.ends() && !p.message.known
		case s.kind == kindACK:
			same = p.syndrome == s.syndrome && s.syndrome.IsACK()
		case s.kind == kindWrite, s.kind == kindReadData, s.kind == kindTCP && p.flags == s.flags:
		default:
			same = false
		}
		if same {
			if x.last.frame != s.frame {
				x.frames++
			}
			x.last = s
			x.bytes += int64(s.length)
			return lines
		}
	}
	return append(lines, line{first: s, last: s, frames: 1, bytes: int64(s.length), chunk: chunk, hidden: hidden, of: of, bad: bad})
}

// chunkOf is the chunk whose memory a step touches, -1 for none.
func (w *Request) chunkOf(s *Step) int {
	read := false
	switch s.kind {
	case kindReadRequest, kindReadData:
		read = true
	case kindWrite:
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
