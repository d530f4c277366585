package report

import (
	"maps"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// gather returns the last steps of a connection, in the order of the capture: back to
// a little before the oldest frame that is wanted.
func (h *HTML) gather(c *dissect.Connection, wanted map[flow.Ref]bool) (list []*step) {
	state := h.stateOf(c)
	missing := maps.Clone(wanted)
	number, behind := state.last, 0
	for range ladderWalk {
		s := h.trail.get(number)
		if s == nil || int(s.conn) != c.ID {
			break
		}
		number = s.before
		list = append(list, s)
		if delete(missing, s.frame); len(missing) > 0 {
			continue
		}
		if behind++; behind > ladderAround {
			break
		}
	}
	if len(missing) > 0 {
		// What the trail has forgotten may be among the first.
		for n := len(state.head) - 1; n >= 0; n-- {
			s := &state.head[n]
			if len(list) == 0 || s.frame != list[len(list)-1].frame && s.time <= list[len(list)-1].time {
				list = append(list, s)
			}
		}
	}
	slices.Reverse(list)
	return list
}

// walk returns the steps that a ladder shows. If it shows stretches of a connection,
// hidden is how many frames of that were left out before each.
func (h *HTML) walk(w *ladderWish) (shown []*step, hidden []int) {
	wanted := make(map[flow.Ref]bool, len(w.frames))
	for _, r := range w.frames {
		wanted[r] = true
	}
	list := h.gather(w.conn, wanted)
	if w.around {
		return around(list, wanted, w.frames)
	}
	psns := make(map[uint32]bool)
	first, last := -1, -1
	for i, s := range list {
		if !wanted[s.frame] {
			continue
		}
		if s.kind != trailACK {
			psns[s.psn] = true
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first < 0 {
		return nil, nil
	}
	kept := list[:0]
	for i, s := range list {
		plainACK := s.kind == trailACK && s.syndrome.IsACK() && s.note == flow.InOrder
		switch {
		case wanted[s.frame],
			i > first && i <= last+ladderAround && plainACK && psns[s.psn],
			i > first && i < last && !plainACK && s.odd():
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// odd reports whether a step is shown with whatever else is: it may be why that took
// its time.
func (s *step) odd() bool {
	switch s.kind {
	case trailACK, trailTerminate, trailCM, trailMPA:
		return true
	}
	return s.note != flow.InOrder && s.note != flow.Gap
}

// around returns the steps that are wanted, with some before and behind each, and how
// many frames are hidden before each, behind the first.
func around(list []*step, wanted map[flow.Ref]bool, frames []flow.Ref) (kept []*step, hidden []int) {
	show := make([]bool, len(list))
	any := false
	mark := func(at int) {
		any = true
		for k := max(0, at-ladderAround); k <= min(len(list)-1, at+ladderAround); k++ {
			show[k] = true
		}
	}
	for i, s := range list {
		if wanted[s.frame] {
			mark(i)
		}
	}
	if !any && len(frames) > 0 {
		// They came before it was known that they are of this connection.
		at := slices.IndexFunc(list, func(s *step) bool { return s.frame.Compare(frames[0]) > 0 })
		if at < 0 {
			return nil, nil
		}
		mark(at)
	}
	kept = list[:0]
	n := 0
	var before flow.Ref // several steps may be of one frame
	for i, s := range list {
		switch {
		case show[i]:
			kept, hidden = append(kept, s), append(hidden, n)
			n = 0
		case len(kept) > 0 && s.frame != before:
			n++
		}
		before = s.frame
	}
	return kept, hidden
}
