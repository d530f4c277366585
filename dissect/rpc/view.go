package rpc

import (
	"fmt"

	"github.com/rdmacap/rdmacap/field"
)

// Nodes is the tree of the header of the call or reply that begins at byte at
// of b, after an rdma_xid; b ends where the message, or what was captured of it, ends. A fault
// stands on the bytes that have it. There is no tree for what is neither call
// nor reply, or lacks its XID, but a node with that fault.
func Nodes(b []byte, at int, xid uint32) []field.Node {
	at = max(0, min(at, len(b)))
	call, ok := MessageType(b[at:])
	_, lacks := LacksXID(b[at:], xid)
	v := view{b: b, at: at}
	var root field.Node
	var fault field.Fault
	switch {
	case lacks:
		root = field.Node{Key: "rpc", Name: "Remote Procedure Call", Start: at, End: len(b)}
		fault = field.Fault{Offset: 0, Reason: NoXID}
	case !ok:
		root = field.Node{Key: "rpc", Name: "Remote Procedure Call", Start: at, End: len(b)}
		fault = field.Fault{Offset: 0, Reason: "neither an RPC call nor a reply"}
	case call:
		var c Call
		c.Decode(b[at:])
		root, fault = v.call(&c), c.Fault
	default:
		var r Reply
		r.Decode(b[at:])
		root, fault = v.reply(&r), r.Fault
	}
	if fault.Bad() {
		fault.Offset += at
		blame(&root, fault)
	}
	return []field.Node{root}
}

// blame puts a fault on the innermost node that has its byte.
func blame(n *field.Node, f field.Fault) {
	for i := range n.Children {
		if c := &n.Children[i]; c.Start <= f.Offset && f.Offset < c.End {
			blame(c, f)
			return
		}
	}
	n.Fault = f.String()
}

// A view walks over the bytes of a header and builds its tree. It ends each
// part where its bytes end; what is wrong with them is for Decode to say.
type view struct {
	b  []byte
	at int
}

func (v *view) call(c *Call) field.Node {
	n := v.group(callTable.Key, "Remote Procedure Call", "")
	v.fields(&n, &callTable)
	if v.at-n.Start < callTable.Size() || c.RPCVersion != rpcVersion {
		return n
	}
	if name := ProcedureName(c.Program, c.Version, c.Procedure); name != "" {
		// The table of the header cannot know it: the name depends on two other fields.
		n.Children[len(n.Children)-1].Value = fmt.Sprintf("%s (%d)", name, c.Procedure)
	}
	n.Value = string(AppendLabel([]byte("Call, "), c.Program, c.Version, c.Procedure))
	n.Value += fmt.Sprintf(", XID 0x%08x", c.XID)
	cred, whole := v.auth("rpc.cred", "Credential", true)
	n.Add(cred)
	if whole {
		verf, _ := v.auth("rpc.verf", "Verifier", false)
		n.Add(verf)
	}
	return n
}

func (v *view) reply(r *Reply) field.Node {
	n := v.group(replyTable.Key, "Remote Procedure Call", fmt.Sprintf("Reply, XID 0x%08x", r.XID))
	v.fields(&n, &replyTable)
	switch {
	case r.Denied && r.Length > replyTable.Size():
		n.Value = fmt.Sprintf("Reply, %v, XID 0x%08x", r.Reject, r.XID)
		v.fields(&n, &rejectTable)
		if r.Reject == RPCMismatch {
			v.fields(&n, &rangeTable)
		} else if r.Reject == AuthError {
			v.fields(&n, &authErrorTable)
		}
	case !r.Denied && r.Length > replyTable.Size():
		verf, _ := v.auth("rpc.verf", "Verifier", false)
		n.Add(verf)
		if v.at-n.Start < r.Length {
			n.Value = fmt.Sprintf("Reply, %v, XID 0x%08x", r.Accept, r.XID)
			v.fields(&n, &acceptTable)
		}
		if r.Accept == ProgMismatch {
			v.fields(&n, &rangeTable)
		}
	}
	return n
}

// auth is a credential or verifier. A verifier's body has a form
// that this package knows where it is a token of Kerberos, and is opaque else. Where it does not end within the bytes,
// what follows is a part of it.
func (v *view) auth(key, name string, credential bool) (n field.Node, whole bool) {
	n = v.group(key, name, "")
	v.fields(&n, &authTable)
	if n.End-n.Start < authTable.Size() {
		return n, false
	}
	flavor := Flavor(authTable.Fields[0].Uint(v.b[n.Start:]))
	length := authTable.Fields[1].Uint(v.b[n.Start:])
	n.Value = flavor.String()
	if length > maxAuthBody || length > uint64(len(v.b)-v.at) {
		return n, false
	}
	// The body is shown through a view that ends where it does.
	body := view{b: v.b[:v.at+int(length)], at: v.at}
	switch {
	case credential && flavor == AuthSys:
		body.sys(&n)
	case credential && flavor == RPCSECGSS:
		body.gss(&n)
	case flavor == RPCSECGSS:
		if token, is := TokenNode(body.b, body.at, len(body.b)); is {
			n.Add(token)
			body.at = token.End
		}
	}
	body.rest(&n, "body")
	v.at = min(v.at+(int(length)+3)&^3, len(v.b))
	n.End = v.at
	return n, true
}

// sys shows the body of an AUTH_SYS credential (RFC 5531, appendix A). Decode
// does not look into it, so that what is wrong with it is reported here.
func (v *view) sys(n *field.Node) {
	v.fields(n, &stampTable)
	named := v.opaque(n, "machinename", field.ASCII)
	if named {
		v.fields(n, &sysIDTable)
	}
	count, counted := v.word()
	if !named || !counted || count > uint64(len(v.b)-v.at-4)/4 {
		n.Fault = field.Fault{Offset: v.at, Reason: "AUTH_SYS credential cannot be decoded"}.String()
		return
	}
	gids := v.group("", "gids", "")
	v.fields(&gids, &lengthTable)
	for range count {
		v.fields(&gids, &gidTable)
	}
	n.Add(gids)
}

// gss shows the body of an RPCSEC_GSS credential (RFC 2203, section 5).
func (v *view) gss(n *field.Node) {
	version, _ := v.word()
	v.fields(n, &gssVersionTable)
	if g := (GSSCred{Version: uint32(version)}); !g.known() {
		return
	}
	v.fields(n, &gssTable)
	v.opaque(n, "handle", field.Bytes)
}

// opaque adds a string or opaque data of variable length, if it is whole.
func (v *view) opaque(n *field.Node, name string, format field.Format) bool {
	length, ok := v.word()
	if !ok || length > uint64(len(v.b)-v.at-4) {
		return false
	}
	v.fields(n, &lengthTable)
	v.bytes(n, name, int(length), format)
	v.at = min(v.at+(4-int(length)%4)%4, len(v.b)) // its padding
	return true
}

// rest adds the bytes that are left, if there are any.
func (v *view) rest(n *field.Node, name string) {
	if v.at < len(v.b) {
		v.bytes(n, name, len(v.b)-v.at, field.Bytes)
	}
}

func (v *view) bytes(n *field.Node, name string, length int, format field.Format) {
	f := field.Field{Name: name, Width: 8 * length, Format: format}
	n.Add(field.Node{Name: name, Value: string(f.AppendValue(nil, v.b[v.at:])), Start: v.at, End: v.at + length})
	v.at += length
}

// group is a node without bytes yet.
func (v *view) group(key, name, value string) field.Node {
	return field.Node{Key: key, Name: name, Value: value, Start: v.at, End: v.at}
}

// word is the next word, not ok if it is not whole.
func (v *view) word() (uint64, bool) {
	if len(v.b)-v.at < 4 {
		return 0, false
	}
	return lengthTable.Fields[0].Uint(v.b[v.at:]), true
}

// fields adds the fields of a table that are whole.
func (v *view) fields(n *field.Node, t *field.Table) {
	for _, child := range t.Node(v.b, v.at).Children {
		n.Add(child)
		v.at = child.End
	}
}
