package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
)

// whole is the variant that leaves a capture as it is.
const whole = "whole"

// A variant damages a capture.
type variant struct {
	name   string
	random bool // what it does depends on the seed
	of     func(c *recorded, rnd *rand.Rand) build.Frames
}

// variants are all of them, in the order in which they are compared.
func variants() []variant {
	return []variant{
		{"lost", true, func(c *recorded, rnd *rand.Rand) build.Frames {
			return c.frames.Drop(some(rnd, len(c.frames))...)
		}},
		{"lost-every-97", false, func(c *recorded, _ *rand.Rand) build.Frames {
			var lost []int
			for i := 96; i < len(c.frames); i += 97 {
				lost = append(lost, i)
			}
			return c.frames.Drop(lost...)
		}},
		{"burst", true, func(c *recorded, rnd *rand.Rand) build.Frames {
			first := rnd.IntN(len(c.frames))
			return slices.Delete(slices.Clone(c.frames), first, min(first+40, len(c.frames)))
		}},
		{"late", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames[len(c.frames)/3:] }},
		{"early", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames[:len(c.frames)*2/3] }},
		{"snap-96", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames.Cut(96) }},
		{"snap-200", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames.Cut(200) }},
		{"from-first", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames.Only(build.ToServer) }},
		{"from-others", false, func(c *recorded, _ *rand.Rand) build.Frames { return c.frames.Only(build.ToClient) }},
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
func swapped(c *recorded, rnd *rand.Rand) build.Frames {
	f := slices.Clone(c.frames)
	for _, i := range some(rnd, len(f)-1) {
		f[i], f[i+1] = f[i+1], f[i]
		f[i].Time, f[i+1].Time = f[i+1].Time, f[i].Time
	}
	return f
}

// doubled puts frames behind themselves once more.
func doubled(c *recorded, rnd *rand.Rand) build.Frames {
	again := some(rnd, len(c.frames))
	twice := make(build.Frames, 0, len(c.frames)+len(again))
	for i, f := range c.frames {
		twice = append(twice, f)
		if len(again) > 0 && again[0] == i {
			twice, again = append(twice, f), again[1:]
		}
	}
	return twice
}

// changed gives one octet of a frame another value. The Ethernet header stays: with
// other addresses a frame only leaves its connection.
func changed(c *recorded, rnd *rand.Rand) build.Frames {
	f := slices.Clone(c.frames)
	behind := 0
	if c.link == link.TypeEthernet {
		behind = 14
	}
	for _, i := range some(rnd, len(f)) {
		if len(f[i].Data) <= behind {
			continue
		}
		f[i].Data = slices.Clone(f[i].Data)
		octet := behind + rnd.IntN(len(f[i].Data)-behind)
		f[i].Data[octet] ^= byte(1 + rnd.IntN(255))
	}
	return f
}

// random is the source of chance of one variant of one sample: the same in every run.
func random(sample, variant string, seed int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(sample + "\x00" + variant)) // a hash takes everything
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}
