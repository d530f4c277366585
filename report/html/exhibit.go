package html

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/page/evidence"
)

const (
	// exhibitBytes and exhibitNodes are how much an exhibit has at most.
	exhibitBytes = 16 << 10
	exhibitNodes = 1500
)

// exhibitOf is an exhibit for the page; several says that there are several captures.
func exhibitOf(e *exhibit.Exhibit, several bool) evidence.Exhibit {
	p := evidence.Exhibit{Title: e.Title(several), Bytes: e.Bytes, Length: len(e.Bytes)}
	if len(p.Bytes) > exhibitBytes {
		p.Bytes = p.Bytes[:exhibitBytes]
		p.Title += fmt.Sprintf(" (the first %d of %d bytes)", exhibitBytes, p.Length)
	}
	// Bytes of messages and frames are used again.
	p.Bytes = append([]byte(nil), p.Bytes...)
	left := exhibitNodes
	p.Nodes = nodesOf(e.Nodes, &left)
	if left <= 0 {
		p.Title += fmt.Sprintf(" (the first %d fields)", exhibitNodes)
	}
	return p
}

// nodesOf are nodes for the page, as long as there are some left.
func nodesOf(list []field.Node, left *int) []evidence.Node {
	if len(list) == 0 || *left <= 0 {
		return nil
	}
	nodes := make([]evidence.Node, 0, min(len(list), *left))
	for i := range list {
		if *left <= 0 {
			break
		}
		*left--
		n := &list[i]
		nodes = append(nodes, evidence.Node{
			Name: n.Name, Value: n.Value, Start: n.Start, End: n.End, Key: n.Key, Fault: n.Fault, Children: nodesOf(n.Children, left),
		})
	}
	return nodes
}

// frameInHand is a frame for the page, with what is known of it while it is at hand.
func frameInHand(v *dissect.FrameView, several bool) []evidence.Exhibit {
	list := exhibit.OfFrame(v, nil)
	for _, comment := range v.Frame.Comments() {
		list[0].Nodes = append(list[0].Nodes, field.Node{Name: "Comment in the capture", Value: comment})
	}
	return frameExhibit(list, v.Frame.Ref(), len(v.Frame.Data), nil, several)
}

// frameExhibit is a frame for the page, with the bytes of it that findings are about.
func frameExhibit(list []exhibit.Exhibit, ref flow.Ref, whole int, places []flow.Place, several bool) []evidence.Exhibit {
	out := make([]evidence.Exhibit, 0, len(list))
	for i := range list {
		p := exhibitOf(&list[i], several)
		if i == 0 {
			p.Frame = ref
			p.Bad = badIn(ref, places)
			if whole > p.Length {
				p.Title += fmt.Sprintf(" (%d of %d bytes were kept)", p.Length, whole)
				p.Length = whole
			}
		}
		out = append(out, p)
	}
	return out
}

// badIn are the bytes of a frame that places are.
func badIn(ref flow.Ref, places []flow.Place) (bad [][2]int) {
	for _, p := range places {
		if p.Ref == ref && p.Length > 0 {
			bad = append(bad, [2]int{p.Offset, p.Offset + p.Length})
		}
	}
	return bad
}

// badOf are the bytes of a message that places are.
func badOf(m dissect.Pieces, places []flow.Place) (bad [][2]int) {
	for _, p := range places {
		if at, ok := m.Offset(p); ok {
			bad = append(bad, [2]int{at, at + p.Length})
		}
	}
	return bad
}
