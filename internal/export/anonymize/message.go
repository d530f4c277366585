package anonymize

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/field"
)

// Message implements dissect.Sink.
func (x *Planner) Message(m *dissect.Message) {
	raw := m.Raw()
	if r := m.RPC(); r != nil && m.Answer && r.Call != nil && r.Call.Transfer == dissect.Long {
		// What it answers is known when all of the call is, and nobody may ask before.
		if x.any(m.Frames) {
			x.late[r] = append([]byte(nil), raw...)
		}
		return
	}
	x.message(m, raw)
}

// message takes a message whose bytes are these.
func (x *Planner) message(m *dissect.Message, raw []byte) {
	if v := m.Header.Version; m.Header.Fault.Bad() && v != rpcrdma.Version1 && v != rpcrdma.Version2 {
		return // it may be anything
	}
	x.draft.beginBytes(raw)
	x.nodes(&x.draft, rpcrdma.Nodes(raw, 0)) // up to the fault, if there is one
	if at := m.Header.Length; !m.Header.Fault.Bad() && at < len(raw) && m.HasInlineRPC() && m.Transfer != dissect.Long {
		x.rpc(m, raw, at)
		x.draft.pads(at)
	}
	list := m.Pieces()
	x.spread(list)
	for _, p := range list {
		x.noteKnown(p.Ref, p.Offset, nil) // it has a part of a message that was understood
	}
}

// any reports whether one of some frames was chosen.
func (x *Planner) any(frames []flow.Ref) bool {
	for _, f := range frames {
		if x.chosen(f.File, f.Number) {
			return true
		}
	}
	return false
}

// rpc takes an RPC message that begins at an offset.
func (x *Planner) rpc(m *dissect.Message, b []byte, at int) {
	if m.RPCFault().Bad() {
		return
	}
	nodes := rpc.Nodes(b, at, m.Header.XID)
	end := nodes[len(nodes)-1].End
	for i := range nodes {
		x.header(&nodes[i])
	}
	body := m.Body()
	if body == nil {
		x.enclosed(m, b, end)
		return
	}
	start := at + body.Start
	if start > len(b) {
		return
	}
	if start == end+8 {
		x.draft.keep(end, start) // length and sequence number of RPCSEC_GSS
	}
	stop := min(start+len(body.Bytes), len(b))
	value := x.value
	if m.Whole && (body.Fault.Bad() && !body.Cut || body.Left > 0) {
		value = x.named // it may not be what it was taken for
	}
	view.Leaves(body.Binding.Route(m.Answer), b[:stop], start, body.Reduced, func(l view.Leaf) { value(b, l) })
	if start == end+8 {
		x.length(b, stop)
	}
}

// header takes the fields of an RPC header, and of what has no field.
func (x *Planner) header(n *field.Node) {
	if n.Fault != "" {
		return
	}
	if len(n.Children) > 0 {
		for i := range n.Children {
			x.header(&n.Children[i])
		}
		return
	}
	if n.Key != "" {
		x.leaf(&x.draft, n)
		return
	}
	if n.Start < n.End && n.End <= len(x.draft.was) {
		is := x.draft.was[n.Start:n.End]
		if n.Name == "machinename" {
			x.draft.replace(n.Start, x.m.name(is))
		} else {
			x.draft.replace(n.Start, x.m.opaque(Opaque, is))
		}
	}
}

// enclosed takes what RPCSEC_GSS encrypts: only that it is opaque data of a length is known.
func (x *Planner) enclosed(m *dissect.Message, b []byte, at int) {
	if m.HasRPC && !m.Answer && m.CallHeader.Cred.Flavor != rpc.RPCSECGSS {
		return
	}
	x.length(b, at)
}

// length takes the length word of opaque data that fill the rest.
func (x *Planner) length(b []byte, at int) {
	if at+4 > len(b) {
		return
	}
	if n := binary.BigEndian.Uint32(b[at:]); uint64(n)+uint64(-n&3) == uint64(len(b)-at-4) {
		x.draft.keep(at, at+4)
		x.draft.zeros(at+4+int(n), len(b))
	}
}

// value takes a value of the arguments or results.
func (x *Planner) value(b []byte, l view.Leaf) {
	is := b[l.Start:l.End]
	switch t := l.Type; {
	case t == nil:
		x.draft.keep(l.Start, l.End)
	case t.IsWord():
		if len(is) == 4 && isID(l) {
			x.draft.replace(l.Start, x.m.id(is))
		} else {
			x.draft.keep(l.Start, l.End)
		}
	case isText(l):
		x.draft.replace(l.Start, x.m.name(is))
	case l.Field != nil && l.Field.Eligible:
		// File data are a part of the stream.
	case formatOf(l) == types.IPv4 || formatOf(l) == types.IPv6:
		x.draft.replace(l.Start, x.m.address(is))
	case isHandle(l):
		x.draft.replace(l.Start, x.m.opaque(Handle, is))
	default:
		x.draft.replace(l.Start, x.m.opaque(Opaque, is))
	}
}

// named takes of the arguments or results only numbers that have names: statuses, operations.
func (x *Planner) named(b []byte, l view.Leaf) {
	if t := l.Type; t != nil && t.Kind == types.Enum && t.Names.Name(uint64(int32(binary.BigEndian.Uint32(b[l.Start:])))) != "" {
		x.draft.keep(l.Start, l.End)
	}
}

// isID reports whether a word is a user or group. In NFS_ACL that is the id of an entry.
func isID(l view.Leaf) bool {
	if l.Field == nil {
		return l.Type.Name == "uid3" || l.Type.Name == "gid3"
	}
	switch l.Field.Name {
	case "uid", "gid", "gids", "id":
		return true
	}
	return false
}

// formatOf is how a value is written.
func formatOf(l view.Leaf) types.Format {
	if l.Field != nil && l.Field.As.Format != types.Plain {
		return l.Field.As.Format
	}
	return l.Type.As.Format
}

// isText reports whether a value is read as text.
func isText(l view.Leaf) bool { return l.Type.Kind == types.String || formatOf(l) == types.Text }

// isHandle reports whether a value is a file handle.
func isHandle(l view.Leaf) bool {
	switch l.Type.Name {
	case "nfs_fh4", "nfs_fh3", "nfs_fh", "fhandle", "fhandle2", "fhandle3":
		return true
	}
	return formatOf(l) == types.Handle
}
