package report

import (
	"bytes"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/page"
)

// trimName takes the name of an operation from the front of its summary.
func trimName(b []byte, name string) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, []byte(name)), " ")
}

// seen takes the frame in hand: it goes on the trail, and what waited for it is made.
func (h *HTML) seen(v *dissect.FrameView) {
	c := h.stateOf(v.Connection)
	c.frames++
	before := c.last
	c.last = h.remember(v, before)
	if c == &h.nowhere {
		c.last = 0
	} else if h.keepHead(c, before); v.Verdict.Note != flow.InOrder && v.Connection.RPCRDMA() {
		h.again(v)
	}
	if len(h.now.messages) > 0 {
		h.late()
	}
	h.now.clear()
	if len(h.gone) > 0 {
		clear(h.gone)
		h.gone = h.gone[:0]
	}
	if len(h.fresh) > 0 {
		for _, w := range h.fresh {
			h.seeFrames(w, v)
		}
		clear(h.fresh)
		h.fresh = h.fresh[:0]
	}
	if len(h.open) > 0 {
		h.complete()
	}
	if h.frames++; h.frames%dueEvery == 0 || len(h.loose) > mostPending {
		h.showDue()
	}
}

// seeFrames makes the exhibits of the frames that a finding is about. V is the frame
// in hand, nil for none.
func (h *HTML) seeFrames(w *want, v *dissect.FrameView) {
	refs := append([]flow.Ref{w.Frame}, refsOf(w.Octets)...)
	slices.SortStableFunc(refs[1:], flow.Ref.Compare)
	const most = 2 // frames of one finding
	var made []flow.Ref
	for _, r := range refs {
		if len(made) == most || slices.Contains(made, r) || r.Number == 0 {
			continue
		}
		made = append(made, r)
		if v != nil && r == (v.Frame.Ref()) {
			list := exhibit.OfFrame(v)
			for _, comment := range v.Frame.Comments() {
				list[0].Nodes = append(list[0].Nodes, field.Node{Name: "Comment in the capture", Value: comment})
			}
			w.exhibits = append(w.exhibits, h.frameExhibit(list, r, len(v.Frame.Data), w.Octets)...)
			continue
		}
		if s := h.find(w.Connection, r); s != nil {
			speaks := w.Connection != nil && w.Connection.RPCRDMA()
			w.exhibits = append(w.exhibits, h.remembered(s, w.Octets, speaks)...)
		}
	}
}

// complete adds the ladders to the evidence of RPCs that are over.
func (h *HTML) complete() {
	for n := range h.open {
		o := &h.open[n]
		o.item.Ladder = h.ladder(&o.wish)
		for _, w := range o.wants {
			o.frames = joinExhibits(o.frames, w.exhibits)
		}
		// The frames stand before the messages in them.
		o.item.Exhibits = append(o.frames, o.item.Exhibits...)
		h.page.Item(o.item)
	}
	clear(h.open)
	h.open = h.open[:0]
}

// joinExhibits adds exhibits to a list. One of a frame that is there already only adds
// what is at fault.
func joinExhibits(list, more []page.Exhibit) []page.Exhibit {
	for _, e := range more {
		at := slices.IndexFunc(list, func(x page.Exhibit) bool { return x.Frame == e.Frame && x.Title == e.Title })
		if at < 0 {
			list = append(list, e)
			continue
		}
		for _, b := range e.Bad {
			if !slices.Contains(list[at].Bad, b) {
				list[at].Bad = append(list[at].Bad, b)
			}
		}
	}
	return list
}

// showDue shows findings that have waited for enough frames behind them.
func (h *HTML) showDue() {
	crowded := len(h.loose) > mostPending
	h.loose = slices.DeleteFunc(h.loose, func(w *want) bool {
		due := crowded || w.due <= h.stateOf(w.Connection).frames
		if due {
			h.showLoose(w)
		}
		return due
	})
}

// showLoose puts the evidence of a finding that is about no RPC into the page.
func (h *HTML) showLoose(w *want) {
	h.complete() // what has a number already comes first
	i := page.Item{Row: -1, Finding: h.number(w.Finding), Title: w.ID() + ", " + findingTitle(w.Finding), Exhibits: w.exhibits}
	if c := w.Connection; c != nil {
		frames := append(slices.Clone(w.Frames), w.Frame)
		slices.SortFunc(frames, flow.Ref.Compare)
		i.Ladder = h.ladder(&ladderWish{conn: c, frames: slices.Compact(frames), around: true, blamed: w.blames()})
	}
	if i.Ladder == nil && len(i.Exhibits) == 0 {
		h.unshown++
		return
	}
	h.items[w.Finding] = append(h.items[w.Finding], h.page.Item(i))
}

// showAll shows what still waits of a connection that ends, or with nil of all.
func (h *HTML) showAll(c *dissect.Connection) {
	h.late() // what waited is told only now
	for _, w := range h.fresh {
		h.seeFrames(w, nil)
	}
	clear(h.fresh)
	h.fresh = h.fresh[:0]
	h.complete()
	h.loose = slices.DeleteFunc(h.loose, func(w *want) bool {
		over := c == nil || w.Connection == c
		if over {
			h.showLoose(w)
		}
		return over
	})
	for key, list := range h.waiting {
		if c != nil && key.conn != c {
			continue
		}
		for _, w := range list {
			h.showLoose(w)
		}
		h.pending -= len(list)
		delete(h.waiting, key)
	}
}
