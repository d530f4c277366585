package html

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Connection implements dissect.Sink.
func (p *part) Connection(c *dissect.Connection, final bool) {
	at := p.rules.Here()
	if !final {
		p.noteStart(at, c.FirstTime)
		p.rules.Connection(c, false)
		p.published(at)
		return
	}
	p.q.ends = append(p.q.ends, ending{conn: c, traffic: p.stats.Over(c), late: p.current.Late(), counts: len(p.q.counts)})
	p.q.enqueue(item{at: at, kind: itemEnds})
	fresh := len(p.newFindings)
	p.rules.Connection(c, true)
	p.published(at)
	p.newFindings = p.newFindings[:fresh] // what is reported of the end is shown at once
	p.q.enqueue(item{at: at, kind: itemEnded})
	delete(p.states, c)
	p.newest, p.newestConn = nil, nil
	for key := range p.waiting {
		if key.conn == c {
			delete(p.waiting, key)
		}
	}
}

// Frame implements dissect.Sink.
func (p *part) Frame(v *dissect.FrameView) {
	at := p.rules.Here()
	p.noteStart(at, v.Frame.Time)
	p.rules.Frame(v)
	p.published(at)
	x := p.seen(v)
	if p.shows(v) {
		x.here = frameInHand(v, p.h.opts.Files > 1)
	}
	p.q.frames = append(p.q.frames, x)
	p.q.enqueue(item{at: at, kind: itemFrame})
	p.current.Clear()
}

// Message implements dissect.Sink.
func (p *part) Message(m *dissect.Message) {
	at := p.rules.Here()
	p.current.Message(m)
	p.rules.Message(m)
	p.published(at)
	p.stats.Message(m)
	p.q.counts = append(p.q.counts, series.CountOf(m))
}

// Access implements dissect.AccessSink.
func (p *part) Access(a *dissect.Access) {
	at := p.rules.Here()
	p.current.Access(a)
	p.rules.Access(a)
	p.published(at)
	if a.Connection.RPCRDMA() {
		p.q.counts = append(p.q.counts, series.CountOfAccess(a))
	}
}

// Tick implements dissect.Ticker.
func (p *part) Tick(now int64) {
	at := p.rules.Here()
	p.rules.Tick(now)
	p.published(at)
}

// RPC implements dissect.Sink.
func (p *part) RPC(r *dissect.RPC) {
	at := p.rules.Here()
	p.checked, p.severity = rules.CheckedRPC{}, 0
	abouts := p.rules.Abouts()
	p.rules.RPC(r)
	p.published(at)
	x := p.q.rpc()
	p.stats.Note(r, &x.fact)
	x.conn, x.key, x.severity, x.checked = r.Connection, rpcKey{r.Connection, r}, p.severity, p.checked
	x.failed, x.failedAt = r.Reply != nil && !r.Reverse() && series.Failing(r), 0
	if x.failed {
		x.failedAt = r.Reply.Last
	}
	p.words.Ops = x.fact.Ops()
	wants := p.waiting[x.key]
	if wants != nil {
		delete(p.waiting, x.key)
	}
	if wants != nil || !p.h.room.full.Load() {
		p.rows.Make(&x.row, r, x.fact.Name(), &p.words, &p.q.store)
		x.made, x.texts = true, len(p.q.store.Texts())
		worst := p.severity
		for _, w := range wants {
			worst = max(worst, w.Severity)
		}
		if len(wants) > 0 || p.rules.Abouts() > abouts || p.mayInform(r.Connection, &x.row, worst) {
			x.evidence = evidenceOf(r, &x.row, &p.words, p.h.opts.Files > 1)
		}
	}
	p.q.enqueue(item{at: at, kind: itemRPC})
}

// seen is the frame in hand.
func (p *part) seen(v *dissect.FrameView) seenFrame {
	x := seenFrame{frame: v.Frame, conn: v.Connection, sign: series.SignOf(v)}
	steps, keep := p.current.AppendSteps(p.q.steps, v)
	p.q.steps, x.keep = steps, uint16(keep)
	x.steps, x.counts = int32(len(p.q.steps)), int32(len(p.q.counts))
	x.late = p.current.Late()
	c := v.Connection
	if c == nil {
		return x
	}
	s := p.stateOf(c)
	if now := ladder.StampOf(c); !s.stamped || s.stamp != now {
		s.stamp, s.stamped = now, true
		changed := now // now itself is not to be allocated for each frame
		x.stamp = &changed
	}
	return x
}

// shows reports whether a finding may be about the frame in hand.
func (p *part) shows(v *dissect.FrameView) bool {
	shows := p.rules.Abouts() > p.abouts
	p.abouts = p.rules.Abouts()
	for _, w := range p.newFindings {
		shows = shows || slices.Contains(w.refs(), v.Frame.Ref())
	}
	clear(p.newFindings)
	p.newFindings = p.newFindings[:0]
	return shows
}
