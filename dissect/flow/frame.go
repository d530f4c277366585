package flow

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Frame is all that can be said of one captured frame without knowing any
// other: the octets, the headers taken apart, the ICRC checked. It is filled
// once, and from then on passed by reference.
type Frame struct {
	capture.Frame
	// Link is what lies below the transport.
	Link link.Packet
	// IB is the InfiniBand transport packet, if HasIB; otherwise it is that of
	// some frame before.
	IB rocev2.Packet
	// ICRC is the result of the check of the ICRC, if HasIB; Computed and Carried
	// are the two values.
	ICRC              ICRCState
	Computed, Carried uint32
}

// ICRCState says what the check of a frame's ICRC gave.
type ICRCState uint8

const (
	ICRCUnchecked ICRCState = iota // the frame was not captured whole
	ICRCRight
	ICRCWrong
)

// Decode fills all but what the reader of the capture did, from that. The octets
// stay where they are. rocePort is a UDP port that carries RoCEv2 beside 4791, 0
// for none.
func (f *Frame) Decode(rocePort uint16) {
	p := &f.Link
	p.Decode(f.Frame.Link, f.Data, f.Length, rocePort)
	if !f.HasIB() {
		f.ICRC = ICRCUnchecked
		return
	}
	end := min(p.End, len(f.Data))
	f.IB.Decode(f.Data[p.Start:max(p.Start, end)], p.End-p.Start)
	var ok bool
	f.Computed, f.Carried, ok = rocev2.ICRC(f.Data, p)
	switch {
	case !ok:
		f.ICRC = ICRCUnchecked
	case f.Computed == f.Carried:
		f.ICRC = ICRCRight
	default:
		f.ICRC = ICRCWrong
	}
}

// HasIB reports whether the frame carries the InfiniBand transport.
func (f *Frame) HasIB() bool {
	switch f.Link.Transport {
	case link.RoCEv2, link.RoCEv1, link.InfiniBand:
		return true
	}
	return false
}

// Faulty reports whether a header of the frame is malformed.
func (f *Frame) Faulty() bool { return f.Link.Fault.Bad() || f.HasIB() && f.IB.Fault.Bad() }

// Ref names the frame.
func (f *Frame) Ref() Ref { return Ref{f.File, f.Number} }

// Payload is what a TCP segment carries, as far as it was captured.
func (f *Frame) Payload() []byte {
	at := min(f.Link.TCP.Data, len(f.Data))
	return f.Data[at:max(at, min(f.Link.End, len(f.Data)))]
}

// PayloadLength is the octets that a TCP segment carries on the wire.
func (f *Frame) PayloadLength() int { return max(0, f.Link.End-f.Link.TCP.Data) }
