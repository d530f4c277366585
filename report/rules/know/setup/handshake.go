// Package setup is what the rules about thresholds and connection management ask of
// how a connection was made and ended, which dissect/flow tells: what limit of a Send
// follows, and the ladder of the messages that a person looks at.
//
//	flow.Handshake: Told, Steps ──> Handshake ──> LimitOf a direction, Ladder
package setup

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Handshake is what one connection's setup and end were.
type Handshake struct {
	*flow.Handshake
	done bool
}

// handshakeSlot is where each connection keeps it.
const handshakeSlot = rules.ConnSlot[Handshake](rules.KeepsSetup)

// OnHandshake calls do when what both ends told is known, and the connection made.
func OnHandshake(do func(c *rules.Conn, b *Handshake, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// Of is the Handshake of a connection, for rules that need Knowledge.
func Of(c *rules.Conn) *Handshake {
	b := handshakeSlot.Of(c)
	b.Handshake = &c.Handshake
	return b
}

// Knowledge takes the frames of the setup.
func Knowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsSetup, On: []rules.Event{
		rules.OnFrame(rules.Datagram|rules.Establishing|rules.Starting|rules.Ending, frame),
	}}
}

func frame(c *rules.Conn, _ *dissect.FrameView, _ rules.Reporter) {
	if b := Of(c); !b.done && b.Declared[0].Captured && b.Declared[1].Captured && c.Established {
		b.done = true
		rules.Raise(c, 0, b)
	}
}

// PrivateAt is where bytes of the RFC 8797 format of an end lie, from an offset in
// it on; nowhere if that is not known.
func (b *Handshake) PrivateAt(c *rules.Conn, e flow.End, offset, length int) (p flow.Place) {
	if d := Private(c, e); d != nil {
		return b.Bytes(e, d.Offset+offset, length)
	}
	return p
}

// Bytes is where bytes of an end's private data lie; nowhere if that is not known.
func (b *Handshake) Bytes(e flow.End, offset, length int) (p flow.Place) {
	p = b.Declared[e&1].Private
	if offset+length > p.Length {
		return flow.Place{}
	}
	p.Offset, p.Length = p.Offset+offset, length
	return p
}
