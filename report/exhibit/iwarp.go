package exhibit

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
)

// segments are a frame of an iWARP connection, with the MPA frames and
// FPDUs that lie whole in it; those that came with several frames, each by
// itself; and the message that it completes, if that took several FPDUs or
// frames.
func segments(v *dissect.FrameView, frame Exhibit) []Exhibit {
	data, payload := v.Frame.Data, v.Link.TCPData()
	list := []Exhibit{frame}
	whole := v.Message
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.At < 0 {
			e := Exhibit{title: unitTitle(u), Bytes: u.Raw()}
			e.Nodes = unitNodes(e.Bytes, 0, u)
			list = append(list, e)
			continue
		}
		at := payload + u.At
		nodes := unitNodes(data, at, u)
		if m := v.Message; m != nil && single(m, u) {
			inner := Exhibit{Nodes: nodes}
			start := at + ulpduAt + u.PDU.PayloadStart
			inner.Nest(start, messageNodes(m, data[:start+len(u.PDU.Payload())], start))
			nodes, whole = inner.Nodes, nil
		}
		list[0].Nodes = append(list[0].Nodes, nodes...)
	}
	list[0].Nodes = others(v, list[0].Nodes)
	if whole != nil {
		list = append(list, OfMessage(whole))
	}
	return list
}

// ulpduAt is where the ULPDU begins in an FPDU without markers.
const ulpduAt = 2

// single reports whether the message came with that FPDU alone, which lies in
// the frame as it was sent.
func single(m *dissect.Message, u *flow.Unit) bool {
	p := &u.PDU
	return !u.IsStart && p.OpCode.IsSend() && p.Last && p.MO == 0 && u.FPDU.FirstMarker < 0 &&
		len(m.Frames) == 1 && m.Frame() == u.Last && m.Length == p.PayloadLength()
}

func unitNodes(b []byte, at int, u *flow.Unit) []field.Node {
	if u.IsStart {
		nodes := iwarp.StartNodes(b[:at+len(u.Start.Bytes)], at)
		nestPrivateData(b, nodes)
		return nodes
	}
	f := &u.FPDU
	fault := ""
	if f.CRCState == iwarp.CRCWrong {
		fault = fmt.Sprintf("CRC wrong: 0x%08x computed", f.Computed)
	}
	nodes := iwarp.FPDUNodes(b[:at+len(f.Raw)], at, at+len(f.Raw), f.FirstMarker, fault)
	if last := len(nodes) - 1; last >= 0 && nodes[last].Key == "mpa.crc" {
		switch f.CRCState {
		case iwarp.CRCRight:
			nodes[last].Value += ", correct"
		case iwarp.CRCNotUsed:
			nodes[last].Value += ", not in use"
		}
	}
	if len(nodes) > 0 {
		for _, fault := range [...]string{f.Fault.String(), u.Fault} {
			if n := &nodes[0]; fault != "" && n.Fault == "" {
				n.Fault = fault
			}
		}
	}
	return nodes
}

// nestPrivateData shows the private data as RPC-over-RDMA has them (RFC 8797),
// where they are.
func nestPrivateData(b []byte, nodes []field.Node) {
	for i := range nodes {
		n := &nodes[i]
		if n.Key == "mpa.ulpdata" {
			if inside, ok := rpcrdma.PrivateDataNode(b[n.Start:n.End], n.Start); ok {
				n.Children = append(n.Children, inside)
			}
		}
		nestPrivateData(b, n.Children)
	}
}

func unitTitle(u *flow.Unit) func(bool) string {
	name := "FPDU"
	if u.IsStart {
		name = "MPA frame"
	}
	name += " of " + field.ByteCount(len(u.Raw()))
	first, last := u.First, u.Last
	return func(several bool) string {
		if first == last {
			return name + " in frame " + first.Name(several)
		}
		// Between the two are frames of others, so this is no range of its own.
		return name + ", started in frame " + first.Name(several) + ", ended in frame " + last.Name(several)
	}
}

// others adds what of the segment is no unit's, and says why.
func others(v *dissect.FrameView, nodes []field.Node) []field.Node {
	at, end := v.Link.TCPData(), min(v.Link.End(), len(v.Frame.Data))
	add := func(from, to int, name string) {
		if from < to {
			nodes = append(nodes, field.Node{Name: name, Value: field.ByteCount(to - from), Start: from, End: to})
		}
	}
	name := "Bytes that do not complete an FPDU"
	switch v.Verdict.Note {
	case flow.Retransmission, flow.Duplicate:
		name = "Bytes received before"
	case flow.Gap:
		name = "Bytes waiting for a missing frame"
	}
	const rest = "Bytes of an FPDU that spans several frames"
	this := v.Frame.Ref()
	ended := false // a unit that began in an earlier frame ends here
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.At < 0 {
			ended = ended || u.Last == this
			continue
		}
		before := name
		if ended {
			before = rest
		}
		add(at, v.Link.TCPData()+u.At, before)
		at, ended = v.Link.TCPData()+u.At+len(u.Raw()), false
	}
	if ended {
		name = rest
	}
	add(at, end, name)
	return nodes
}
