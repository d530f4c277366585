package flow

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Frame is all that can be reported of one captured frame without knowing any
// other: the bytes, the headers taken apart, the ICRC checked. It is filled
// once, and from then on passed by reference.
type Frame struct {
	capture.Frame
	// Link is what lies below the transport.
	Link link.Packet
	// IB is the InfiniBand transport packet, if HasIB; otherwise it is that of
	// some frame before.
	IB rocev2.Packet
}

// Decode fills all but what the reader of the capture did, from that. The bytes
// stay where they are.
func (f *Frame) Decode(o link.Options) {
	p := &f.Link
	p.Decode(f.Frame.Link, f.Data, int(f.Length), o)
	if !f.HasIB() {
		return
	}
	start, end := p.Start(), p.End()
	f.IB.Decode(f.Data[start:max(start, min(end, len(f.Data)))], end-start)
	f.IB.CheckICRC(f.Data, p)
}

// DecodeLink is the part of Decode that finds Link, and DecodeTransport the rest: for
// those who may want no more of it. In one piece it is faster.
func (f *Frame) DecodeLink(o link.Options) {
	f.Link.Decode(f.Frame.Link, f.Data, int(f.Length), o)
}

// DecodeTransport is the part after DecodeLink.
func (f *Frame) DecodeTransport() {
	if f.HasIB() {
		start, end := f.Link.Start(), f.Link.End()
		f.IB.Decode(f.Data[start:max(start, min(end, len(f.Data)))], end-start)
		f.IB.CheckICRC(f.Data, &f.Link)
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
func (f *Frame) Faulty() bool { return f.Link.Faulty() || f.HasIB() && f.IB.Faulty() }

// ICRC is what the check of the ICRC gave, ICRCUnchecked without one.
func (f *Frame) ICRC() rocev2.ICRCState {
	if !f.HasIB() {
		return rocev2.ICRCUnchecked
	}
	return f.IB.Check
}

// Computed is the ICRC that the frame should carry, 0 if it was not captured
// whole. It is computed again: hardly anybody asks.
func (f *Frame) Computed() uint32 {
	computed, _, _ := rocev2.ICRC(f.Data, &f.Link)
	return computed
}

// Headers are the headers below the transport, which are read again from the
// bytes.
func (f *Frame) Headers() (h link.Headers) {
	h.Find(&f.Link, f.Frame.Link, f.Data, int(f.Length))
	return h
}

// Ref names the frame.
func (f *Frame) Ref() Ref { return Ref{int(f.File), f.Number} }

// Payload is what a TCP segment carries, as far as it was captured.
func (f *Frame) Payload() []byte {
	at := min(f.Link.TCPData(), len(f.Data))
	return f.Data[at:max(at, min(f.Link.End(), len(f.Data)))]
}

// PayloadLength is the bytes that a TCP segment carries on the wire.
func (f *Frame) PayloadLength() int { return max(0, f.Link.End()-f.Link.TCPData()) }
