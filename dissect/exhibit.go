package dissect

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An Exhibit is a run of octets and the fields in it: what the details view
// and the annotated hex dump show. It is built only for what someone looks at,
// and valid as long as what it was made from.
type Exhibit struct {
	Octets []byte
	// Nodes are the headers in Octets, by their first octet.
	Nodes []field.Node

	title func(several bool) string
}

// Title is what the exhibit is, and which frames it came with: by their names
// where there are several files, see flow.Ref.Name.
func (e *Exhibit) Title(several bool) string { return e.title(several) }

// titled is a title without frames.
func titled(s string) func(bool) string { return func(bool) string { return s } }

// Exhibits returns the frame with all its headers, and, if it completes a
// message of several frames, that message.
func (v *FrameView) Exhibits() []Exhibit {
	data := v.Frame.Data
	ref := flow.Ref{File: v.Frame.File, Number: v.Frame.Number}
	headers := v.Headers()
	frame := Exhibit{title: func(several bool) string { return "Frame " + ref.Name(several) }, Octets: data}
	frame.Nodes = headers.Nodes()
	switch {
	case v.IWARP():
		list := v.segmentExhibits(frame)
		list[0] = sorted(list[0])[0]
		return list
	case v.IB == nil:
		return []Exhibit{frame}
	}
	start := v.Link.Start()
	frame.Nodes = append(frame.Nodes, v.IB.Nodes(start)...)
	if v.ICRC() == rocev2.ICRCWrong && len(frame.Nodes) > 0 {
		n := &frame.Nodes[len(frame.Nodes)-1]
		n.Fault = fmt.Sprintf("ICRC wrong: 0x%08x computed, 0x%08x carried", v.Computed(), v.IB.ICRC)
	}
	payload := v.IB.Payload()
	at := start + v.IB.PayloadStart()
	if v.IB.DETH() != 0 && rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
		frame.nest(at, cmNodes(data, payload, at))
	}
	m := v.Message
	if m == nil {
		return sorted(frame)
	}
	if len(m.Frames) == 1 && m.Frame() == ref {
		frame.nest(at, m.nodes(data[:at+len(payload)], at))
		return sorted(frame)
	}
	return append(sorted(frame), m.Exhibit())
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

// nest puts what was decoded of the payload that begins at octet at below the
// payload's own node, so that its octets are shown once.
func (e *Exhibit) nest(at int, inside []field.Node) {
	for i := range e.Nodes {
		if n := &e.Nodes[i]; n.Start == at && n.End > at && len(n.Children) == 0 {
			n.Children = inside
			return
		}
	}
	e.Nodes = append(e.Nodes, inside...)
}

// sorted puts the nodes in the order of their octets.
func sorted(e Exhibit) []Exhibit {
	slices.SortStableFunc(e.Nodes, func(a, b field.Node) int { return a.Start - b.Start })
	return []Exhibit{e}
}

// Exhibit returns the message, put back together from its frames.
func (m *Message) Exhibit() Exhibit {
	return Exhibit{title: m.title, Octets: m.Octets, Nodes: m.nodes(m.Octets, 0)}
}

func (m *Message) title(several bool) string {
	word := "Call"
	if m.Answer {
		word = "Reply"
	}
	if m.role == RoleNone {
		word = "Message"
	}
	title := fmt.Sprintf("%s, %s, %s in %s", word, m.Header.ProcName(), octetCount(uint64(m.Length)), frameList(m, several))
	if m.Missing != "" {
		title += ", incomplete: " + m.Missing
	}
	return title
}

func frameList(m *Message, several bool) string {
	first, last := m.Frames[0], m.Frame()
	if first == last {
		return "frame " + first.Name(several)
	}
	return "frames " + first.Name(several) + " to " + last.Name(several)
}

// nodes is the tree of the transport header that begins at octet at of b, and
// of what of the RPC message is inline.
func (m *Message) nodes(b []byte, at int) []field.Node {
	nodes := rpcrdma.Nodes(b, at)
	n := at + m.Header.Length
	switch {
	case m.Header.Fault.Bad() || n >= len(b):
	case m.inline():
		nodes = append(nodes, m.rpcNodes(b, n)...)
	case m.Header.Proc == rpcrdma.RDMA2Optional:
		nodes = append(nodes, field.Node{Name: "Octets behind the option", Value: octetCount(uint64(len(b) - n)), Start: n, End: len(b)})
	}
	return nodes
}

// rpcNodes is the tree of the RPC message from octet at of b to its end: its
// header, and the arguments or the result. Octets that nothing describes are
// one run.
func (m *Message) rpcNodes(b []byte, at int) []field.Node {
	nodes := rpc.Nodes(b, at)
	rest := func(name string, start, end int) {
		if start < end {
			nodes = append(nodes, field.Node{Name: name, Value: octetCount(uint64(end - start)), Start: start, End: end})
		}
	}
	end := nodes[len(nodes)-1].End
	body := m.Body()
	if body == nil {
		name := "Procedure parameters"
		if m.Answer {
			name = "Procedure results"
		}
		rest(name, end, len(b))
		return nodes
	}
	start := min(at+body.Start, len(b))
	rest("RPCSEC_GSS length and sequence number", end, start)
	stop := min(start+len(body.Octets), len(b))
	if start < stop {
		tree := view.Nodes(body.Binding.Route(m.Answer), b[:stop], start, body.Reduced, nil)
		nodes = append(nodes, tree)
		rest("Octets behind the value", max(tree.End, start), stop)
	}
	rest("RPCSEC_GSS checksum", stop, len(b))
	return nodes
}

// Exhibits returns the call and the reply, the long messages that chunks
// carried, and the account of the chunks.
func (r *RPC) Exhibits() (list []Exhibit) {
	list = r.messageExhibits()
	if len(r.Offer.Regions) > 0 {
		list = append(list, r.chunkExhibit())
	}
	return list
}

func (r *RPC) messageExhibits() (list []Exhibit) {
	if r.Call != nil {
		list = append(list, r.Call.Exhibit())
		if r.Call.Transfer == Long {
			list = append(list, r.Call.longExhibit("Long call from the Position-Zero Read chunk"))
		}
	}
	if r.Reply != nil {
		list = append(list, r.Reply.Exhibit())
		if r.Reply.Transfer == Long {
			list = append(list, r.Reply.longExhibit("Long reply from the Reply chunk"))
		}
	}
	return list
}

// longExhibit is a long message, as far as it was put back together.
func (m *Message) longExhibit(title string) Exhibit {
	octets := m.long()
	return Exhibit{
		title:  titled(title + ", " + octetCount(uint64(len(octets)))),
		Octets: octets,
		Nodes:  m.rpcNodes(octets, 0),
	}
}
