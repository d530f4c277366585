package check

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Where connections are followed apart, each shard drafts its rows, and its findings when
// they are said: a finding changes later. What Across says of what was posted comes when
// that is put together, between the drafts of what was said at the same event.

// A PartedView is a LiveView of which the shards may have parts.
type PartedView interface {
	LiveView
	// Part returns what is told of what one shard finds, on its goroutine, in place of the
	// view: that is then told only of findings that are said across connections, and of
	// drops. If it is nil, the view wants only findings: copies of all, in their order.
	Part() LivePart
	// Reached says that all was told, wherever, of the frames up to the newest one of a time
	// in nanoseconds since 1970.
	Reached(time int64)
}

// A LivePart is what a PartedView has for a shard. Connections have no numbers there.
type LivePart interface {
	dissect.Sink
	// Fresh is that of LiveView.
	Fresh(f *finding.Finding)
	// Cut is called when a batch of frames is done.
	Cut()
}

// Shardable reports whether shards may have Parts of it.
func (l *Live) Shardable() bool {
	for _, v := range l.opts.Views {
		if _, ok := v.(PartedView); !ok {
			return false
		}
	}
	return l.form.Shardable()
}

// A livePart is the part of a Live that is of one shard.
type livePart struct {
	*part
	l     *Live
	form  LiveForm // writes the drafts
	views []LivePart
	conn  *dissect.Connection // of the event
	// copies says that a view is told of findings later.
	copies bool
}

// Part returns a Part that drafts what l writes. It is Shardable.
func (l *Live) Part(d *dissect.Dissector) dissect.Part {
	p := &livePart{part: l.Check.part(d), l: l}
	p.form, p.drafts = l.form.Part(d)
	p.drafts.Drafts.Once = true
	for _, v := range l.opts.Views {
		v := v.(PartedView)
		if x := v.Part(); x != nil {
			p.views = append(p.views, x)
		} else if p.copies = true; !slices.Contains(l.inOrder, v) {
			l.inOrder = append(l.inOrder, v)
		}
	}
	p.checker.WatchApart(p.fresh, nil)
	return p
}

// Connection implements dissect.Sink.
func (p *livePart) Connection(c *dissect.Connection, final bool) {
	p.conn = c
	p.form.Connection(c, final)
	if !final {
		p.form.Announce(c)
	}
	p.drafts.Wrote()
	at := p.here()
	p.checker.Connection(c, final)
	p.add(foundItem{at: at})
	if final {
		p.form.Forget(c)
	}
	for _, v := range p.views {
		v.Connection(c, final)
	}
}

// Frame implements dissect.Sink.
func (p *livePart) Frame(v *dissect.FrameView) {
	p.conn = v.Connection
	if rows := p.form.Rows(); rows != nil {
		rows.Frame(v)
		p.drafts.Wrote()
	}
	if !p.begun {
		p.begun = true
		p.form.Starts(v.Frame.Time)
		p.drafts.Wrote()
	}
	p.part.Frame(v)
	for _, x := range p.views {
		x.Frame(v)
	}
}

// Message implements dissect.Sink.
func (p *livePart) Message(m *dissect.Message) {
	p.conn = m.Connection
	if rows := p.form.Rows(); rows != nil {
		rows.Message(m)
		p.drafts.Wrote()
	}
	p.part.Message(m)
	for _, v := range p.views {
		v.Message(m)
	}
}

// RPC implements dissect.Sink.
func (p *livePart) RPC(r *dissect.RPC) {
	p.conn = r.Connection
	if rows := p.form.Rows(); rows != nil {
		rows.RPC(r)
		p.drafts.Wrote()
	}
	p.part.RPC(r)
	for _, v := range p.views {
		v.RPC(r)
	}
}

// Access implements dissect.AccessSink.
func (p *livePart) Access(a *dissect.Access) {
	p.conn = a.Connection
	p.part.Access(a)
}

// Tick implements dissect.Ticker.
func (p *livePart) Tick(now int64) {
	p.conn = nil
	p.part.Tick(now)
}

// fresh takes what the Checker said in an event in which it said or posted anything.
func (p *livePart) fresh(list []rules.News) {
	q := p.now
	posted := len(q.posts)
	q.posts = p.checker.Posted(q.posts)
	x := foundItem{at: p.d.At(), live: true, time: p.d.Newest(), before: p.drafts.Drafted(), conn: p.conn}
	if len(q.posts) > posted && p.conn != nil && !p.form.Told(p.conn) {
		p.form.Spare(p.conn)
		x.spare = p.drafts.Drafted()
	}
	for _, n := range list {
		if !p.l.opts.Selection.Has(n.Finding) {
			continue
		}
		p.form.Fresh(n.Finding, 0)
		p.drafts.Wrote()
		for _, v := range p.views {
			v.Fresh(n.Finding)
		}
		if p.copies {
			f := *n.Finding
			n.Finding = &f
		}
		q.news, q.ends = append(q.news, n), append(q.ends, p.drafts.Drafted())
	}
	p.add(x)
}

// Cut is that of dissect.Part.
func (p *livePart) Cut() dissect.Queue {
	q := p.now
	q.live, q.reached = p.l, p.d.Reached()
	for _, v := range p.views {
		v.Cut()
	}
	return p.part.Cut()
}

// tellNews tells the findings of an event, those of the shard from one on.
func (q *foundQueue) tellNews(x *foundItem, from int) {
	at := max(x.before, x.spare) // the drafts of news
	q.c.across.TellNews(q.news[from:x.news], func(i int) {
		for ; at < q.ends[from+i]; at++ {
			q.drafts.Tell(at)
		}
		q.live.later(q.news[from+i].Finding, x.time)
	}, func(n rules.News) {
		if c := n.Connection; x.spare > 0 && c == x.conn {
			q.drafts.Tell(x.spare - 1)
		}
		q.live.across(n.Finding, x.time)
	})
}

// later tells the views that want only findings of one of a shard; newest is the newest time
// before.
func (l *Live) later(f *finding.Finding, newest int64) {
	for _, v := range l.inOrder {
		v.Reached(newest)
		v.Fresh(f)
	}
}

// across writes and tells a finding that was said across connections.
func (l *Live) across(f *finding.Finding, newest int64) {
	if !l.opts.Selection.Has(f) {
		return
	}
	write := func() { l.form.Fresh(f, l.found.Number(f)) }
	if c := f.Connection; c == nil || l.form.Told(c) {
		write()
	} else {
		l.Check.across.Pause(write) // its record is written first
	}
	for _, v := range l.opts.Views {
		v.(PartedView).Reached(newest)
		v.Fresh(f)
	}
}

// reach tells the views up to where all was told.
func (l *Live) reach(time int64) {
	l.reached = time
	for _, v := range l.opts.Views {
		v.(PartedView).Reached(time)
	}
}
