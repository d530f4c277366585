// Package setup keeps book of how a connection is made and ended: what each end
// told in its REQ, REP or MPA frame and where that lies, which messages there were,
// and what limit of a Send follows. The rules about thresholds and connection
// management share one Book a connection.
//
//	REQ, REP  | MPA Request, Reply ──> Told: private data, depths ──> LimitOf a direction
//	RTU, DREQ | RST, FIN           ──> Steps, the ladder that a person looks at
package setup

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// mostSteps is how many steps of a ladder are remembered: the first half of them
// from the begin on, then the newest ones.
const mostSteps = 16

// A Book is what one connection's set-up and end were.
type Book struct {
	// Told is what each end said.
	Told [2]Told
	// Steps are the messages of the set-up and the end, Left how many of them
	// in the middle are not kept.
	Steps []Step
	Left  int
	// RTU says that the end which asked for the connection said that it is ready.
	RTU bool
	// Again counts the messages of the set-up that were sent once more.
	Again int
	// Over is the first step that ends the connection, if Ended.
	Over  Step
	Ended bool

	cm   rocev2.CM
	done bool
}

// OnTold calls do when what both ends told is known, and the connection made.
func OnTold(do func(c *rules.Conn, b *Book, say rules.Say)) rules.Event { return rules.On(0, do) }

// A Told is what an end said in its REQ, REP or MPA frame.
type Told struct {
	// Heard says that this was captured, in a frame at a time.
	Heard bool
	Frame flow.Ref
	Time  int64
	// Private is the place of the consumer's private data, if they lie in one
	// frame.
	Private flow.Place
	// Takes and Issues are how many RDMA Reads the end takes and issues at a
	// time, if HasDepths: Responder Resources and Initiator Depth, or IRD and ORD.
	Takes, Issues           int
	TakesPlace, IssuesPlace flow.Place
	HasDepths               bool
}

// A Step is a message of the set-up or the end.
type Step struct {
	Name  string // "REQ", "MPA Reply", "RST"
	From  flow.End
	Frame flow.Ref
	Time  int64
	// Again says that it was sent before.
	Again bool
}

// Of is the Book of a connection, for rules that need Knowledge.
func Of(c *rules.Conn) *Book { return rules.Kept[Book](c, rules.KeepsSetup) }

// Knowledge takes the frames.
func Knowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsSetup, On: []rules.Event{
		rules.OnFrame(rules.Datagram|rules.Establishing|rules.Starting|rules.Ending, frame),
	}}
}

func frame(c *rules.Conn, v *dissect.FrameView, _ rules.Say) {
	b := Of(c)
	switch {
	case v.IB == nil:
		b.tcp(v)
	case v.IB.DestQP == gsi:
		b.management(v)
	}
	if !b.done && b.Told[0].Heard && b.Told[1].Heard && c.Established {
		b.done = true
		rules.Raise(c, 0, b)
	}
}

// PrivateAt is where octets of the RFC 8797 format of an end lie, from an offset in
// it on; nowhere if that is not known.
func (b *Book) PrivateAt(c *rules.Conn, e flow.End, offset, length int) (p flow.Place) {
	if d := Private(c, e); d != nil {
		return b.Octets(e, d.Offset+offset, length)
	}
	return p
}

// Octets is where octets of an end's private data lie; nowhere if that is not known.
func (b *Book) Octets(e flow.End, offset, length int) (p flow.Place) {
	p = b.Told[e&1].Private
	if offset+length > p.Length {
		return flow.Place{}
	}
	p.Offset, p.Length = p.Offset+offset, length
	return p
}

func (b *Book) step(v *dissect.FrameView, name string, ends bool) {
	s := Step{name, v.Verdict.From, rules.Ref(v), v.Frame.Time, v.Verdict.Note == flow.Retransmission}
	if s.Again && !ends {
		b.Again++
	}
	if ends && !b.Ended {
		b.Over, b.Ended = s, true
	}
	if len(b.Steps) == mostSteps {
		copy(b.Steps[mostSteps/2:], b.Steps[mostSteps/2+1:])
		b.Steps, b.Left = b.Steps[:mostSteps-1], b.Left+1
	}
	b.Steps = append(b.Steps, s)
}
