package catalogue_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// honest is what holds for whatever is found in whatever capture.
func honest(tb testing.TB, frames []capture.Frame, found []*finding.Finding) {
	tb.Helper()
	for _, f := range found {
		if f.Message == "" || f.WhatToDo() == "" || len(f.Frames) == 0 || f.Count < 1 || f.Severity < finding.Note || f.Severity > finding.Error {
			tb.Errorf("incomplete: %+v", f)
		}
		if f.Letter != "" && f.Rule.Case(f.Letter) == nil {
			tb.Errorf("%s has no case %q", f.Rule.ID, f.Letter)
		}
		for _, p := range f.Bytes {
			n := p.Ref.Number
			if n < 1 || n > int64(len(frames)) || p.Offset < 0 || p.Length < 1 || p.Offset+p.Length > len(frames[n-1].Data) {
				tb.Errorf("%s: bytes %+v are not in the capture", f.ID(), p)
			}
		}
		depth := 0
		for c := f.Cause; c != nil; c = c.Cause {
			if depth++; depth > len(found) {
				tb.Fatalf("%s explains itself", f.ID())
			}
		}
	}
}

// FuzzCheck asks all rules about real traffic that strangers changed.
func FuzzCheck(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb"} {
		list := ruletest.Sample(f, "../../../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 250)])
	}
	all := catalogue.All()
	f.Add([]byte{0, 0, 50, 0, 60, 3, 0, 0xff})
	f.Add([]byte{1, 0, 80, 0, 70, 3, 0, 0x01, 0, 90, 0, 60, 3, 0, 0, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		frames := damage.Edit(samples[int(data[0])%len(samples)], data[1:])
		honest(t, frames, ruletest.Check(t, all, frames))
	})
}

// TestWhateverIsChanged asks all rules about real captures with many bytes changed,
// frames lost, repeated and cut.
func TestWhateverIsChanged(t *testing.T) {
	t.Parallel()
	rounds := long.Pick(25, 300)
	all := catalogue.All()
	for _, name := range []string{"rxe-cb", "siw-cb", "rxe-krb", "rxe-loss", "siw-perftest"} {
		list := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		list = list[:min(len(list), 1000)]
		for seed := range rounds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 5))
			data := make([]byte, 8*(1+rnd.IntN(60)))
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			frames := damage.Edit(list, data)
			honest(t, frames, ruletest.Check(t, all, frames))
			if t.Failed() {
				t.Fatalf("%s with seed %d", name, seed)
			}
		}
	}
}
