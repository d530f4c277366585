package inv

// uses counts in how many calls a handle stood; of a few handles only, those that
// came first.
type uses struct {
	handle uint32
	calls  uint32
}

// count is in how many calls a handle has stood by now, as far as that is
// remembered.
func (w *opportunity) count(h uint32) uint32 {
	for i := range w.recent {
		if w.recent[i].handle == h && w.recent[i].calls > 0 {
			w.recent[i].calls++
			return w.recent[i].calls
		}
	}
	// Those that were seen once make place for others, in turn.
	for range w.recent {
		slot := &w.recent[w.next]
		w.next = (w.next + 1) % len(w.recent)
		if slot.calls <= 1 {
			*slot = uses{h, 1}
			break
		}
		slot.calls /= 2 // it does not last if it does not come again
	}
	return 1
}

// forget begins to count anew for a handle.
func (w *opportunity) forget(h uint32) {
	for i := range w.recent {
		if w.recent[i].handle == h {
			w.recent[i] = uses{}
		}
	}
}
