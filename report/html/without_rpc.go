package html

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/report/words"
)

// seen takes a frame: it goes on the trail, and what waited for it is made.
func (h *Page) seen(f *seenFrame, steps []ladder.Step) {
	c := h.states.at(f.conn)
	c.frames++
	if f.stamp != nil {
		c.Stamp = *f.stamp
	}
	id, thread := 0, &c.Thread
	if f.conn != nil {
		id = f.conn.ID
	}
	if c == &h.states.nowhere {
		thread = nil
	}
	h.recentFrames.Remember(thread, id, f.frame.Data[:f.keep], steps)
	if f.sign != series.NoSign {
		h.whole.Saw(f.sign, f.frame.Time)
		if thread != nil && (f.sign == series.Retransmitted || f.sign == series.LostBefore) {
			h.seriesOf(f.conn).Again(f.frame.Time)
		}
	}
	h.late(f.late)
	h.states.next()
	if len(h.requests.new) > 0 {
		for _, w := range h.requests.new {
			h.seeFrames(w, f)
		}
		clear(h.requests.new)
		h.requests.new = h.requests.new[:0]
	}
	if len(h.requests.open) > 0 {
		h.complete()
	}
	if h.requests.frames++; h.requests.frames%dueEvery == 0 || len(h.requests.withoutRPC) > mostPending {
		h.showDue()
	}
}

// seeFrames makes the exhibits of the frames that a finding is about. F is the frame in
// hand, nil for none.
func (h *Page) seeFrames(w *evidenceRequest, f *seenFrame) {
	const most = 2 // frames of one finding
	var made []flow.Ref
	for _, r := range w.refs() {
		if len(made) == most || slices.Contains(made, r) || r.Number == 0 {
			continue
		}
		made = append(made, r)
		if f != nil && r == f.frame.Ref() {
			list := f.here
			if w.many || list == nil {
				list = frameInHand(dissect.ViewOf(f.frame), h.opts.Files > 1)
			}
			first := len(w.exhibits)
			w.exhibits = append(w.exhibits, list...)
			w.exhibits[first].Bad = badIn(r, w.Bytes)
			continue
		}
		var thread *ladder.Thread // nil where it came before its connection was known
		id, speaks := 0, false
		if c := w.Connection; c != nil {
			thread, id = &h.states.at(c).Thread, c.ID
			speaks = thread.Stamp.Speaks()
		}
		if s := h.recentFrames.Find(thread, id, r); s != nil {
			w.exhibits = append(w.exhibits, h.remembered(s, w.Bytes, speaks)...)
		}
	}
}

// complete adds the ladders to the evidence of RPCs that are over.
func (h *Page) complete() {
	for n := range h.requests.open {
		o := &h.requests.open[n]
		o.item.Ladder = h.ladder(&o.request)
		var frames []evidence.Exhibit // of the wants
		for _, w := range o.requests {
			frames = joinExhibits(frames, w.exhibits)
		}
		// The frames stand before the messages in them.
		o.item.Exhibits = append(frames, o.item.Exhibits...)
		h.page.Item(o.item)
	}
	clear(h.requests.open)
	h.requests.open = h.requests.open[:0]
}

// ladder draws what went over a connection. It is nil if nothing of it is at hand.
func (h *Page) ladder(w *ladder.Request) *evidence.Ladder {
	return h.recentFrames.Draw(w, &h.states.at(w.Conn).Thread, h.start())
}

// joinExhibits adds exhibits to a list. One of a frame that is there already only adds
// what is at fault.
func joinExhibits(list, more []evidence.Exhibit) []evidence.Exhibit {
	for _, e := range more {
		at := slices.IndexFunc(list, func(x evidence.Exhibit) bool { return x.Frame == e.Frame && x.Title == e.Title })
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

// showDue shows findings that have waited for enough frames after them.
func (h *Page) showDue() {
	crowded := len(h.requests.withoutRPC) > mostPending
	h.requests.withoutRPC = slices.DeleteFunc(h.requests.withoutRPC, func(w *evidenceRequest) bool {
		due := crowded || w.due <= h.states.at(w.Connection).frames
		if due {
			h.showWithoutRPC(w)
		}
		return due
	})
}

// showWithoutRPC puts the evidence of a finding that is about no RPC into the page.
func (h *Page) showWithoutRPC(w *evidenceRequest) {
	h.complete() // what has a number already comes first
	i := evidence.Item{Row: -1, Finding: h.numbers.key(w.key), Title: w.ID() + ", " + words.FindingTitle(&w.Finding), Exhibits: w.exhibits}
	if c := w.Connection; c != nil {
		frames := append(slices.Clone(w.Frames), w.Frame)
		slices.SortFunc(frames, flow.Ref.Compare)
		i.Ladder = h.ladder(&ladder.Request{Conn: c, Frames: slices.Compact(frames), Around: true, Blamed: w.blames()})
	}
	if i.Ladder == nil && len(i.Exhibits) == 0 {
		h.requests.unshown++
		return
	}
	h.numbers.addEvidence(w.key, h.page.Item(i))
}

// showAll shows what still waits of a connection that ends, or with nil of all.
func (h *Page) showAll(c *dissect.Connection) {
	for _, w := range h.requests.new {
		h.seeFrames(w, nil)
	}
	clear(h.requests.new)
	h.requests.new = h.requests.new[:0]
	h.complete()
	h.requests.withoutRPC = slices.DeleteFunc(h.requests.withoutRPC, func(w *evidenceRequest) bool {
		over := c == nil || w.Connection == c
		if over {
			h.showWithoutRPC(w)
		}
		return over
	})
	for key, list := range h.requests.waiting {
		if c != nil && key.conn != c {
			continue
		}
		for _, w := range list {
			h.showWithoutRPC(w)
		}
		h.requests.pending -= len(list)
		delete(h.requests.waiting, key)
	}
}

// remembered is a frame of the trail, decoded again from its bytes alone; nil if they are not at
// hand any more.
func (h *Page) remembered(s *ladder.Step, places []flow.Place, speaks bool) []evidence.Exhibit {
	list, whole := h.recentFrames.Decode(s, h.opts.Link, speaks)
	return frameExhibit(list, s.Frame(), whole, places, h.opts.Files > 1)
}

// late gives messages that had to wait to the steps of their last frames.
func (h *Page) late(list []ladder.Message) {
	for i := range list {
		h.recentFrames.Late(&h.states.at(list[i].Conn).Thread, &list[i])
	}
}
