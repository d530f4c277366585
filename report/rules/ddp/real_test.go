package ddp_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/ddp"
)

// TestPoorCaptures spoils captures of healthy peers as poor ones are: whatever is
// missing from them or out of order, no peer is to blame.
func TestPoorCaptures(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-thresh", "siw-basic", "siw-loss"} {
		frames := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		for what, spoil := range spoilers() {
			t.Run(name+" "+what, func(t *testing.T) {
				for seed := range uint64(2) {
					spoilt := spoil(rand.New(rand.NewPCG(seed, 1)), frames)
					for _, f := range ruletest.Check(t, ddp.Rules(), spoilt) {
						if f.Severity > finding.Note {
							t.Errorf("seed %d: %s in frame %d: %s", seed, f.ID(), f.Frame.Number, f.Message)
						}
					}
				}
			})
		}
	}
}

// skew gives the frames of one sender other times, by up to 20 ms, and sorts all anew.
func skew(frames []capture.Frame, one string, r *rand.Rand, each func(f *capture.Frame, side int)) []capture.Frame {
	by := r.Int64N(40e6) - 20e6
	list := slices.Clone(frames)
	for i := range list {
		side := 0
		if string(list[i].Data[6:12]) != one {
			side = 1
			list[i].Time += by
		}
		each(&list[i], side)
	}
	slices.SortStableFunc(list, func(a, b capture.Frame) int { return cmp.Compare(a.Time, b.Time) })
	return list
}

func spoilers() map[string]func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
	// sender is the Ethernet source of a frame.
	sender := func(f *capture.Frame) string { return string(f.Data[6:12]) }
	return map[string]func(r *rand.Rand, frames []capture.Frame) []capture.Frame{
		"with frames missing": func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
			return slices.DeleteFunc(slices.Clone(frames), func(capture.Frame) bool { return r.IntN(30) == 0 })
		},
		"with a stretch missing": func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
			at := r.IntN(len(frames) - 100)
			return slices.Delete(slices.Clone(frames), at, at+1+r.IntN(100))
		},
		"begun late": func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
			return frames[r.IntN(len(frames)/2):]
		},
		"of one direction": func(_ *rand.Rand, frames []capture.Frame) []capture.Frame {
			one := sender(&frames[0])
			return slices.DeleteFunc(slices.Clone(frames), func(f capture.Frame) bool { return sender(&f) != one })
		},
		"with a snap length": func(r *rand.Rand, frames []capture.Frame) (cut []capture.Frame) {
			snap := 70 + r.IntN(300)
			for _, f := range frames {
				f.Data = f.Data[:min(snap, len(f.Data))]
				cut = append(cut, f)
			}
			return cut
		},
		"of two hosts, one file each, whose clocks differ": func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
			var number [2]int64
			return skew(frames, sender(&frames[0]), r, func(f *capture.Frame, side int) {
				number[side]++
				f.File, f.Number = int32(side), number[side]
			})
		},
		"of two ports, one of them late": func(r *rand.Rand, frames []capture.Frame) []capture.Frame {
			late := skew(frames, sender(&frames[0]), r, func(*capture.Frame, int) {})
			for i := range late {
				late[i].Number = int64(i + 1)
			}
			return late
		},
		"with one direction captured later": func(r *rand.Rand, frames []capture.Frame) (skewed []capture.Frame) {
			one, behind := sender(&frames[r.IntN(2)]), 1+r.IntN(5)
			var waiting []capture.Frame
			for _, f := range frames {
				if sender(&f) != one {
					skewed = append(skewed, f)
				} else if waiting = append(waiting, f); len(waiting) > behind {
					skewed, waiting = append(skewed, waiting[0]), waiting[1:]
				}
			}
			return append(skewed, waiting...)
		},
	}
}
