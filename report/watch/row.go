package watch

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/finding"
)

// An Endpoint is one end of a connection, in words.
type Endpoint struct {
	Addr string
	// Port is 0 if it is not known; QPN counts if HasQPN.
	Port   uint16
	QPN    uint32
	HasQPN bool
}

// Losses are the frames of a connection that did not come as they should.
type Losses struct {
	// Retransmissions are frames that were sent again, LostOnWire those among them that
	// never came to the capture before; Missing were delivered, and the capture lacks them.
	Retransmissions, LostOnWire, Missing int64
}

func (l *Losses) addCounters(c *flow.Counters) {
	*l = Losses{c.Retransmissions, c.LostOnWire, c.LostInCapture}
}

func (l *Losses) addLosses(o Losses) {
	l.Retransmissions += o.Retransmissions
	l.LostOnWire += o.LostOnWire
	l.Missing += o.Missing
}

// A Row is what is shown of a connection.
type Row struct {
	ID                 int
	Transport, Service string
	Client, Server     Endpoint
	// Now are the figures of the last Span seconds.
	Now Figures
	// Open is how many of the client's calls have no reply now; Granted the credits that the
	// server granted last, if HasGranted.
	Open       int
	Granted    uint32
	HasGranted bool
	Losses
	Frames, RPCs int64
	Findings     finding.Tally
	// Idle is how long it has had no frame; Ended says how it ended, "" if it has not.
	Idle  time.Duration
	Ended string
}

// A row is a connection that is listed. It is filled with notes: whoever takes a Snapshot must
// not look into the connection itself.
type row struct {
	Row
	ends     [2]flow.Endpoint // client and server as they are worded
	worded   bool
	window   window
	seen     int64 // time of its last frame
	matched  bool  // an RPC of it was what is looked for
	granted  [2]grant
	endedAt  time.Time
	conn     *dissect.Connection // nil when it is over
	over     *stats.Connection   // what was counted of it then
	rpcs     ring.Ring[rpcLine]
	findings ring.Ring[Finding]
}

// A grant is the credits that an end was granted last, if it was.
type grant struct {
	credits uint32
	known   bool
}

// refresh takes what may have become known of a connection.
func (r *row) refresh(x *identity) {
	if !r.worded || !same(&x.ends[0], &r.ends[0]) || !same(&x.ends[1], &r.ends[1]) {
		r.worded = true
		r.ends = x.ends
		r.Client, r.Server = endpoint(&x.ends[0]), endpoint(&x.ends[1])
	}
	r.Service = x.service
}

// count takes how the connection stands.
func (r *row) count(s *standing) {
	r.Open, r.Frames, r.Losses = s.open, s.frames, s.losses
}

func same(a, b *flow.Endpoint) bool {
	return a.Addr == b.Addr && a.Port == b.Port && a.QPN == b.QPN && a.HasQPN == b.HasQPN
}

func endpoint(e *flow.Endpoint) Endpoint {
	return Endpoint{string(e.Addr.AppendTo(nil)), e.Port, e.QPN, e.HasQPN}
}

// ending says how a connection ended, "" if it was open when the capture ended.
func ending(c flow.Closing) string {
	switch c {
	case flow.Open:
		return ""
	case flow.Disconnected:
		return "disconnected"
	case flow.Rejected:
		return "rejected"
	case flow.Terminated:
		return "terminated"
	case flow.Reset:
		return "reset"
	}
	return "replaced by a new connection"
}
