package ulb_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/ulb"
)

// TestDamage changes bytes of the samples at random, with the checksums put right:
// whatever comes of it, the rules take it, and what they mark lies in its frame.
func TestDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const largest = 200 // frames: one sample has thousands of the same
	rounds := long.Pick(2, 6)
	for _, r := range ulb.Rules() {
		for _, s := range r.AllSamples() {
			for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
				list := ruletest.Frames(t, s.Text(), over)
				for range rounds {
					if len(list) > largest {
						break
					}
					damaged := slices.Clone(list)
					for range 1 + random.IntN(3) {
						damage(&damaged[random.IntN(len(damaged))], random)
					}
					for _, f := range ruletest.Check(t, ulb.Rules(), damaged) {
						inside(t, f, damaged)
					}
				}
			}
		}
	}
}

// damage changes a word of a frame after the headers of IP and transport.
func damage(f *capture.Frame, random *rand.Rand) {
	const headers, tail = 66, 8 // bytes
	if len(f.Data) < headers+tail {
		return
	}
	f.Data = slices.Clone(f.Data)
	at := headers + random.IntN(len(f.Data)-headers-tail+1)
	values := []byte{0, 1, 2, 3, 0x19, 0x44, 0x7f, 0xff, byte(random.IntN(256))}
	f.Data[at] = values[random.IntN(len(values))]
	build.Reseal(f.Data)
}

func inside(t *testing.T, f *finding.Finding, list []capture.Frame) {
	t.Helper()
	if f.Message == "" {
		t.Errorf("%s says nothing", f.ID())
	}
	for _, p := range f.Bytes {
		if n := p.Ref.Number; n < 1 || n > int64(len(list)) || p.Offset < 0 || p.Offset+p.Length > len(list[n-1].Data) {
			t.Errorf("%s marks bytes %d+%d of frame %d", f.ID(), p.Offset, p.Length, n)
		}
	}
}
