package check

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A part runs the rules over the connections of one shard, for a Check. It is a
// dissect.Part: what its rules post, and what forms are told before any finding, it
// keeps until that is put together.
type part struct {
	checker *rules.Checker
	d       *dissect.Dissector
	begun   bool  // there was a frame
	at      int64 // the frame of the capture that the Checker was told of
	// drafts has what is written of connections and, live, all else; nil if that is nothing.
	// Announces says that it has the records of connections.
	drafts    *draft.Part
	announces bool
	now       *foundQueue
	pool      sync.Pool
}

// Part returns a Part that runs the rules for c, whose own methods as a Sink are not called
// then.
func (c *Check) Part(d *dissect.Dissector) dissect.Part {
	p := c.part(d)
	if c.form.Announcing != nil {
		p.drafts, p.announces = c.form.Announcing(d), true
	}
	return p
}

func (c *Check) part(d *dissect.Dissector) *part {
	p := &part{checker: c.across.Checker(), d: d}
	if c.opts.Files > 1 {
		p.checker.Several()
	}
	p.pool.New = func() any { return &foundQueue{c: c, pool: &p.pool} }
	p.now = p.pool.Get().(*foundQueue)
	c.parts = append(c.parts, p)
	return p
}

// Connection implements dissect.Sink.
func (p *part) Connection(c *dissect.Connection, final bool) {
	at := p.here()
	switch {
	case final && p.announces:
		p.drafts.Forget(c)
	case final:
	case p.announces:
		p.drafts.Connection(c, false)
		p.add(foundItem{at: at})
	default:
		p.add(foundItem{at: at, announced: true, time: c.FirstTime})
	}
	p.checker.Connection(c, final)
	p.add(foundItem{at: at})
}

// Frame implements dissect.Sink.
func (p *part) Frame(v *dissect.FrameView) {
	at := p.here()
	if !p.begun {
		p.begun = true
		p.add(foundItem{at: at, starts: true, time: v.Frame.Time})
	}
	p.checker.Frame(v)
	p.keep(at)
}

// Message implements dissect.Sink.
func (p *part) Message(m *dissect.Message) {
	at := p.here()
	p.checker.Message(m)
	p.keep(at)
}

// RPC implements dissect.Sink.
func (p *part) RPC(r *dissect.RPC) {
	at := p.here()
	p.checker.RPC(r)
	p.keep(at)
}

// Access implements dissect.AccessSink.
func (p *part) Access(a *dissect.Access) {
	at := p.here()
	p.checker.Access(a)
	p.keep(at)
}

// Tick implements dissect.Ticker.
func (p *part) Tick(now int64) {
	at := p.here()
	p.checker.Tick(now)
	p.keep(at)
}

// here tells the Checker where in the capture it is.
func (p *part) here() flow.Position {
	at := p.d.At()
	if at.Ordinal != p.at {
		p.at = at.Ordinal
		p.checker.At(at.Ordinal, p.d.Newest())
	}
	return at
}

// keep keeps what an event posted or drafted: mostly nothing.
func (p *part) keep(at flow.Position) {
	if p.checker.HasPosted() || p.drafts != nil {
		p.add(foundItem{at: at})
	}
}

// add keeps what is to be told, with what was posted and drafted before it, if there is
// anything.
func (p *part) add(x foundItem) {
	p.now.posts = p.checker.Posted(p.now.posts)
	x.posts, x.news = len(p.now.posts), len(p.now.news)
	if p.drafts != nil {
		x.drafts = p.drafts.Drafted()
	}
	if !x.live {
		x.before = x.drafts
	}
	var before foundItem
	if n := len(p.now.items); n > 0 {
		before = p.now.items[n-1]
	}
	if x.posts > before.posts || x.drafts > before.drafts || x.starts || x.announced {
		p.now.items = append(p.now.items, x)
	}
}

// Cut is that of dissect.Part.
func (p *part) Cut() dissect.Queue {
	q := p.now
	p.now = p.pool.Get().(*foundQueue)
	if p.drafts != nil {
		q.drafts = p.drafts.Cut()
	}
	return q
}
