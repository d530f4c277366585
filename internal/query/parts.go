package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
)

// Parts are the frames that have a part in RPCs, also where they carry no header of them: frames
// have the XIDs of these RPCs. It receives them before the first row, and may then be asked by
// any number of goroutines.
type Parts struct{ list []part }

// A part is what is known of one XID.
type part struct {
	xid uint32
	has func(flow.Ref) bool
}

// AddRPC reports which frames have a part in the RPCs with an XID.
func (p *Parts) AddRPC(xid uint32, has func(flow.Ref) bool) { p.list = append(p.list, part{xid, has}) }

// traced is a field with the XID of a message as one of frames: that of the message which a frame
// completes, then those of which it has another part.
func (p *Parts) traced(e entry[*dissect.FrameView]) entry[*dissect.FrameView] {
	own := e.give
	e.Doc += "; if == or in names it, every frame that belongs to the RPC"
	e.give = func(v *dissect.FrameView, to *filter.Values) {
		own(v, to)
		for i := range p.list {
			if x := &p.list[i]; (v.Message == nil || v.Message.Header.XID != x.xid) && x.has(v.Frame.Ref()) {
				to.Uint(uint64(x.xid))
			}
		}
	}
	return e
}

// isXID reports whether a field is one that traced is for.
func isXID(name string) bool { return name == "rpc.xid" || name == "rdma.xid" }

// XIDs are those that a query about frames names, each once: the RPCs whose frames it has to be
// told, see Parts.
func (q *Query) XIDs() (list []uint32) {
	if q.level != Frames {
		return nil
	}
	for i := range q.sets.frames {
		if !isXID(q.sets.frames[i].Name) {
			continue
		}
		for _, n := range q.filter.Equals(i) {
			if xid := uint32(n); uint64(xid) == n && !slices.Contains(list, xid) {
				list = append(list, xid)
			}
		}
	}
	return list
}
