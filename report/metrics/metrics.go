package metrics

import (
	"sync"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Options are what Metrics can be told.
type Options struct {
	// Version is that of rdmacap, Revision the commit that it was built from, "" if
	// that is not known.
	Version, Revision string
	// Rules are those whose findings are counted, each from 0 on, Selection which of
	// their findings are shown.
	Rules     []*rules.Rule
	Selection rules.Selection
	// Interfaces are those that are captured on, nil if frames come from elsewhere: then
	// nobody knows how old they are, and there is no lag.
	Interfaces []string
	// Now is the clock, nil for time.Now.
	Now func() time.Time
}

// Metrics are the figures of a capture that goes on. It is a report.LiveView, told by
// one goroutine; any may ask.
type Metrics struct {
	opts  Options
	guard sync.Mutex // of what follows
	figures
	state
	connections map[*dissect.Connection]*connection
	last        *connection // that of lastOf, tried before the map
	lastOf      *dissect.Connection
	operations  operations
	errors      names
	findings    findings
	ops         []dissect.Op // to be used again
	name        []byte       // to be used again
}

// figures are the numbers without names.
type figures struct {
	frames, octets, malformed, badICRC uint64
	begun, open                        uint64 // connections
	wire                               wire
	credits                            [2]credits                     // by requester
	messages                           [2][len(procedures) + 1]uint64 // by sender
	drops                              report.Drops
	lag                                lag
}

// Indices of what is counted by role.
const (
	client = iota
	server
)

// New returns Metrics with nothing counted, of a capture that has not begun.
func New(o Options) *Metrics {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Metrics{opts: o, connections: make(map[*dissect.Connection]*connection)}
	m.operations.known = make(map[string]*operation)
	m.errors.known = make(map[string]int)
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
	if !final {
		m.begun++
		m.open++
		m.last, m.lastOf = new(connection), c
		m.connections[c] = m.last
		return
	}
	if s := m.of(c); s != nil {
		s.wired(c, &m.wire)
		s.spend([2]credits{}, &m.credits)
		m.open--
		delete(m.connections, c)
		m.last, m.lastOf = nil, nil
	}
}

// of is what is known of a connection that is open, nil if it is not. The lock is held.
func (m *Metrics) of(c *dissect.Connection) *connection {
	if m.lastOf != c {
		m.last, m.lastOf = m.connections[c], c
	}
	return m.last
}

// Frame implements dissect.Sink.
func (m *Metrics) Frame(v *dissect.FrameView) {
	faulty := v.Faulty()
	m.guard.Lock()
	defer m.guard.Unlock()
	m.frames++
	m.octets += uint64(v.Length)
	if faulty {
		m.malformed++
	}
	if v.IB != nil && v.IB.Check == rocev2.ICRCWrong {
		m.badICRC++
	}
	if c := v.Connection; c != nil {
		if s := m.of(c); s != nil { // there are frames behind the end of one
			s.wired(c, &m.wire)
			s.spend(s.state(c), &m.credits)
		}
	}
	if m.opts.Interfaces != nil {
		m.lag.analysed(v.Time, m.opts.Now)
	}
}

// Message implements dissect.Sink.
func (m *Metrics) Message(msg *dissect.Message) {
	m.guard.Lock()
	defer m.guard.Unlock()
	from := server
	if msg.ToServer() {
		from = client
	}
	m.messages[from][procedure(msg)]++
	if s := m.of(msg.Connection); s != nil {
		s.granting(msg)
	}
}

// RPC implements dissect.Sink.
func (m *Metrics) RPC(r *dissect.RPC) {
	m.ops = r.Ops(m.ops[:0])
	m.name = r.AppendName(m.name[:0], m.ops)
	m.guard.Lock()
	defer m.guard.Unlock()
	m.operations.of(m.name).add(r, &m.errors)
}

// Fresh implements report.LiveView.
func (m *Metrics) Fresh(f *rules.Finding) {
	m.guard.Lock()
	defer m.guard.Unlock()
	told := &m.findings.told
	if c := f.Connection; c != nil {
		if s := m.of(c); s != nil {
			told = &s.told
		}
	}
	if told.first(f) {
		m.findings.count(f)
	}
}

// Dropped implements report.LiveView.
func (m *Metrics) Dropped(d report.Drops, _ int64) {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.drops = d
}
