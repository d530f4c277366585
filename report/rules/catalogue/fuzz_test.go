package catalogue_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
	"github.com/rdmacap/rdmacap/rocev2"
)

// change does to some frames what data say, eight octets a change: which frame,
// which octet, and what becomes of it; or the frame is lost, or comes again. The
// ICRC is made right, so that what was changed is looked at.
func change(list []capture.Frame, data []byte) []capture.Frame {
	changed := slices.Clone(list)
	for ; len(data) >= 8 && len(changed) > 0; data = data[8:] {
		i := int(binary.BigEndian.Uint16(data)) % len(changed)
		f := &changed[i]
		switch at := binary.BigEndian.Uint16(data[2:]); {
		case data[7] < 16:
			changed = slices.Delete(changed, i, i+1)
		case data[7] < 32:
			changed = slices.Insert(changed, i, *f)
		case data[7] < 48:
			f.Data = f.Data[:int(at)%(len(f.Data)+1)]
		case len(f.Data) > 0:
			f.Data = slices.Clone(f.Data)
			f.Data[int(at)%len(f.Data)] = data[4]
			var p link.Packet
			p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
			if data[5]&1 == 0 {
				rocev2.SetICRC(f.Data, &p)
			}
		}
	}
	for i := range changed {
		changed[i].Number = int64(i + 1)
	}
	return changed
}

// honest is what holds for whatever is found in whatever capture.
func honest(tb testing.TB, frames []capture.Frame, found []*rules.Finding) {
	tb.Helper()
	for _, f := range found {
		if f.Message == "" || f.WhatToDo() == "" || len(f.Frames) == 0 || f.Count < 1 || f.Severity < rules.Note || f.Severity > rules.Error {
			tb.Errorf("incomplete: %+v", f)
		}
		if f.Letter != "" && f.Rule.Case(f.Letter) == nil {
			tb.Errorf("%s has no case %q", f.Rule.ID, f.Letter)
		}
		for _, p := range f.Octets {
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
		frames := change(samples[int(data[0])%len(samples)], data[1:])
		honest(t, frames, ruletest.Check(t, all, frames))
	})
}

// TestWhateverIsChanged asks all rules about real captures with many octets changed,
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
			frames := change(list, data)
			honest(t, frames, ruletest.Check(t, all, frames))
			if t.Failed() {
				t.Fatalf("%s with seed %d", name, seed)
			}
		}
	}
}
