// Package damage has captures as they come out of bad capturing, made from good ones:
// with lost, swapped and doubled frames, changed bytes, cut at the beginning, at the
// end and in length, of one direction. It is for tests and comparisons.
package damage

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A Variant damages a capture.
type Variant struct {
	Name string
	// Random says that what it does depends on the source of chance.
	Random bool
	// Of returns the damaged frames, and leaves those of the capture as they are.
	Of func(c *Capture, rnd *rand.Rand) build.Frames
}

// Called is the name.
func (v Variant) Called() string { return v.Name }

// Variants are all of them.
func Variants() []Variant {
	return []Variant{
		{"lost", true, func(c *Capture, rnd *rand.Rand) build.Frames {
			return c.Frames.Drop(some(rnd, len(c.Frames))...)
		}},
		{"lost-every-97", false, func(c *Capture, _ *rand.Rand) build.Frames {
			var lost []int
			for i := 96; i < len(c.Frames); i += 97 {
				lost = append(lost, i)
			}
			return c.Frames.Drop(lost...)
		}},
		{"burst", true, func(c *Capture, rnd *rand.Rand) build.Frames {
			first := rnd.IntN(len(c.Frames))
			return slices.Delete(slices.Clone(c.Frames), first, min(first+40, len(c.Frames)))
		}},
		{"late", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames[len(c.Frames)/3:] }},
		{"early", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames[:len(c.Frames)*2/3] }},
		{"snap-96", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames.Cut(96) }},
		{"snap-200", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames.Cut(200) }},
		{"from-first", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames.Only(build.ToServer) }},
		{"from-others", false, func(c *Capture, _ *rand.Rand) build.Frames { return c.Frames.Only(build.ToClient) }},
		{"swapped", true, swapped},
		{"doubled", true, doubled},
		{"changed", true, changed},
	}
}

// some picks one in a hundred of n indexes, and at least one, in ascending order.
func some(rnd *rand.Rand, n int) (picked []int) {
	for i := range n {
		if rnd.IntN(100) == 0 {
			picked = append(picked, i)
		}
	}
	if len(picked) == 0 && n > 0 {
		picked = append(picked, rnd.IntN(n))
	}
	return picked
}

// swapped lets neighbours change places while the times stay in order, as build's
// Swap does for two frames.
func swapped(c *Capture, rnd *rand.Rand) build.Frames {
	f := slices.Clone(c.Frames)
	for _, i := range some(rnd, len(f)-1) {
		f[i], f[i+1] = f[i+1], f[i]
		f[i].Time, f[i+1].Time = f[i+1].Time, f[i].Time
	}
	return f
}

// doubled puts frames after themselves once more.
func doubled(c *Capture, rnd *rand.Rand) build.Frames {
	again := some(rnd, len(c.Frames))
	twice := make(build.Frames, 0, len(c.Frames)+len(again))
	for i, f := range c.Frames {
		twice = append(twice, f)
		if len(again) > 0 && again[0] == i {
			twice, again = append(twice, f), again[1:]
		}
	}
	return twice
}

// changed gives one byte of a frame another value. The Ethernet header stays: with
// other addresses a frame only leaves its connection.
func changed(c *Capture, rnd *rand.Rand) build.Frames {
	f := slices.Clone(c.Frames)
	behind := 0
	if c.Link == link.TypeEthernet {
		behind = 14
	}
	for _, i := range some(rnd, len(f)) {
		if len(f[i].Data) <= behind {
			continue
		}
		f[i].Data = slices.Clone(f[i].Data)
		size := behind + rnd.IntN(len(f[i].Data)-behind)
		f[i].Data[size] ^= byte(1 + rnd.IntN(255))
	}
	return f
}

// Random is the source of chance of one variant of one sample: the same in every run.
func Random(sample, variant string, seed int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(sample + "\x00" + variant)) // a hash takes everything
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}
