package bind

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// absent is the value of what is not there.
const absent = "absent"

const mostDifferences = 64

// Compare compares a reply with the captured one, field by field. What the notes say differs
// between servers (@varies), what is bound, and what Options.Ignore names, is left out; entries of directories are
// compared by their names, in whatever order. Of data that chunks carried only the lengths
// are compared. At most 64 differences are told, more counts the others.
//
// It builds the field trees of both, which takes 0.1 ms for a COMPOUND. Nothing waits
// for it if it is called when the replay is over.
func (b *Binder) Compare(captured, live Message) (list []Difference, more int) {
	d := b.differ(captured, live)
	return d.list, d.more
}

// Longer is how many bytes the live reply is longer by what Compare leaves out; it is negative
// where that is shorter.
func (b *Binder) Longer(captured, live Message) int { return b.differ(captured, live).longer }

// differ compares a reply with the captured one.
func (b *Binder) differ(captured, live Message) *differ {
	live.Program, live.Version, live.Procedure, live.Reverse = captured.Program, captured.Version, captured.Procedure, captured.Reverse
	was, is := replyTree(b, &captured), replyTree(b, &live)
	d := &differ{captured: captured.Bytes, live: live.Bytes, plan: b.plan(&captured), ignored: b.ignored}
	switch {
	case was.status != is.status:
		d.addDifference("rpc", "", was.status, is.status)
	case was.tree == nil && is.tree == nil:
		if !bytes.Equal(captured.Bytes[was.header:], live.Bytes[is.header:]) {
			d.addDifference("result", "", shown(captured.Bytes[was.header:]), shown(live.Bytes[is.header:]))
		}
	default:
		d.node("", was.tree, is.tree)
	}
	return d
}

// A tree is a reply as a field tree.
type tree struct {
	// status is what RPC itself says of the call.
	status string
	header int
	tree   *field.Node // nil where no text describes the result, or there is none
}

func replyTree(b *Binder, m *Message) tree {
	var h rpc.Reply
	h.Decode(m.Bytes)
	t := tree{header: min(h.Length, len(m.Bytes))}
	if h.Fault.Bad() {
		t.status = "malformed: " + h.Fault.String()
		return t
	}
	t.status = h.Status()
	p := b.plan(m)
	if h.Denied || h.Accept != rpc.Success || p == nil {
		return t
	}
	n := view.Nodes(p.route(m, true), m.Bytes, h.Length, walk.Reduction{Start: uint32(h.Length), Writes: m.Writes}, nil)
	t.tree = &n
	return t
}

// A differ collects the differences of two trees.
type differ struct {
	captured, live []byte
	plan           *plan
	ignored        map[string]bool
	list           []Difference
	more           int
	longer         int // bytes, by what is left out
}

func (d *differ) addDifference(path, key, captured, live string) {
	if len(d.list) == mostDifferences {
		d.more++
		return
	}
	d.list = append(d.list, Difference{Path: path, Key: key, Captured: captured, Live: live})
}

// field is what the texts say of a node, nil if it is none of their fields.
func (d *differ) field(n *field.Node) *types.Field {
	if n.Key == "" {
		return nil
	}
	return d.plan.Spec.Field(n.Key)
}

// leftOut reports whether a field is another one with every server, or is to be ignored.
func (d *differ) leftOut(f *types.Field) bool {
	if f == nil {
		return false
	}
	if d.ignored[f.Key] {
		return true
	}
	if f.Varies || bound(f.Bind) && f.Bind.Kind != types.ElementNames {
		return true
	}
	t := f.Type
	return t.Kind == types.Struct && (t.Varies || bound(t.Bind))
}

// ofBound reports whether a field is an array of what is another one with every server.
func ofBound(f *types.Field) bool {
	return f != nil && f.Type.Elem != nil && (f.Type.Elem.Varies || bound(f.Type.Elem.Bind))
}

// node compares two values that stand at the same place.
func (d *differ) node(path string, was, is *field.Node) {
	f := d.field(was)
	if d.leftOut(f) {
		d.longer += size(is) - size(was)
		return
	}
	if was.Fault != is.Fault && (was.Fault == "" || is.Fault == "") {
		d.addDifference(path, was.Key, orFine(was.Fault), orFine(is.Fault))
	}
	if len(was.Children) == 0 && len(is.Children) == 0 {
		d.leaf(path, f, was, is)
		return
	}
	if counts(was.Value) && counts(is.Value) && was.Value != is.Value {
		d.addDifference(path, was.Key, was.Value, is.Value)
	}
	if ofBound(f) {
		d.longer += size(is) - size(was)
		return
	}
	pairs := pair(d, was, is)
	for i := range was.Children {
		c := &was.Children[i]
		if other := pairs[i]; other != nil {
			d.node(join(path, c.Name), c, other)
		} else if d.leftOut(d.field(c)) {
			d.longer -= size(c)
		} else {
			d.addDifference(join(path, c.Name), c.Key, inWords(c), absent)
		}
	}
	paired := make(map[*field.Node]bool, len(pairs))
	for _, other := range pairs {
		paired[other] = true
	}
	for i := range is.Children {
		switch c := &is.Children[i]; {
		case paired[c]:
		case d.leftOut(d.field(c)):
			d.longer += size(c)
		default:
			d.addDifference(join(path, c.Name), c.Key, absent, inWords(c))
		}
	}
}

// size is how many bytes a value takes in its message.
func size(n *field.Node) int { return int(n.End) - int(n.Start) }

func orFine(fault string) string {
	if fault == "" {
		return "well-formed"
	}
	return fault
}

// counts reports whether a value is the number of elements of an array or list.
func counts(value string) bool {
	return strings.HasSuffix(value, " element") || strings.HasSuffix(value, " elements")
}

// inWords is a value in words.
func inWords(n *field.Node) string {
	if n.Value == "" {
		return "present"
	}
	return n.Value
}

func join(path, name string) string {
	if path == "" || strings.HasPrefix(name, "[") {
		return path + name
	}
	return path + "." + name
}

// leaf compares two values that have no parts.
func (d *differ) leaf(path string, f *types.Field, was, is *field.Node) {
	a, b := d.captured[was.Start:was.End], d.live[is.Start:is.End]
	if bytes.Equal(a, b) {
		return
	}
	if f != nil && f.Eligible && len(a) >= 4 && len(b) >= 4 && (chunked(was) || chunked(is)) {
		if n, m := binary.BigEndian.Uint32(a), binary.BigEndian.Uint32(b); n != m {
			d.addDifference(path, was.Key, string(field.AppendCount(nil, int64(n), "byte")), string(field.AppendCount(nil, int64(m), "byte")))
		}
		return
	}
	captured, live := inWords(was), inWords(is)
	if captured == live {
		// What is shown of long data is not where they differ.
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		live = fmt.Sprintf("%s, bytes differ from byte %d on", live, max(0, at-4))
	}
	d.addDifference(path, was.Key, captured, live)
}

// chunked reports whether a chunk carried the value.
func chunked(n *field.Node) bool { return strings.Contains(n.Value, " in Write chunk ") }

// shown is what is shown of bytes that no text describes.
func shown(b []byte) string {
	const most = 64
	if len(b) > most {
		return fmt.Sprintf("%x... (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("%x", b)
}
