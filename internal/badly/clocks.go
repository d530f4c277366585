package main

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
)

// clocks are the sorts with other times, another order, or several files.
func clocks() []sort {
	return []sort{
		{"neighbours swapped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			for range 1 + len(list)/40 {
				i := rnd.IntN(max(len(list)-1, 1))
				j := min(i+1+rnd.IntN(4), len(list)-1)
				list[i], list[j] = list[j], list[i]
				list[i].Time, list[j].Time = list[j].Time, list[i].Time
			}
			return list
		}},
		{"one direction behind by some frames", func(list []capture.Frame, rnd *rand.Rand) (skewed []capture.Frame) {
			one, behind := someone(list, rnd), 1+rnd.IntN(6)
			var waiting []capture.Frame
			for _, f := range list {
				if sender(&f) != one {
					skewed = append(skewed, f)
				} else if waiting = append(waiting, f); len(waiting) > behind {
					skewed, waiting = append(skewed, waiting[0]), waiting[1:]
				}
			}
			return append(skewed, waiting...)
		}},
		{"one direction's clock is off, in one file", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			off(list, rnd, 0)
			return byTime(list)
		}},
		{"a tap each way, two files, clocks off", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			off(list, rnd, 1)
			return byTime(list)
		}},
		{"the clock steps", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			from, by := rnd.IntN(len(list)), rnd.Int64N(20e9)-10e9
			for i := from; i < len(list); i++ {
				list[i].Time += by
			}
			return list
		}},
		{"the clock drifts", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			first, parts := list[0].Time, rnd.Int64N(2000)-1000
			return each(list, func(f *capture.Frame) { f.Time += (f.Time - first) / 1000 * parts / 1000 })
		}},
		{"ring files", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			file, left := int32(0), 1+rnd.IntN(len(list))
			return each(list, func(f *capture.Frame) {
				if left == 0 {
					file, left = file+1, 1+rnd.IntN(len(list))
				}
				f.File, left = file, left-1
			})
		}},
		{"two links of a LAG, two files", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			late := rnd.Int64N(20e3)
			return byTime(each(list, func(f *capture.Frame) {
				if rnd.IntN(2) == 0 {
					f.File, f.Time = f.File+1, f.Time+late
				}
			}))
		}},
		{"two interfaces of one file", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			one := someone(list, rnd)
			return each(list, func(f *capture.Frame) {
				if sender(f) == one {
					f.Interface = 1
				}
			})
		}},
	}
}

// off puts the clock of one direction off by up to 20 ms, and its frames into another file.
func off(list []capture.Frame, rnd *rand.Rand, file int32) {
	one, by := someone(list, rnd), rnd.Int64N(40e6)-20e6
	each(list, func(f *capture.Frame) {
		if sender(f) == one {
			f.Time, f.File = f.Time+by, f.File+file
		}
	})
}

// byTime puts frames in the order of their times.
func byTime(list []capture.Frame) []capture.Frame {
	slices.SortStableFunc(list, func(a, b capture.Frame) int { return cmp.Compare(a.Time, b.Time) })
	return list
}
