package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// curious are the rules without the classes of frames, messages and RPCs that they want
// to see: they are asked about everything, from the begin of each connection on.
func curious() []*rules.Rule {
	all := catalogue.All()
	for i, r := range all {
		if r.Watch == nil {
			continue
		}
		asked := *r
		asked.Watch = func(c *rules.Conn, say rules.Say) rules.Hooks {
			h := r.Watch(c, say)
			h.FrameOf, h.MessageOf, h.RPCOf, h.JudgedOf = 0, 0, 0, 0
			return h
		}
		asked.Late = false
		all[i] = &asked
	}
	return all
}

// TestClassesLoseNothing asks the rules about captures with many octets changed, once
// about what they say that they are about, and once about everything: they must find
// the same.
func TestClassesLoseNothing(t *testing.T) {
	rounds := long.Pick(6, 60)
	some, every := catalogue.All(), curious()
	for _, name := range []string{"rxe-cb", "siw-cb", "rxe-basic", "rxe-krb", "version2-roce", "version2-iwarp", "fallback-roce"} {
		list := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		list = list[:min(len(list), 1500)]
		for seed := range rounds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 11))
			data := make([]byte, 8*(1+rnd.IntN(60)))
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			frames := change(list, data)
			got, want := told(ruletest.Check(t, some, frames)), told(ruletest.Check(t, every, frames))
			if !slices.Equal(got, want) {
				t.Fatalf("%s with seed %d:\n%q\nasked about everything:\n%q", name, seed, got, want)
			}
		}
	}
}

// told are findings as lines, in an order of their own: rules of one event may be
// asked in another order.
func told(list []*rules.Finding) (lines []string) {
	for _, f := range list {
		lines = append(lines, fmt.Sprintf("%s %s %d x%d %s [%s]", f.Severity, f.ID(), f.Frame.Number, f.Count, f.Message, f.Doubt))
	}
	slices.Sort(lines)
	return lines
}

// TestLateRules checks that what is Late asks for nothing that comes before the first
// message.
func TestLateRules(t *testing.T) {
	all := catalogue.All()
	for i, r := range all {
		if !r.Late {
			if r.LateOf != 0 {
				t.Errorf("%s is not Late, and waits", r.ID)
			}
			continue
		}
		asked := *r
		asked.Watch = func(c *rules.Conn, say rules.Say) rules.Hooks {
			h := r.Watch(c, say)
			if h.Frame != nil || h.SetUp != nil || h.Tick != nil {
				t.Errorf("%s is Late, and looks at frames, the set-up or the time", r.ID)
			}
			return h
		}
		all[i] = &asked
	}
	for _, name := range []string{"rxe-cb", "siw-cb", "version2-roce"} {
		ruletest.Check(t, all, ruletest.Sample(t, "../../../samples/"+name+".pcap.zst"))
	}
}
