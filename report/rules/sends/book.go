// Package sends remembers the newest Sends of a connection until the receiver
// accepts or refuses them: by a NAK for one of their PSNs, or by a Terminate that
// names their MSN. The rules about what a receiver refuses, and about messages that
// are too long, share one Book a connection.
//
//	Send, PSN 10 to 13 ──>            Send, MSN 7 ──>
//	<── NAK invalid request, PSN 12   <── Terminate, DDP header with MSN 7
package sends

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Sent is a Send of RPC-over-RDMA.
type Sent struct {
	// Begin and Frame are the first and the last of the frames that carried it,
	// the last one at Time in nanoseconds since 1970.
	Begin, Frame flow.Ref
	Time         int64
	// Length is that of the Send in octets.
	Length int
	// Point has the PSNs of its packets, or the MSN.
	flow.Point
	// XID is rdma_xid, if HasXID.
	XID uint32
	// Version is rdma_vers, 0 if it is not known.
	Version uint32
	// Invalidates says that it is a Send with Invalidate, of a Handle.
	Handle      uint32
	Invalidates bool
	HasXID      bool
	// Reverse says that it belongs to a call of the server.
	Reverse bool
}

// mostSends is how many Sends of an end are remembered.
const mostSends = 32

// A Book has the newest Sends of both ends.
type Book struct {
	c    *rules.Conn
	list [2]rules.Ring[Sent]
	over bool // the Terminate was looked at
}

// Newest is the last Send of an end, nil if there was none.
func (b *Book) Newest(from flow.End) *Sent {
	return b.newest(from, func(*Sent) bool { return true })
}

// newest is the last Send of an end that is as given, nil if none is known.
func (b *Book) newest(from flow.End, is func(s *Sent) bool) *Sent {
	for s := range b.list[from&1].Backward() {
		if is(s) {
			return s
		}
	}
	return nil
}

// Of is the Book of a connection, for rules that need Knowledge.
func Of(c *rules.Conn) *Book {
	b := rules.Kept[Book](c, rules.KeepsSends)
	b.c = c
	return b
}

// Knowledge takes the events.
func Knowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsSends, On: []rules.Event{
		rules.OnMessage(0, func(c *rules.Conn, m *dissect.Message, _ rules.Say) { Of(c).message(m) }),
		rules.OnFrame(rules.Refusing|rules.Ending, func(c *rules.Conn, v *dissect.FrameView, _ rules.Say) { Of(c).frame(v) }),
	}}
}

func (b *Book) message(m *dissect.Message) {
	s := b.list[m.From&1].Add(mostSends)
	*s = Sent{Point: m.Point, Length: m.Length, Begin: m.Frames[0], Frame: m.Frame(), Time: m.Last, Invalidates: m.HasInvalidated, Handle: m.Invalidated}
	if m.Header.Length >= rpcrdma.FixedSize {
		s.XID, s.HasXID, s.Version = m.Header.XID, true, m.Header.Version
	}
	role := m.Role()
	s.Reverse = role != dissect.RoleNone && b.c.RolesKnown && (role == dissect.RoleCall) != b.c.ToServer(m.From)
}

func (b *Book) frame(v *dissect.FrameView) {
	if v.IB == nil {
		if t := b.c.Termination; t != nil && !b.over {
			b.over = true
			b.terminated(v, t)
		}
	} else if v.IB.AETH() != 0 && v.Verdict.Note != flow.Duplicate {
		b.nak(v, v.IB.Syndrome())
	}
}

// psn is the Send of an end that has a PSN, nil if none has.
func (b *Book) psn(from flow.End, psn uint32) *Sent {
	return b.newest(from, func(s *Sent) bool { return s.Has(psn) })
}

// ByMSN is the Send of an end with an MSN, nil if it is not known.
func (b *Book) ByMSN(from flow.End, msn uint32) *Sent {
	return b.newest(from, func(s *Sent) bool { return s.Last == msn })
}
