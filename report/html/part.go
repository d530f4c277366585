package html

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
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

	stats   *stats.Shard
	words   words.Words
	rows    *rpcrow.Maker
	current ladder.CurrentFrame
	states  map[*dissect.Connection]*partState
	newest  *partState // that of newestConn
	// newestConn is nil if newest is of none.
	newestConn *dissect.Connection

	begun       bool
	newFindings []*evidenceRequest            // said since the last frame
	waiting     map[rpcKey][]*evidenceRequest // about an RPC that is not over
	checked     rules.CheckedRPC
	abouts      int64            // at the last frame
	severity    finding.Severity // of what was reported of the RPC in hand, by this shard
	choice      choice           // of what may have evidence
}

// Part returns what makes the part of the page that is of the connections of one shard.
func (h *Page) Part(d *dissect.Dissector) dissect.Part {
	p := &part{
		h: h, d: d, stats: stats.NewShard(), states: make(map[*dissect.Connection]*partState),
		waiting: make(map[rpcKey][]*evidenceRequest), choice: newChoice(0), rows: h.columns.Maker(),
	}
	p.pool = &sync.Pool{New: func() any { return &queue{h: h, pool: p.pool} }}
	p.q = p.pool.Get().(*queue)
	p.rules = h.check.Shard(d)
	p.rules.WatchApart(p.takeFindings, p.rpcChecked)
	return p
}

// Flush is that of dissect.Part.
func (p *part) Flush() dissect.Queue {
	q := p.q
	p.q = p.pool.Get().(*queue)
	return q
}

// noteStart reports the first time that the shard sees.
func (p *part) noteStart(at flow.Position, ns int64) {
	if ns != 0 && !p.begun {
		p.begun = true
		p.q.begins = ns
		p.q.enqueue(item{at: at, kind: itemBegins})
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

// takeFindings takes what the rules reported in an event, or published.
func (p *part) takeFindings(list []rules.NewFinding) {
	for _, n := range list {
		if !p.h.opts.Selection.Has(n.Finding) {
			continue
		}
		w := newEvidenceRequest(n.Finding, n.RPC)
		if !p.choice.repeats(&w.Finding) && p.h.room.below(share(w.Severity)) {
			if n.RPC != nil {
				p.waiting[w.rpc] = append(p.waiting[w.rpc], w)
			}
			p.newFindings = append(p.newFindings, w)
		}
		p.q.newFindings, p.q.requests = append(p.q.newFindings, n), append(p.q.requests, w)
	}
	p.published(p.d.At())
}

// published keeps what was reported and published, if anything was.
func (p *part) published(at flow.Position) {
	q := p.q
	if p.rules.HasPublications() {
		q.publications = p.rules.Publications(q.publications)
	}
	if x := (item{at: at, kind: itemFinding, publications: int32(len(q.publications)), newFindings: int32(len(q.newFindings))}); x.publications > q.finding.publications || x.newFindings > q.finding.newFindings {
		q.finding = x
		q.enqueue(x)
	}
}

// mayInform reports whether an RPC may have evidence that no finding is new of, as far as a part can
// tell.
func (p *part) mayInform(c *dissect.Connection, row *columns.Row, worst finding.Severity) bool {
	room := &p.h.room
	return p.choice.informative(&p.stateOf(c).sampled, p.h.kindOf(row, worst), room.below(anyway)) && room.below(share(0))
}

// A partState is what a part keeps of a connection until it is over.
type partState struct {
	sampled
	stamp   ladder.Stamp
	stamped bool
}

// rpcChecked takes what the rules reported of the RPC in hand.
func (p *part) rpcChecked(j rules.CheckedRPC, said []rules.Reported) {
	p.checked, p.severity = j, p.h.worst(said)
}
