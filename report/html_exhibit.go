package report

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/rocev2"
)

const (
	// exhibitOctets and exhibitNodes are how much an exhibit has at most.
	exhibitOctets = 16 << 10
	exhibitNodes  = 1500
)

// exhibitOf is an exhibit for the page.
func (h *HTML) exhibitOf(e *exhibit.Exhibit) page.Exhibit {
	p := page.Exhibit{Title: e.Title(h.opts.Files > 1), Octets: e.Octets, Length: len(e.Octets)}
	if len(p.Octets) > exhibitOctets {
		p.Octets = p.Octets[:exhibitOctets]
		p.Title += fmt.Sprintf(" (the first %d of %d octets)", exhibitOctets, p.Length)
	}
	// Octets of messages and frames are used again.
	p.Octets = append([]byte(nil), p.Octets...)
	left := exhibitNodes
	p.Nodes = nodesOf(e.Nodes, &left)
	if left <= 0 {
		p.Title += fmt.Sprintf(" (the first %d fields)", exhibitNodes)
	}
	return p
}

// nodesOf are nodes for the page, as long as there are some left.
func nodesOf(list []field.Node, left *int) []page.Node {
	if len(list) == 0 || *left <= 0 {
		return nil
	}
	nodes := make([]page.Node, 0, min(len(list), *left))
	for i := range list {
		if *left <= 0 {
			break
		}
		*left--
		n := &list[i]
		nodes = append(nodes, page.Node{
			Name: n.Name, Value: n.Value, Start: n.Start, End: n.End, Key: n.Key, Fault: n.Fault, Children: nodesOf(n.Children, left),
		})
	}
	return nodes
}

// frameExhibit is a frame for the page, with the octets of it that findings are about.
func (h *HTML) frameExhibit(list []exhibit.Exhibit, ref flow.Ref, whole int, places []flow.Place) []page.Exhibit {
	out := make([]page.Exhibit, 0, len(list))
	for i := range list {
		p := h.exhibitOf(&list[i])
		if i == 0 {
			p.Frame = frameOf(ref)
			p.Bad = badIn(ref, places)
			if whole > p.Length {
				p.Title += fmt.Sprintf(" (%d of %d octets were kept)", p.Length, whole)
				p.Length = whole
			}
		}
		out = append(out, p)
	}
	return out
}

// badIn are the octets of a frame that places are.
func badIn(ref flow.Ref, places []flow.Place) (bad [][2]int) {
	for _, p := range places {
		if p.Ref == ref && p.Length > 0 {
			bad = append(bad, [2]int{p.Offset, p.Offset + p.Length})
		}
	}
	return bad
}

// badOf are the octets of a message that places are.
func badOf(m *dissect.Message, places []flow.Place) (bad [][2]int) {
	for _, p := range places {
		if at, ok := m.Offset(p); ok {
			bad = append(bad, [2]int{at, at + p.Length})
		}
	}
	return bad
}

// remembered is a frame of the trail, decoded again from its octets alone; nil if
// they are not at hand any more.
func (h *HTML) remembered(s *step, places []flow.Place, speaks bool) []page.Exhibit {
	data := h.trail.data(s)
	if data == nil {
		return nil
	}
	f := flow.Frame{Frame: capture.Frame{File: int32(s.frame.File), Number: s.frame.Number, Time: s.time, Link: s.link, Data: data, Length: int32(s.whole)}}
	f.Decode(h.opts.Link)
	f.IB.Check = rocev2.ICRCUnchecked // whether it is right was told when the frame came
	v := dissect.ViewOf(&f)
	list := exhibit.OfFrame(v)
	e := &list[0]
	switch {
	case v.IB != nil && speaks && (s.kind == trailSend || s.kind == trailSendInv) && s.position == rocev2.PositionOnly:
		if at := v.Link.Start() + v.IB.PayloadStart(); at < len(data) {
			e.Nest(at, rpcrdma.Nodes(data[:min(len(data), at+len(v.IB.Payload()))], at))
		}
	case s.unit > 0 && int(s.unitTo) <= len(data):
		if s.kind == trailMPA {
			e.Nodes = append(e.Nodes, iwarp.StartNodes(data[:s.unitTo], int(s.unit))...)
		} else {
			e.Nodes = append(e.Nodes, iwarp.FPDUNodes(data[:s.unitTo], int(s.unit), int(s.unitTo), -1, "")...)
		}
	}
	return h.frameExhibit(list, s.frame, int(s.whole), places)
}

// find is the step of a frame, nil if it is not remembered. A connection may be nil.
func (h *HTML) find(c *dissect.Connection, r flow.Ref) *step {
	if c != nil {
		state := h.stateOf(c)
		for i := range state.head {
			if s := &state.head[i]; s.frame == r {
				return s
			}
		}
		number := state.last
		for range ladderWalk {
			s := h.trail.get(number)
			if s == nil || int(s.conn) != c.ID {
				break
			}
			if s.frame == r {
				return s
			}
			number = s.before
		}
	}
	// One that came before its connection was known has none.
	const near = 4096
	for n := h.trail.next - 1; n > 0 && n+near > h.trail.next; n-- {
		if s := h.trail.get(n); s != nil && s.frame == r {
			return s
		}
	}
	return nil
}
