package main

import (
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
)

// copies are the sorts that have more frames than were sent, or foreign ones.
func copies() []sort {
	return []sort{
		{"all twice", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return again(list, rnd, 1, 1) }},
		{"some twice", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return again(list, rnd, 10, 1) }},
		{"some twice, some frames later", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return again(list, rnd, 10, 6) }},
		{"before and behind a router", func(list []capture.Frame, rnd *rand.Rand) (twice []capture.Frame) {
			for _, f := range list {
				twice = append(twice, f)
				if g, ok := routed(f); ok {
					twice = append(twice, g)
				}
			}
			return twice
		}},
		{"foreign traffic", func(list []capture.Frame, rnd *rand.Rand) (more []capture.Frame) {
			for _, f := range list {
				more = append(more, f)
				if rnd.IntN(5) == 0 {
					g := f
					g.Data = make([]byte, 60+rnd.IntN(200))
					for i := range g.Data {
						g.Data[i] = byte(rnd.Uint32())
					}
					copy(g.Data[12:], [][]byte{{8, 0, 0x45}, {8, 6, 0, 1}, {0x88, 0xcc}, {0x86, 0xdd, 0x60}}[rnd.IntN(4)])
					g.Length = int32(len(g.Data))
					more = append(more, g)
				}
			}
			return more
		}},
		{"all of it once more, later", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			later := list[len(list)-1].Time - list[0].Time + 1e9 + rnd.Int64N(100e9)
			more := slices.Clone(list)
			each(more, func(f *capture.Frame) { f.Time += later })
			return slices.Concat(list, more)
		}},
	}
}

// again has one frame in some twice, the second time up to some frames later.
func again(list []capture.Frame, rnd *rand.Rand, one, later int) []capture.Frame {
	twice := make([]capture.Frame, 0, 2*len(list))
	type late struct {
		capture.Frame
		left int
	}
	var waiting []late
	for _, f := range list {
		twice = append(twice, f)
		if rnd.IntN(one) == 0 {
			waiting = append(waiting, late{f, rnd.IntN(later)})
		}
		waiting = slices.DeleteFunc(waiting, func(w late) bool {
			if w.left > 0 {
				return false
			}
			w.Frame.Time = f.Time
			twice = append(twice, w.Frame)
			return true
		})
		for i := range waiting {
			waiting[i].left--
		}
	}
	return twice
}

// routed is a frame of IPv4 one hop further: other Ethernet addresses, a lower TTL.
func routed(f capture.Frame) (capture.Frame, bool) {
	const ip = 14
	if len(f.Data) < ip+20 || f.Data[12] != 8 || f.Data[13] != 0 {
		return f, false
	}
	f.Data = slices.Clone(f.Data)
	for i := range 12 {
		f.Data[i] ^= 2 // not the multicast bit
	}
	f.Data[ip+8]--
	sum := uint32(f.Data[ip+10])<<8 + uint32(f.Data[ip+11]) + 0x100
	sum = sum&0xffff + sum>>16
	f.Data[ip+10], f.Data[ip+11] = byte(sum>>8), byte(sum)
	f.Time += 5000
	return f, true
}
