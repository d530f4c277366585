package rules

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A FrameClass is what a frame is and does, as a set of bits, for the rules that want
// to see some frames only.
type FrameClass uint32

const (
	Unconnected   FrameClass = 1 << iota // of no connection
	Datagram                             // a packet of the UD service: connection management
	Undecoded                            // a packet of InfiniBand whose headers have a fault
	Carrying                             // what a peer sends, not only acknowledges
	Refusing                             // a packet with an AETH that is no ACK
	OutOfOrdinary                        // a packet that is not just the next one, whole and welcome: see IsOutOfOrdinary
	Completing                           // the last frame of a message
	Settling                             // a message was told since the frame before, or at one behind which frames were missing until now
	Establishing                         // the connection was not established at the frame before
	Starting                             // an MPA Request or Reply
	Ending                               // a FIN or RST, or any frame after a Terminate
	Waking                               // Carrying, longer than Config.Stalled after the last of its end that was
	Packet                               // of InfiniBand, and Carrying
	Segment                              // not of InfiniBand: of a connection, a segment of TCP
	ReadingUnits                         // of iWARP: with an RDMA Read request, or of a response
	Damaged                              // not of InfiniBand, and malformed or with a wrong CRC; or it gave something up as missing
	Awaited                              // somebody waits for what it shows: Conn.AwaitFrames
	Acknowledging                        // a packet that is an ACK and nothing else
	Moving                               // it comes from another Ethernet address than the one before it of its end
	AbovePathMTU                         // a Packet with more payload than the REQ's path MTU
	Resuming                             // longer than ShortestPause after the last frame of either end that it did not send again
)

// opcodeClasses are what the OpCodes of packets say.
type opcodeClasses [256]FrameClass

func newOpcodeClasses() (list opcodeClasses) {
	for i := range list {
		op := rocev2.OpCode(i)
		if op.Kind() != rocev2.KindAcknowledge {
			list[i] = Carrying | Packet
		} else {
			list[i] = Acknowledging
		}
		if op.Transport() == rocev2.TransportUD {
			list[i] |= Datagram
		}
	}
	return list
}

// classOf is the class of a frame.
func (x *opcodeClasses) classOf(v *dissect.FrameView) (f FrameClass) {
	if ib := v.IB; ib != nil {
		f = x[ib.OpCode]
		if ib.AETH() != 0 && !ib.Syndrome().IsACK() {
			f |= Refusing
		}
		if ib.Faulty() {
			f |= Undecoded
		}
		if IsOutOfOrdinary(v) {
			f |= OutOfOrdinary
		}
	} else {
		f = classOfSegment(v)
	}
	if v.Message != nil {
		f |= Completing
	}
	return f
}

// IsOutOfOrdinary reports whether a packet of InfiniBand shows by itself that something is wrong on
// its way. Odd is too what has the connection lack frames that the network delivered.
func IsOutOfOrdinary(v *dissect.FrameView) bool {
	return v.Verdict.Note != flow.InOrder || v.IB.Check == rocev2.ICRCWrong || v.Link.ECN == Congested || v.IB.OpCode == rocev2.OpCNP
}

// Congested is the value of the two ECN bits that says so (RFC 3168, section 5).
const Congested = 3

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
		u := &v.Verdict.Units[i]
		switch {
		case u.IsStart:
			f |= Starting
		case u.PDU.OpCode == iwarp.OpReadRequest || u.PDU.OpCode == iwarp.OpReadResponse:
			f |= ReadingUnits
		}
	}
	if v.Verdict.Faulty {
		f |= Damaged
	}
	return f
}

// class adds what the connection says to the class of a frame, after what that completed.
func (c *Conn) class(v *dissect.FrameView, f FrameClass) FrameClass {
	if f&Carrying != 0 && v.Frame.Time-c.lastSeen[v.Verdict.From&1].Carried > int64(c.Capture.Config.Stalled) {
		f |= Waking
	}
	if newest := max(c.lastSeen[0].New.Time, c.lastSeen[1].New.Time); newest != 0 && v.Frame.Time-newest > ShortestPause {
		f |= Resuming
	}
	if c.lastSeen[v.Verdict.From&1].moves(v) {
		f |= Moving
	}
	if c.unsettled || f&Refusing != 0 {
		f |= Settling
		c.unsettled = c.Connection.Gap()
	}
	if !c.established {
		c.established = c.Established
		c.mtu = uint16(c.Handshake.Declared[0].PathMTU.Value)
		f |= Establishing
	}
	if f&Packet != 0 && c.mtu > 0 && v.IB.PayloadLength() > int(c.mtu) {
		f |= AbovePathMTU
	}
	if f&Segment != 0 {
		f = c.classOfStream(f)
	} else if c.lost != c.LostInCapture {
		c.lost = c.LostInCapture
		f |= OutOfOrdinary
	}
	if c.awaitsFrames != 0 {
		f |= Awaited
	}
	return f
}

// classOfStream adds what the connection says to the class of a segment.
func (c *Conn) classOfStream(f FrameClass) FrameClass {
	if c.Termination != nil {
		f |= Ending
	}
	if c.holes != c.Holes || c.badCRC != c.BadCRC {
		c.holes, c.badCRC = c.Holes, c.BadCRC
		f |= Damaged
	}
	return f
}
