package exhibit

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/rocev2"
)

// OfFrame returns the frame with all its headers, and, if it completes a
// message of several frames, that message. Before the headers stands what is known
// of the frame besides its bytes, unless x is nil, which took it last.
func OfFrame(v *dissect.FrameView, x *Context) []Exhibit {
	list := headersOf(v)
	if x != nil {
		list[0].Time = v.Frame.Time
		list[0].Nodes = slices.Insert(list[0].Nodes, 0, head(v, x))
	}
	return list
}

func headersOf(v *dissect.FrameView) []Exhibit {
	data := v.Frame.Data
	ref := v.Frame.Ref()
	headers := v.Headers()
	frame := Exhibit{title: func(several bool) string { return "Frame " + ref.Name(several) }, Bytes: data}
	frame.Nodes = headers.Nodes()
	switch {
	case v.IWARP():
		list := segments(v, frame)
		list[0] = sorted(list[0])[0]
		return list
	case v.IB == nil:
		return []Exhibit{frame}
	}
	start := v.Link.Start()
	frame.Nodes = append(frame.Nodes, v.IB.Nodes(start)...)
	if last := len(frame.Nodes) - 1; last >= 0 {
		judgeICRC(v, &frame.Nodes[last])
	}
	payload := v.IB.Payload()
	at := start + v.IB.PayloadStart()
	if v.IB.DETH() != 0 && rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
		frame.Nest(at, cmNodes(data, payload, at))
	}
	m := v.Message
	if m == nil {
		return sorted(frame)
	}
	if len(m.Frames) == 1 && m.Frame() == ref {
		frame.Nest(at, messageNodes(m, data[:at+len(payload)], at))
		return sorted(frame)
	}
	return append(sorted(frame), OfMessage(m))
}

// judgeICRC says of the last node of a packet whether its ICRC is that of the packet.
func judgeICRC(v *dissect.FrameView, n *field.Node) {
	switch v.ICRC() {
	case rocev2.ICRCWrong:
		n.Fault = fmt.Sprintf("ICRC wrong: 0x%08x computed, 0x%08x carried", v.Computed(), v.IB.ICRC)
	case rocev2.ICRCRight:
		n.Value += ", correct"
	case rocev2.ICRCUnchecked:
		if n.Key == "icrc" {
			n.Value += ", not checked: not all of the packet was captured"
		}
	}
}

// cmNodes is the tree of a CM message, its private data as RPC-over-RDMA has
// them (RFC 8797) where they are.
func cmNodes(data, mad []byte, at int) []field.Node {
	nodes := rocev2.CMNodes(mad, at)
	if len(nodes) == 0 {
		return nil
	}
	last := &nodes[len(nodes)-1]
	if last.Key != "cm.privatedata" {
		return nodes
	}
	if n, ok := rpcrdma.PrivateDataNode(data[last.Start:last.End], last.Start); ok {
		last.Children = append(last.Children, n)
	}
	return nodes
}
