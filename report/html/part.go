package html

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/stats"
)

// A part makes of the connections of one shard what can be made without any other, while what
// it is made of is at hand: rows, the steps of frames, trees and bytes of RPCs that may
// have evidence in the page. It is a dissect.Part, a dissect.AccessSink and a dissect.Ticker.
type part struct {
	rules *check.Shard
	h     *Page
	d     *dissect.Dissector
	q     *queue
	// pool has queues that were told.
	pool *sync.Pool

	stats  *stats.Shard
	words  words.Words
	rows   *rpcrow.Maker
	now    ladder.Now
	states map[*dissect.Connection]*partState
	newest *partState // that of newestConn
	// newestConn is nil if newest is of none.
	newestConn *dissect.Connection

	begun    bool
	fresh    []*want            // said since the last frame
	waiting  map[rpcKey][]*want // about an RPC that is not over
	judged   rules.CheckedRPC
	abouts   int64            // at the last frame
	severity finding.Severity // of what was reported of the RPC in hand, by this shard
	choice   choice           // of what may have evidence
}

// Part returns what makes the part of the page that is of the connections of one shard.
func (h *Page) Part(d *dissect.Dissector) dissect.Part {
	p := &part{
		h: h, d: d, stats: stats.NewShard(), states: make(map[*dissect.Connection]*partState),
		waiting: make(map[rpcKey][]*want), choice: newChoice(0), rows: h.columns.Maker(),
	}
	p.pool = &sync.Pool{New: func() any { return &queue{h: h, pool: p.pool} }}
	p.q = p.pool.Get().(*queue)
	p.rules = h.check.Shard(d)
	p.rules.WatchApart(p.heard, p.hadSaid)
	return p
}

// Cut is that of dissect.Part.
func (p *part) Cut() dissect.Queue {
	q := p.q
	p.q = p.pool.Get().(*queue)
	return q
}

// begin reports the first time that the shard sees.
func (p *part) begin(at flow.Position, ns int64) {
	if ns != 0 && !p.begun {
		p.begun = true
		p.q.begins = ns
		p.q.add(item{at: at, kind: itemBegins})
	}
}

// stateOf is what is kept of a connection.
func (p *part) stateOf(c *dissect.Connection) *partState {
	if p.newestConn == c && c != nil {
		return p.newest
	}
	s := p.states[c]
	if s == nil {
		s = new(partState)
		p.states[c] = s
	}
	p.newest, p.newestConn = s, c
	return s
}

// heard takes what the rules reported in an event, or published.
func (p *part) heard(list []rules.NewFinding) {
	for _, n := range list {
		if !p.h.opts.Selection.Has(n.Finding) {
			continue
		}
		w := newWant(n.Finding, n.RPC)
		if !p.choice.repeats(&w.Finding) && p.h.room.below(share(w.Severity)) {
			if n.RPC != nil {
				p.waiting[w.rpc] = append(p.waiting[w.rpc], w)
			}
			p.fresh = append(p.fresh, w)
		}
		p.q.news, p.q.wants = append(p.q.news, n), append(p.q.wants, w)
	}
	p.posted(p.d.At())
}

// published keeps what was reported and published, if anything was.
func (p *part) posted(at flow.Position) {
	q := p.q
	if p.rules.HasPublications() {
		q.posts = p.rules.Publications(q.posts)
	}
	if x := (item{at: at, kind: itemSaid, posts: int32(len(q.posts)), news: int32(len(q.news))}); x.posts > q.said.posts || x.news > q.said.news {
		q.said = x
		q.add(x)
	}
}

// mayTell reports whether an RPC may have evidence that no finding is new of, as far as a part can
// tell.
func (p *part) mayTell(c *dissect.Connection, row *columns.Row, worst finding.Severity) bool {
	room := &p.h.room
	return p.choice.tells(&p.stateOf(c).sampled, p.h.kindOf(row, worst), room.below(anyway)) && room.below(share(0))
}

// A partState is what a part keeps of a connection until it is over.
type partState struct {
	sampled
	stamp   ladder.Stamp
	stamped bool
}

// hadSaid takes what the rules reported of the RPC in hand.
func (p *part) hadSaid(j rules.CheckedRPC, said []rules.Reported) {
	p.judged, p.severity = j, p.h.worst(said)
}
