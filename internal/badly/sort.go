package main

import (
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
)

// A sort is one sort of bad capturing. It may change the list, but not the octets that
// frames share with the whole capture.
type sort struct {
	name string
	of   func(list []capture.Frame, rnd *rand.Rand) []capture.Frame
}

// sorts are all of them.
func sorts() []sort {
	return slices.Concat(missing(), clocks(), copies(), packets())
}

// mixed is two sorts, one behind the other.
func mixed(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
	all := sorts()
	for range 2 {
		if len(list) > 1 {
			list = all[rnd.IntN(len(all))].of(list, rnd)
		}
	}
	return list
}

// sender is who sent a frame, as far as the Ethernet header says.
func sender(f *capture.Frame) string { return string(f.Data[min(6, len(f.Data)):min(12, len(f.Data))]) }

// someone is the sender of some frame.
func someone(list []capture.Frame, rnd *rand.Rand) string { return sender(&list[rnd.IntN(len(list))]) }

// missing are the sorts that lack frames, or parts of them.
func missing() []sort {
	less := func(one int) func([]capture.Frame, *rand.Rand) []capture.Frame {
		return func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			return slices.DeleteFunc(list, func(capture.Frame) bool { return rnd.IntN(one) == 0 })
		}
	}
	return []sort{
		{"one frame lost", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			i := rnd.IntN(len(list))
			return slices.Delete(list, i, i+1)
		}},
		{"one in 300 lost", less(300)},
		{"one in 40 lost", less(40)},
		{"one in 4 lost", less(4)},
		{"a burst lost", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			i := rnd.IntN(len(list))
			return slices.Delete(list, i, min(len(list), i+1+rnd.IntN(200)))
		}},
		{"one direction lossy", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one := someone(list, rnd)
			return slices.DeleteFunc(list, func(f capture.Frame) bool { return sender(&f) == one && rnd.IntN(20) == 0 })
		}},
		{"one direction lost for a while", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one, from := someone(list, rnd), rnd.IntN(len(list))
			to, i := from+1+rnd.IntN(300), -1
			return slices.DeleteFunc(list, func(f capture.Frame) bool { i++; return i >= from && i < to && sender(&f) == one })
		}},
		{"one direction only", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one := someone(list, rnd)
			return slices.DeleteFunc(list, func(f capture.Frame) bool { return sender(&f) == one })
		}},
		{"begun late", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return list[rnd.IntN(len(list)):] }},
		{"ended early", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return list[:1+rnd.IntN(len(list))] }},
		{"snapped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			n := 54 + rnd.IntN(500)
			return each(list, func(f *capture.Frame) { f.Data = f.Data[:min(len(f.Data), n)] })
		}},
		{"one direction snapped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			n, one := 54+rnd.IntN(500), someone(list, rnd)
			return each(list, func(f *capture.Frame) {
				if sender(f) == one {
					f.Data = f.Data[:min(len(f.Data), n)]
				}
			})
		}},
	}
}

// each changes every frame.
func each(list []capture.Frame, do func(f *capture.Frame)) []capture.Frame {
	for i := range list {
		do(&list[i])
	}
	return list
}
