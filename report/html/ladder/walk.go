package ladder

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// frames are in order, each once.
type frames []flow.Ref

func (f frames) indexOf(r flow.Ref) (at int, ok bool) {
	return slices.BinarySearchFunc(f, r, flow.Ref.Compare)
}

func (f frames) has(r flow.Ref) bool {
	_, ok := f.indexOf(r)
	return ok
}

// collect returns the last steps of a connection, in the order of the capture: back to
// a little before the oldest frame that is wanted.
func (t *RecentFrames) collect(of *Thread, conn int, wanted frames) (list []*Step) {
	seen, missing := make([]bool, len(wanted)), len(wanted)
	number, behind := of.last, 0
	for range mostWalked {
		s := t.get(number)
		if s == nil || int(s.conn) != conn {
			break
		}
		number = s.before
		list = append(list, s)
		if at, ok := wanted.indexOf(s.frame); ok && !seen[at] {
			seen[at] = true
			missing--
		}
		if missing > 0 {
			continue
		}
		if behind++; behind > Around {
			break
		}
	}
	if missing > 0 {
		// What the trail has forgotten may be among the first.
		for n := len(of.head) - 1; n >= 0; n-- {
			s := &of.head[n]
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
func (t *RecentFrames) walk(w *Request, of *Thread) (shown []*Step, hidden []int) {
	wanted := frames(w.Frames)
	list := t.collect(of, w.Conn.ID, wanted)
	if w.Around {
		return around(list, wanted)
	}
	psns := make(map[uint32]bool)
	first, last := -1, -1
	for i, s := range list {
		if !wanted.has(s.frame) {
			continue
		}
		if s.kind != kindACK {
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
		plainACK := s.kind == kindACK && s.syndrome.IsACK() && s.note == flow.InOrder
		switch {
		case wanted.has(s.frame),
			i > first && i <= last+Around && plainACK && psns[s.psn],
			i > first && i < last && !plainACK && s.odd():
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// odd reports whether a step is shown with whatever else is: it may be why that took
// its time.
func (s *Step) odd() bool {
	switch s.kind {
	case kindACK, kindTerminate, kindCM, kindMPA:
		return true
	}
	return s.note != flow.InOrder && s.note != flow.Gap
}

// around returns the steps that are wanted, with some before and after each, and how
// many frames are hidden before each, after the first.
func around(list []*Step, wanted frames) (kept []*Step, hidden []int) {
	show := make([]bool, len(list))
	any := false
	mark := func(at int) {
		any = true
		for k := max(0, at-Around); k <= min(len(list)-1, at+Around); k++ {
			show[k] = true
		}
	}
	for i, s := range list {
		if wanted.has(s.frame) {
			mark(i)
		}
	}
	if !any && len(wanted) > 0 {
		// They came before it was known that they are of this connection.
		at := slices.IndexFunc(list, func(s *Step) bool { return s.frame.Compare(wanted[0]) > 0 })
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
