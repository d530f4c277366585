package capture

// Ready is what a Source may offer beside Next, for readers that gather
// frames: whether Next can give another frame without reading the file, and
// so without waiting where the file is a pipe. A Source that cannot tell is
// not Ready.
type Ready interface{ Ready() bool }

// Ready reports whether the next record lies in the window already, as the last
// Next has seen.
func (r *File) Ready() bool { return r.ready }

// Keeper is what a Source may offer to readers that gather frames. Keep, called
// before the first Next, makes the Data of a frame valid until Next was called
// n more times while the Source was not Ready. It reports false, and changes
// nothing, if it cannot do that.
type Keeper interface{ Keep(n int) bool }

// Keep makes frames valid for longer, as Keeper says.
func (r *File) Keep(n int) bool {
	r.win.ring = make([][]byte, n+1)
	return true
}

// maxKept is how many merged sources keep frames: each needs buffers, and for
// many of them that costs more memory than copying costs time.
const maxKept = 4

// Keep makes the frames of all sources valid for longer, if all can.
func (m *merge) Keep(n int) bool {
	if len(m.unread) > maxKept {
		return false
	}
	for _, s := range m.unread {
		if _, ok := s.(Keeper); !ok {
			return false
		}
	}
	all := true
	for _, s := range m.unread {
		// Once more, for the frame that is held while it is not its turn.
		all = s.(Keeper).Keep(n+1) && all
	}
	return all
}

// Ready reports whether the source that is read next is.
func (m *merge) Ready() bool {
	if m.unread != nil || len(m.heap) == 0 {
		return false
	}
	s, ok := m.heap[0].source.(Ready)
	return ok && s.Ready()
}
