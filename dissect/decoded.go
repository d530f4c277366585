package dissect

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// decoded is a frame with its headers taken apart and its ICRC checked: all
// that can be said of it without knowing any other frame.
//
// It crosses from one processor to another, so what following a frame needs of
// it stands together.
type decoded struct {
	frame capture.Frame
	// rdma says that ib is set: the frame carries the InfiniBand transport.
	rdma bool
	// faulty says that one of its headers is malformed.
	faulty            bool
	icrc              ICRCState
	computed, carried uint32
	ib                rocev2.Packet
	link              link.Packet
}

// decode fills all but frame, from frame. Its octets stay where they are.
func (x *decoded) decode(rocePort uint16) {
	f, p := &x.frame, &x.link
	p.Decode(f.Link, f.Data, f.Length, rocePort)
	switch p.Transport {
	case link.RoCEv2, link.RoCEv1, link.InfiniBand:
		x.rdma = true
	default:
		x.rdma, x.faulty = false, p.Fault.Bad()
		return
	}
	end := min(p.End, len(f.Data))
	x.ib.Decode(f.Data[p.Start:max(p.Start, end)], p.End-p.Start)
	x.faulty = p.Fault.Bad() || x.ib.Fault.Bad()
	var ok bool
	x.computed, x.carried, ok = rocev2.ICRC(f.Data, p)
	switch {
	case !ok:
		x.icrc = ICRCUnchecked
	case x.computed == x.carried:
		x.icrc = ICRCRight
	default:
		x.icrc = ICRCWrong
	}
}
