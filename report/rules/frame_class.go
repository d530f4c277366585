package rules

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A FrameClass is what a frame is and does, as a set of bits, for the rules that want
// to see some frames only.
type FrameClass uint32

const (
	Unconnected   FrameClass = 1 << iota // of no connection
	Datagram                             // a packet of the UD service: connection management
	Undecoded                            // a packet of InfiniBand whose headers have a fault
	Sending                              // a packet of a Send
	Carrying                             // what a peer sends, not only acknowledges
	Acknowledging                        // a packet with an AETH
	Refusing                             // one that is no ACK
	Completing                           // the last frame of a message
	Settling                             // a message was told since the frame before, or at one behind which frames were missing until now
	Establishing                         // the connection was not established at the frame before
	Starting                             // an MPA Request or Reply
	Ending                               // a FIN or RST, or any frame behind a Terminate
	Waking                               // Carrying, longer than Config.Stalled after the last of its end that was
	Packet                               // of InfiniBand, and Carrying
	Segment                              // not of InfiniBand: of a connection, a segment of TCP
)

// opcodeClasses are what the OpCodes of packets say.
type opcodeClasses [256]FrameClass

func newOpcodeClasses() (list opcodeClasses) {
	for i := range list {
		op := rocev2.OpCode(i)
		switch op.Kind() {
		case rocev2.KindSend:
			list[i] = Sending | Carrying | Packet
		case rocev2.KindAcknowledge:
		default:
			list[i] = Carrying | Packet
		}
		if op.Transport() == rocev2.TransportUD {
			list[i] |= Datagram
		}
	}
	return list
}

// of is the class of a frame.
func (x *opcodeClasses) of(v *dissect.FrameView) (f FrameClass) {
	if ib := v.IB; ib != nil {
		f = x[ib.OpCode]
		if ib.AETH() != 0 {
			if f |= Acknowledging; !ib.Syndrome().IsACK() {
				f |= Refusing
			}
		}
		if ib.Faulty() {
			f |= Undecoded
		}
	} else {
		f = classOfSegment(v)
	}
	if v.Message != nil {
		f |= Completing
	}
	return f
}

// classOfSegment is the class of a frame that is none of InfiniBand.
func classOfSegment(v *dissect.FrameView) (f FrameClass) {
	t := &v.Link.TCP
	f = Segment
	if v.Link.End() > v.Link.TCPData() {
		f |= Carrying
	}
	if t.Flags&(link.FIN|link.RST) != 0 {
		f |= Ending
	}
	for i := range v.Verdict.Units {
		if v.Verdict.Units[i].IsStart {
			f |= Starting
		}
	}
	return f
}

// class adds what the connection says to the class of a frame, behind what that completed.
func (c *Conn) class(v *dissect.FrameView, f FrameClass) FrameClass {
	if f&Carrying != 0 && v.Frame.Time-c.heard[v.Verdict.From&1].Carried > int64(c.Capture.Config.Stalled) {
		f |= Waking
	}
	if c.unsettled || f&Refusing != 0 {
		f |= Settling
		c.unsettled = c.Connection.Gap()
	}
	if !c.established {
		c.established = c.Established
		f |= Establishing
	}
	if c.Termination != nil {
		f |= Ending
	}
	return f
}
