package exhibit

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/field"
)

// An Exhibit is a run of bytes and the fields in it: what the details view
// and the annotated hex dump show. It is built only for what someone looks at,
// and valid as long as what it was made from.
type Exhibit struct {
	Bytes []byte
	// Nodes are the headers in Bytes, by their first byte.
	Nodes []field.Node
	// Time is when a frame was captured that is shown in its context, in nanoseconds since 1970; else 0.
	Time int64

	title func(several bool) string
}

// Title is what the exhibit is, and which frames it came with: by their names
// where there are several files, see flow.Ref.Name.
func (e *Exhibit) Title(several bool) string { return e.title(several) }

// titled is a title without frames.
func titled(s string) func(bool) string { return func(bool) string { return s } }

// Nest puts what was decoded of the payload that begins at byte at below the
// payload's own node, so that its bytes are shown once.
func (e *Exhibit) Nest(at int, inside []field.Node) {
	for i := range e.Nodes {
		if n := &e.Nodes[i]; n.Start == at && n.End > at && len(n.Children) == 0 {
			n.Children = inside
			return
		}
	}
	e.Nodes = append(e.Nodes, inside...)
}

// sorted puts the nodes in the order of their bytes.
func sorted(e Exhibit) []Exhibit {
	slices.SortStableFunc(e.Nodes, func(a, b field.Node) int { return a.Start - b.Start })
	return []Exhibit{e}
}

// OfMessage returns the message, put back together from its frames.
func OfMessage(m *dissect.Message) Exhibit {
	title := func(several bool) string { return messageTitle(m, several) }
	return Exhibit{title: title, Bytes: m.Bytes, Nodes: messageNodes(m, m.Bytes, 0)}
}

func messageTitle(m *dissect.Message, several bool) string {
	word := "Call"
	if m.Answer {
		word = "Reply"
	}
	if m.Role() == dissect.RoleNone {
		word = "Message"
	}
	title := fmt.Sprintf("%s, %s, %s in %s", word, m.Header.ProcName(), field.ByteCount(uint64(m.Length)), frameList(m, several))
	title += pairedWith(m, several)
	if m.Missing != "" {
		title += ", incomplete: " + m.Missing
	}
	return title
}

// pairedWith says which frames the other half of an RPC came with, as far as it is known by now.
func pairedWith(m *dissect.Message, several bool) string {
	r := m.RPC()
	switch {
	case r == nil:
	case m == r.Reply && r.Call != nil:
		text := ", call in frame " + r.Call.Frame().Name(several)
		if ns, ok := r.Latency(); ok {
			text += ", " + string(field.AppendDuration(nil, ns)) + " before"
		}
		return text
	case m == r.Call && r.Reply != nil:
		return ", reply in frame " + r.Reply.Frame().Name(several)
	}
	return ""
}

func frameList(m *dissect.Message, several bool) string {
	first, last := m.Frames[0], m.Frame()
	if first == last {
		return "frame " + first.Name(several)
	}
	return "frames " + first.Name(several) + " to " + last.Name(several)
}

// messageNodes is the tree of the transport header that begins at byte at of b, and
// of what of the RPC message is inline.
func messageNodes(m *dissect.Message, b []byte, at int) []field.Node {
	nodes := rpcrdma.Nodes(b, at)
	n := at + m.Header.Length
	switch {
	case m.Header.Fault.Bad() || n >= len(b):
	case m.HasInlineRPC():
		nodes = append(nodes, rpcNodes(m, b, n)...)
	case m.Header.Proc == rpcrdma.RDMA2Optional:
		nodes = append(nodes, field.Node{Name: "Bytes after the option", Value: field.ByteCount(len(b) - n), Start: n, End: len(b)})
	}
	return nodes
}

// rpcNodes is the tree of the RPC message from byte at of b to its end: its
// header, and the arguments or the result. Bytes that nothing describes are
// one run.
func rpcNodes(m *dissect.Message, b []byte, at int) []field.Node {
	nodes := rpc.Nodes(b, at, m.Header.XID)
	rest := func(name string, start, end int) {
		if start < end {
			nodes = append(nodes, field.Node{Name: name, Value: field.ByteCount(end - start), Start: start, End: end})
		}
	}
	end := nodes[len(nodes)-1].End
	body := m.Body()
	if body == nil {
		name := "Procedure parameters"
		if m.Answer {
			name = "Procedure results"
		}
		if end < len(b) {
			nodes = append(nodes, gssToken(b, name, end))
		}
		return nodes
	}
	start := min(at+body.Start, len(b))
	if end < start {
		nodes = append(nodes, gssHead(b, end, start))
	}
	stop := min(start+len(body.Bytes), len(b))
	if start < stop {
		tree := view.Nodes(body.Binding.Route(m.Answer), b[:stop], start, body.Reduced, nil)
		nodes = append(nodes, tree)
		rest("Bytes after the value", max(tree.End, start), stop)
	}
	if stop < len(b) {
		nodes = append(nodes, gssToken(b, "RPCSEC_GSS checksum", stop))
	}
	return nodes
}
