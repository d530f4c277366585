package metrics

import (
	"sync"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Options are what Metrics can be told.
type Options struct {
	// Version is that of rdmacap, Revision the commit that it was built from, "" if
	// that is not known.
	Version, Revision string
	// Rules are those whose findings are counted, each from 0 on, Selection which of
	// their findings are shown.
	Rules     []*finding.Rule
	Selection finding.Selection
	// Interfaces are those that are captured on, nil if frames come from elsewhere: then
	// nobody knows how old they are, and there is no lag.
	Interfaces []string
	// Now is the clock, nil for time.Now.
	Now func() time.Time
}

// Metrics are the figures of a capture that goes on. They are told by a check.View, on
// one goroutine, and its parts by one each; any may ask.
type Metrics struct {
	opts  Options
	guard sync.Mutex // of what follows
	counter
	state
	findings findings
	drops    finding.Drops
	lag      lag
	oldest   oldest
	clock    dissect.Clock // says when to look again, where there are no parts
}

// New returns Metrics with nothing counted, of a capture that has not begun.
func New(o Options) *Metrics {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Metrics{opts: o, counter: newCounter()}
	m.findings.expect(o.Rules, o.Selection)
	for _, name := range o.Interfaces {
		m.interfaces = append(m.interfaces, networkInterface{name: name})
	}
	return m
}

// Connection implements dissect.Sink.
func (m *Metrics) Connection(c *dissect.Connection, final bool) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.counter.connection(c, final)
	m.oldest.takeOldest(&m.counter)
}

// Frame implements dissect.Sink.
func (m *Metrics) Frame(v *dissect.FrameView) {
	faulty := v.Faulty()
	m.guard.Lock()
	defer m.guard.Unlock()
	m.counter.frame(v, faulty)
	m.oldest.reached(v.Time)
	if m.clock.Due(m.oldest.now) {
		m.lookAgain()
	}
	m.oldest.takeOldest(&m.counter)
	m.analysed(v.Time)
}

// analysed is told that a frame was. The lock is held.
func (m *Metrics) analysed(frame int64) {
	if m.opts.Interfaces != nil {
		m.lag.analysed(frame, m.opts.Now)
	}
}

// Message implements dissect.Sink.
func (m *Metrics) Message(msg *dissect.Message) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.counter.message(msg)
}

// RPC implements dissect.Sink.
func (m *Metrics) RPC(r *dissect.RPC) {
	m.call(r)
	m.guard.Lock()
	defer m.guard.Unlock()
	m.counter.rpc(r)
	m.oldest.takeOldest(&m.counter)
}

// Tick implements dissect.Ticker: time goes by without frames.
func (m *Metrics) Tick(now int64) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.oldest.reached(now)
	m.lookAgain()
	m.oldest.takeOldest(&m.counter)
}

// View is what has them told of all.
func (m *Metrics) View() check.View {
	return check.View{All: m, Part: m.Part, NewFinding: m.NewFinding, Reached: m.Reached, Dropped: m.Dropped}
}

// NewFinding takes a finding that was just reported.
func (m *Metrics) NewFinding(f *finding.Finding) {
	if f.Ongoing {
		return
	}
	m.guard.Lock()
	defer m.guard.Unlock()
	told := &m.findings.counted
	if c := f.Connection; c != nil {
		if s := m.connectionOf(c); s != nil {
			told = &s.counted
		}
	}
	if told.first(f) {
		m.findings.count(f)
	}
}

// Dropped takes how many frames were dropped so far.
func (m *Metrics) Dropped(d finding.Drops, _ int64) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.drops = d
}
