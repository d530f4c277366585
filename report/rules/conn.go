package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Conn is a connection as the rules see it.
type Conn struct {
	*dissect.Connection
	// Capture is what it was found in.
	Capture *Capture
	// Unanswered counts the calls of each end that are over without an answer.
	Unanswered [2]int64

	tables *tables // what the rules look at, by what it speaks
	speaks Protocol
	kept   [keepings]any
	book   book
	said   map[*dissect.RPC][]Said
	setUp  bool
	gates  *gateLog // nil in operation
	order  order
	// nak is the newest one that was told as a consequence, with what was said.
	nak     nak
	nakText string
	heard   [2]Heard // by the end
	// reminder is where it stands among those that wait for the clock, from 1, 0 if it
	// does not.
	reminder int
	// service is Unreliable if that of the connection may lose packets, else 0.
	service Class
	// awaitsFrames and awaitsMessages say who waits for them, by Keeping.
	awaitsFrames, awaitsMessages awaiting
	// unsettled says that messages were told since the last frame, or that frames were
	// missing since one was; established that the connection was by then.
	unsettled, established bool
	// holes and badCRC are the counters of the connection at its last segment of TCP.
	holes, badCRC int64
}

// order is what is known of the order in which the messages of a connection are
// told: while frames of one direction are missing, what lies behind them waits, and
// the other direction goes on.
type order struct {
	newest flow.Ref       // frame of the newest message
	time   int64          // of that
	late   flow.Ref       // the newest one when a message was told behind it that was captured before it
	heard  [2]flow.Moment // by the end that sent it
	began  [2]flow.Ref    // the first one of each end
}

// told notes a message.
func (o *order) told(m *dissect.Message) {
	frame := m.Frame()
	o.heard[m.From&1] = flow.Moment{Ref: frame, Time: m.Last}
	if o.began[m.From&1].Number == 0 {
		o.began[m.From&1] = frame
	}
	older := frame.Number < o.newest.Number
	if frame.File != o.newest.File {
		older = m.Last < o.time
	}
	if older {
		o.late = o.newest
		return
	}
	o.newest, o.time = frame, m.Last
}

// heardBefore reports whether both ends sent a message up to a frame. Of frames of
// different files no order is known.
func (o *order) heardBefore(r flow.Ref) bool {
	for _, x := range o.began {
		if x.Number == 0 || x.File == r.File && x.Number > r.Number {
			return false
		}
	}
	return true
}

// Said is what a rule found about an RPC that is not over.
type Said struct {
	Rule   *Rule
	Letter string
	// Finding is the one that it was folded into.
	Finding *Finding
}

// ID is the rule's with the letter.
func (s Said) ID() string { return s.Rule.ID + s.Letter }

// Said returns what was found so far about an RPC that is not over, but for notes:
// they explain nothing, and come with every RPC of some peers. It is valid until the
// next event.
func (c *Conn) Said(r *dissect.RPC) []Said { return c.said[r] }

// Heard is what was heard of an end, up to the frame before this one.
func (c *Conn) Heard(e flow.End) *Heard { return &c.heard[e&1] }

// Spoke is when the newest message of an end was sent, 0 if there is none.
func (c *Conn) Spoke(e flow.End) int64 { return c.order.heard[e&1].Time }

// Sender is "client" or "server", for the end that sent something.
func (c *Conn) Sender(e flow.End) string {
	if e == c.ClientEnd {
		return "client"
	}
	return "server"
}

// side is which of the two an end is.
func (c *Conn) side(e flow.End) Side {
	if e == c.ClientEnd {
		return Client
	}
	return Server
}

// note remembers what was found about an RPC until that is over.
func (c *Conn) note(r *dissect.RPC, rule *Rule, letter string, f *Finding) {
	if f.Severity == Note {
		return
	}
	if c.said == nil {
		c.said = make(map[*dissect.RPC][]Said)
	}
	list := c.said[r]
	const most = 32 // more findings about one RPC than make sense to anybody
	if len(list) < most {
		c.said[r] = append(list, Said{rule, letter, f})
	}
}
