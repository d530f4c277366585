package main

import (
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
)

// A sort is one sort of bad capturing. It may change the list, but not the bytes that
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

// oneFrame is the sort that lacks least: not even a likely error may come of it.
const oneFrame = "one frame lost"

// missing are the sorts that lack frames, or parts of them.
func missing() []sort {
	less := func(one int) func([]capture.Frame, *rand.Rand) []capture.Frame {
		return func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			return slices.DeleteFunc(list, func(capture.Frame) bool { return rnd.IntN(one) == 0 })
		}
	}
	return []sort{
		{oneFrame, func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
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
		{"each frame snapped at another length", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one := 1 + rnd.IntN(8) // of so many frames
			return each(list, func(f *capture.Frame) {
				if n := rnd.IntN(len(f.Data) + 1); rnd.IntN(one) == 0 {
					f.Data = f.Data[:max(n, min(len(f.Data), leastSnap))]
				}
			})
		}},
		{"each frame snapped where a header begins", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one := 1 + rnd.IntN(8)
			return each(list, func(f *capture.Frame) {
				if rnd.IntN(one) == 0 {
					n := boundaries()[rnd.IntN(len(boundaries()))] + 4*rnd.IntN(3)
					f.Data = f.Data[:min(len(f.Data), n)]
				}
			})
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

// leastSnap is the shortest that a frame is cut to: an Ethernet header.
const leastSnap = 14

// boundaries are where headers begin after Ethernet, with IPv4 or IPv6: of IP, UDP or TCP (without options, and with time
// stamps), BTH or MPA, DDP and RDMAP, RPC-over-RDMA with empty lists, RPC, its credential and its arguments.
func boundaries() []int {
	const ethernet, rpcrdma, credential, arguments = 14, 28, 28, 68
	var list []int
	for _, ip := range []int{20, 40} {
		list = append(list, ethernet, ethernet+ip)
		for _, transport := range []struct{ length, headers []int }{
			{[]int{8}, []int{12}},          // UDP; BTH
			{[]int{20, 32}, []int{2, 20}},  // TCP; MPA, and DDP and RDMAP of an untagged message
			{[]int{20, 32}, []int{16, 18}}, // tagged ones
		} {
			for _, l := range transport.length {
				at := ethernet + ip + l
				list = append(list, at)
				for _, h := range transport.headers {
					list = append(list, at+h, at+h+rpcrdma, at+h+rpcrdma+credential, at+h+rpcrdma+arguments)
				}
			}
		}
	}
	return list
}
