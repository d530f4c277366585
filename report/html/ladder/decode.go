package ladder

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Decode decodes the frame of a step again, from what is kept of its bytes, and says how many the
// frame had; nil if they are not at hand any more. Speaks says that its connection carries
// RPC-over-RDMA.
func (t *RecentFrames) Decode(s *Step, o link.Options, speaks bool) (list []exhibit.Exhibit, whole int) {
	data := t.data(s)
	if data == nil {
		return nil, 0
	}
	f := flow.Frame{Frame: capture.Frame{File: int32(s.frame.File), Number: s.frame.Number, Time: s.time, Link: s.link, Data: data, Length: int32(s.whole)}}
	f.Decode(o)
	f.IB.Check = rocev2.ICRCUnchecked // whether it is right was told when the frame came
	v := dissect.ViewOf(&f)
	list = exhibit.OfFrame(v, nil)
	e := &list[0]
	switch {
	case v.IB != nil && speaks && (s.kind == kindSend || s.kind == kindSendInv) && s.position == rocev2.PositionOnly:
		if at := v.Link.Start() + v.IB.PayloadStart(); at < len(data) {
			e.Nest(at, rpcrdma.Nodes(data[:min(len(data), at+len(v.IB.Payload()))], at))
		}
	case s.unit > 0 && int(s.unitTo) <= len(data):
		if s.kind == kindMPA {
			e.Nodes = append(e.Nodes, iwarp.StartNodes(data[:s.unitTo], int(s.unit))...)
		} else {
			e.Nodes = append(e.Nodes, iwarp.FPDUNodes(data[:s.unitTo], int(s.unit), int(s.unitTo), -1, "")...)
		}
	}
	return list, int(s.whole)
}
