package metrics

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A part counts what one of several goroutines receives. Metrics have it when a batch of
// frames is done.
type part struct {
	metrics *Metrics
	counter
	counted countedFindings // of no connection, or of one that is over
}

// Part returns the counter of one shard.
func (m *Metrics) Part() check.ViewPart { return &part{metrics: m, counter: newCounter()} }

// Reached takes up to where everything was reported.
func (m *Metrics) Reached(time int64) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.oldest.reached(time)
	if time > m.lag.last {
		m.analysed(time)
	}
}

// Connection implements dissect.Sink.
func (p *part) Connection(c *dissect.Connection, final bool) { p.connection(c, final) }

// Frame implements dissect.Sink.
func (p *part) Frame(v *dissect.FrameView) { p.frame(v, v.Faulty()) }

// Message implements dissect.Sink.
func (p *part) Message(m *dissect.Message) { p.message(m) }

// RPC implements dissect.Sink.
func (p *part) RPC(r *dissect.RPC) {
	p.call(r)
	p.rpc(r)
}

// Tick implements dissect.Ticker: time goes by, with frames or without.
func (p *part) Tick(int64) { p.lookAgain() }

// NewFinding implements check.ViewPart.
func (p *part) NewFinding(f *finding.Finding) {
	if f.Ongoing {
		return
	}
	told := &p.counted
	if c := f.Connection; c != nil {
		if s := p.connectionOf(c); s != nil {
			told = &s.counted
		}
	}
	if told.first(f) {
		p.metrics.guard.Lock()
		defer p.metrics.guard.Unlock()
		p.metrics.findings.count(f)
	}
}

// Cut implements check.ViewPart.
func (p *part) Cut() {
	p.metrics.guard.Lock()
	defer p.metrics.guard.Unlock()
	p.metrics.merge(&p.counter)
	p.metrics.oldest.takeOldest(&p.counter)
}
