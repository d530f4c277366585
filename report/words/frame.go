package words

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// UnitFault is the first thing wrong with an FPDU, "" if nothing is.
func UnitFault(u *flow.Unit) string {
	switch {
	case u.FPDU.Fault.Bad():
		return u.FPDU.Fault.String()
	case u.PDU.Fault.Bad() && u.FPDU.Cut == iwarp.Whole:
		return u.PDU.Fault.String()
	}
	return u.Fault
}

// IbFault is the fault of the transport packet, its byte counted in the frame.
func IbFault(v *dissect.FrameView) string {
	if v.IB == nil || !v.IB.Faulty() {
		return ""
	}
	f := v.IB.Fault()
	f.Offset += v.Link.Start()
	return f.String()
}

// Completes reports whether the frame brought the last byte of a unit.
func Completes(v *dissect.FrameView, u *flow.Unit) bool {
	return u.Last == v.Frame.Ref()
}

// AppendUnitName appends what an MPA frame or FPDU is: "MPA Request", "RDMA Write".
func AppendUnitName(b []byte, u *flow.Unit) []byte {
	switch {
	case !u.IsStart && len(u.PDU.Bytes) < 2:
		return append(b, "FPDU"...)
	case !u.IsStart:
		return append(b, u.PDU.OpCode.String()...)
	case u.Start.Reply:
		return append(b, "MPA Reply"...)
	}
	return append(b, "MPA Request"...)
}
