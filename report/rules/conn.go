package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Conn is a connection as the rules see it. What each frame needs comes first.
type Conn struct {
	*dissect.Connection
	// Capture is what it was found in.
	Capture *Capture
	tables  *tables // what the rules look at, by what it speaks
	// awaitsFrames and awaitsMessages say who waits for them, by Keeping.
	awaitsFrames, awaitsMessages awaiting
	// holes and badCRC are the counters of the connection at its last segment of TCP, lost
	// that of LostInCapture at its last packet of InfiniBand.
	holes, badCRC, lost int64
	// service is Unreliable if that of the connection may lose packets, else 0.
	service Class
	speaks  Protocol
	setUp   bool
	// unsettled says that messages were told since the last frame, or that frames were
	// missing since one was; established that the connection was by then.
	unsettled, established bool
	// mtu is the path MTU that the REQ told, in bytes, 0 while it is not known.
	mtu uint16

	lastSeen [2]LastSeen // by the end
	kept     [ofConns]any
	order    order
	reportState
	// Unanswered counts the calls of each end that are over without an answer.
	Unanswered  [2]int64
	limitations *limitationLog // nil in operation
	// ref is what CrossConnection knows it by, nil while nothing was published. It is not looked into.
	ref *ConnRef
	// mentioned are the RPCs of which CrossConnection may report something before they are over.
	mentioned map[*dissect.RPC]struct{}
	// reminder is where it stands among those that wait for the clock, from 1, 0 if it
	// does not.
	reminder int
}

func newConn(k *Capture, c *dissect.Connection, t *tables) *Conn {
	v := &Conn{Connection: c, Capture: k, tables: t}
	v.conn, v.capture = c, k
	return v
}

// order is what is known of the order in which the messages of a connection are
// told: while frames of one direction are missing, what lies after them waits, and
// the other direction goes on.
type order struct {
	newest   flow.Moment    // of the newest message
	late     flow.Ref       // the newest one when a message was told after it that was captured before it
	newestOf [2]flow.Moment // by the end that sent it
	firstOf  [2]flow.Ref    // the first one of each end
	// answered says that an end sent an answer.
	answered [2]bool
	// orphans counts the answers that came while no call of an end was known that they answer,
	// newestXIDs are those of the last of them.
	orphans    [2]int64
	newestXIDs [2][8]uint32
}

// note notes a message.
func (o *order) note(m *dissect.Message) {
	at := m.Moment()
	o.newestOf[m.From&1] = at
	if o.firstOf[m.From&1].Number == 0 {
		o.firstOf[m.From&1] = at.Ref
	}
	o.answered[m.From&1] = o.answered[m.From&1] || m.Answer
	if r := m.RPC(); r != nil && r.Call == nil {
		o.orphan(r.Requester&1, r.XID)
	} else if o.orphans[m.From&1] > 0 && r != nil && r.Call == m {
		o.callFound(m.From&1, r.XID)
	}
	if at.Before(o.newest) {
		o.late = o.newest.Ref
		return
	}
	o.newest = at
}

// orphan counts an answer without a call.
func (o *order) orphan(requester flow.End, xid uint32) {
	last := &o.newestXIDs[requester]
	last[o.orphans[requester]%int64(len(last))] = xid
	o.orphans[requester]++
}

// callFound looks whether a call was told after its answer, which is none without a call then.
func (o *order) callFound(requester flow.End, xid uint32) {
	last, n := &o.newestXIDs[requester], o.orphans[requester]
	for i := range min(n, int64(len(last))) {
		at := &last[(n-1-i)%int64(len(last))]
		if *at == xid {
			*at = last[(n-1)%int64(len(last))]
			o.orphans[requester]--
			return
		}
	}
}

// bothSentBefore reports whether both ends sent a message up to a frame. Of frames of
// different files no order is known.
func (o *order) bothSentBefore(r flow.Ref) bool {
	for _, x := range o.firstOf {
		if x.Number == 0 || x.File == r.File && x.Number > r.Number {
			return false
		}
	}
	return true
}

// awaited is AwaitedMessage while anybody waits for messages, else 0.
func (c *Conn) awaited() Class {
	if c.awaitsMessages != 0 {
		return AwaitedMessage
	}
	return 0
}

// Reported returns what was found so far about an RPC that is not over, but for notes:
// they explain nothing, and come with every RPC of some peers. It is valid until the
// next event.
func (c *Conn) Reported(r *dissect.RPC) []Reported { return c.reported[r] }

// resolve ends what is remembered of an RPC of which something was reported.
func (c *Conn) resolve(r *dissect.RPC, said []Reported) {
	if slices.ContainsFunc(said, Reported.follows) {
		o := outcomeOf(r)
		c.outcome(&o, said)
	}
	delete(c.reported, r)
}

// LastSeen is what was captured of an end last, up to the frame before this one.
func (c *Conn) LastSeen(e flow.End) *LastSeen { return &c.lastSeen[e&1] }

// Spoke is when the newest message of an end was sent, 0 if there is none.
func (c *Conn) Spoke(e flow.End) int64 { return c.order.newestOf[e&1].Time }

// Sender is "client" or "server", for the end that sent something.
func (c *Conn) Sender(e flow.End) string {
	if e == c.ClientEnd {
		return "client"
	}
	return "server"
}

// party is which of the two an end is.
func (c *Conn) party(e flow.End) Party {
	if e == c.ClientEnd {
		return Client
	}
	return Server
}
