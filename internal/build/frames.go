package build

import (
	"slices"
	"time"
)

// Direction says who sent a frame.
type Direction uint8

const (
	ToServer Direction = iota
	ToClient
)

// Opposite is the other direction.
func (d Direction) Opposite() Direction { return 1 - d }

// A Frame is one frame of a conversation.
type Frame struct {
	Time time.Time
	Dir  Direction
	// Data are the captured bytes, Length those on the wire.
	Data   []byte
	Length int

	layers  []Layer // as it was built, to send it again; nil for other frames
	request bool    // it is a request of a reliable connection, which has a PSN of its own
}

// Frames are a capture. Their methods leave the receiver as it is and return
// a changed copy; indexes begin with 0, as Conversation's spans do.
type Frames []Frame

func (f Frames) copy() Frames { return append(Frames(nil), f...) }

// Drop takes frames out: the network or the capture lost them.
func (f Frames) Drop(indexes ...int) Frames {
	drop := make(map[int]bool)
	for _, i := range indexes {
		drop[i] = true
	}
	var kept Frames
	for i, frame := range f {
		if !drop[i] {
			kept = append(kept, frame)
		}
	}
	return kept
}

// Duplicate puts a frame after itself once more, to the byte the same: a
// mirror port that sees it twice.
func (f Frames) Duplicate(i int) Frames {
	again := append(f[:i+1].copy(), f[i])
	return append(again, f[i+1:]...)
}

// Swap lets two frames change places, while the times stay in order.
func (f Frames) Swap(i, j int) Frames {
	g := f.copy()
	g[i], g[j] = g[j], g[i]
	g[i].Time, g[j].Time = f[i].Time, f[j].Time
	return g
}

// Cut keeps the first n bytes of every frame, as a snap length does.
func (f Frames) Cut(n int) Frames {
	g := f.copy()
	for i := range g {
		g[i].Data = g[i].Data[:min(n, len(g[i].Data))]
	}
	return g
}

// Only keeps the frames of one direction.
func (f Frames) Only(d Direction) Frames {
	var kept Frames
	for _, frame := range f {
		if frame.Dir == d {
			kept = append(kept, frame)
		}
	}
	return kept
}

// Merge puts several captures into one, by time.
func Merge(captures ...Frames) Frames {
	all := slices.Concat(captures...)
	slices.SortStableFunc(all, func(a, b Frame) int { return a.Time.Compare(b.Time) })
	return all
}

// And puts other captures after this one.
func (f Frames) And(others ...Frames) Frames {
	return slices.Concat(f, slices.Concat(others...))
}

// Flip inverts the bits of mask in one byte of a frame.
func (f Frames) Flip(i, size int, mask byte) Frames {
	g := f.copy()
	g[i].Data = append([]byte(nil), g[i].Data...)
	g[i].Data[size] ^= mask
	return g
}
