package catalogue_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestConnectionsAreLetGo holds that connections that are over do not add up: what rules remember of
// earlier ones may not point to all that is known of them. The same connections come again and
// again, and some calls of each fail as if they had been executed before.
func TestConnectionsAreLetGo(t *testing.T) {
	const repeats = 20
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		t.Run(name, func(t *testing.T) {
			var over []weak.Pointer[dissect.Connection]
			k := rules.NewChecker(catalogue.All(), rules.DefaultConfig(), func(c *dissect.Connection, _ []*finding.Finding) {
				over = append(over, weak.Make(c))
			})
			d := dissect.New(k, dissect.Options{Bindings: bindingsOf(t, catalogue.All()), Units: true, Accesses: k})
			list := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
			for i := range repeats * len(list) {
				f := list[i%len(list)]
				f.Number = int64(1 + i)
				d.Frame(&f)
			}
			runtime.GC()
			kept := 0
			for _, p := range over {
				if p.Value() != nil {
					kept++
				}
			}
			const few = 20 // what was looked at last may still be at hand
			if len(over) < 3*few || kept > few {
				t.Errorf("%d of %d connections that are over are kept", kept, len(over))
			}
			runtime.KeepAlive(k)
			runtime.KeepAlive(d)
		})
	}
}

// bindingsOf are bindings that report the fields of rules.
func bindingsOf(tb testing.TB, list []*rules.Rule) *dissect.Bindings {
	tb.Helper()
	b, err := dissect.NewBindings()
	if err == nil {
		err = b.Ask(rules.Fields(list)...)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
