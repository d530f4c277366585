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
	AwaitedFrame                         // a rule waits for any frame: Conn.Await
)

// classOfFrame is the class of a frame.
func classOfFrame(v *dissect.FrameView) (f FrameClass) {
	if v.Connection == nil {
		f |= Unconnected
	}
	if v.Message != nil {
		f |= Completing
	}
	if v.IB != nil {
		return f | classOfPacket(v)
	}
	t := &v.Link.TCP
	if v.Link.End > t.Data {
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

// classOfPacket is the same for one of InfiniBand.
func classOfPacket(v *dissect.FrameView) (f FrameClass) {
	ib := v.IB
	switch ib.OpCode.Kind() {
	case rocev2.KindSend:
		f = Sending | Carrying
	case rocev2.KindAcknowledge:
	default:
		f = Carrying
	}
	if ib.OpCode.Transport() == rocev2.TransportUD {
		f |= Datagram
	}
	if ib.AETH != 0 {
		f |= Acknowledging
		if !ib.Syndrome().IsACK() {
			f |= Refusing
		}
	}
	if ib.Fault.Bad() {
		f |= Undecoded
	}
	return f
}

// classOfFrame is the class of a frame of the connection, behind what it completed.
func (c *Conn) classOfFrame(v *dissect.FrameView) FrameClass {
	f := classOfFrame(v)
	if c.unsettled || f&Refusing != 0 {
		f |= Settling
		c.unsettled = c.Gap()
	}
	if !c.established {
		c.established = c.Established
		f |= Establishing
	}
	if c.Termination != nil {
		f |= Ending
	}
	if c.awaiting > 0 {
		f |= AwaitedFrame
	}
	return f
}
