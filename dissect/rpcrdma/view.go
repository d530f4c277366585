package rpcrdma

import (
	"fmt"

	"github.com/rdmacap/rdmacap/field"
)

// Nodes is the tree of the transport header that begins at byte at of b; b
// ends where the message, or what was captured of it, ends. The tree has the
// words, lists, chunks and segments that Decode found, and the fault, if there
// is one, at its place.
func Nodes(b []byte, at int) []field.Node {
	at = max(0, min(at, len(b)))
	v := view{b: b, at: at, start: at}
	v.h.Decode(b[at:])
	return []field.Node{v.tree()}
}

// A view lays the tree of a decoded header over the bytes it came from.
type view struct {
	b     []byte
	at    int // the byte of b that the next node begins with
	start int // the byte of b that the header begins with
	h     Header
}

func (v *view) tree() field.Node {
	h := &v.h
	fixed := &fixedTable
	if h.Version == Version2 {
		fixed = &fixed2Table
	}
	root := fixed.Node(v.b, v.start)
	root.Name, root.Fault = fixed.Title, ""
	if h.Length >= FixedSize && h.Version != Version1 && h.Version != Version2 {
		root.Name = fixed.Name // of a version that is not ours
	}
	v.at = root.End
	if h.Length >= FixedSize {
		root.Value = fmt.Sprintf("%s, XID 0x%08x, %d credits", h.ProcName(), h.XID, h.Credits)
	}
	switch {
	case h.part == partFixed:
		v.fixedFault(&root)
		return root
	case h.Version == Version2:
		v.body2(&root)
		return root
	case h.Proc == RDMAError:
		v.errorNodes(&root)
		return root
	case h.Proc == RDMADone:
		return root
	case h.part == partBody: // RDMA_MSGP, cut short
		v.fault(&root)
		return root
	case h.Proc == RDMAMsgP:
		v.fields(&root, &msgpTable)
	}
	v.lists(&root)
	return root
}

func (v *view) lists(root *field.Node) {
	v.list(root, partReads, v.readList)
	v.list(root, partWrites, v.writeList)
	v.list(root, partReply, v.replyChunk)
}

// fixedFault puts a fault of the fixed words on the word, or on the header if
// the bytes end there.
func (v *view) fixedFault(root *field.Node) {
	for i := range root.Children {
		if root.Children[i].Start == v.start+v.h.Fault.Offset {
			root.Children[i].Fault = v.reason()
			return
		}
	}
	root.Fault = v.reason()
}

func (v *view) errorNodes(root *field.Node) {
	e := field.Node{Key: errorTable.Key, Name: errorTable.Title, Start: v.at, End: v.at}
	if v.h.Length > FixedSize {
		e.Value = v.h.Error.String()
		v.fields(&e, &errorTable)
	}
	switch {
	case v.h.Fault.Bad():
		v.fault(&e)
	case v.h.Error == ErrVers:
		v.fields(&e, &versionsTable)
	}
	root.Add(e)
}

// list adds one of the three lists, unless Decode did not come so far.
func (v *view) list(root *field.Node, p part, build func() field.Node) {
	if p > v.h.part {
		return
	}
	n := build()
	if v.h.Fault.Bad() && p == v.h.part {
		v.fault(&n)
	} else if p != partReply || !v.h.HasReply {
		v.fields(&n, &entryTable) // the 0 at the list's end
	}
	root.Add(n)
}

// readList groups segments in wire order: those of one Position that stand
// apart, against all custom, are shown apart.
func (v *view) readList() field.Node {
	list := field.Node{Name: "Read list", Value: counted(len(v.h.Reads), "segment"), Start: v.at, End: v.at}
	for i := 0; i < len(v.h.Reads); {
		position := v.h.Reads[i].Position
		chunk := field.Node{Name: "Read chunk", Start: v.at, End: v.at}
		length := uint64(0)
		for ; i < len(v.h.Reads) && v.h.Reads[i].Position == position; i++ {
			s := &v.h.Reads[i]
			length += uint64(s.Length)
			segment := field.Node{Key: readSegmentTable.Key, Name: readSegmentTable.Title, Value: s.Segment.String(), Start: v.at, End: v.at}
			v.fields(&segment, &entryTable)
			v.fields(&segment, &readSegmentTable)
			chunk.Add(segment)
		}
		chunk.Value = fmt.Sprintf("Position %d, %s", position, byteCount(length))
		list.Add(chunk)
	}
	return list
}

func (v *view) writeList() field.Node {
	list := field.Node{Name: "Write list", Value: counted(len(v.h.Writes), "chunk"), Start: v.at, End: v.at}
	for i, c := range v.h.Writes {
		chunk := field.Node{Name: WriteChunkName(i), Start: v.at, End: v.at}
		v.chunk(&chunk, c)
		list.Add(chunk)
	}
	return list
}

func (v *view) replyChunk() field.Node {
	n := field.Node{Name: "Reply chunk", Value: "none", Start: v.at, End: v.at}
	if v.h.HasReply {
		v.chunk(&n, v.h.Reply)
	}
	return n
}

// chunk fills in a Write or Reply chunk.
func (v *view) chunk(n *field.Node, c Chunk) {
	n.Value = counted(c.Count, "segment") + ", " + byteCount(v.h.ChunkLength(c))
	v.fields(n, &entryTable)
	v.fields(n, &countTable)
	for _, s := range v.h.ChunkSegments(c) {
		segment := field.Node{Key: segmentTable.Key, Name: segmentTable.Title, Value: s.String(), Start: v.at, End: v.at}
		v.fields(&segment, &segmentTable)
		n.Add(segment)
	}
}

// fields adds the fields of a table that are whole.
func (v *view) fields(n *field.Node, t *field.Table) {
	for _, child := range t.Node(v.b, v.at).Children {
		n.Add(child)
		v.at = child.End
	}
}

// fault adds what Decode stopped at: from the end of what it took to the word
// at fault, or to the end of the bytes.
func (v *view) fault(n *field.Node) {
	start := v.start + v.h.Length
	n.Add(field.Node{
		Name:  "Malformed",
		Value: counted(len(v.b)-start, "byte") + " not decoded",
		Start: start,
		End:   max(start, min(v.start+v.h.Fault.Offset+4, len(v.b))),
		Fault: v.reason(),
	})
}

// reason is the fault with its byte in b.
func (v *view) reason() string {
	f := v.h.Fault
	f.Offset += v.start
	return f.String()
}

// String is the segment as a person reads it.
func (s Segment) String() string {
	return fmt.Sprintf("handle 0x%08x, %s at 0x%016x", s.Handle, byteCount(uint64(s.Length)), s.Offset)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func byteCount(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
