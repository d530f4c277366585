package catalogue_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"weak"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/shipped"
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
			d := dissect.New(k, dissect.Options{Bindings: bindings(t), Units: true, Accesses: k})
			play(t, d, name, repeats)
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

// bindings are those that report the fields of all rules.
func bindings(t *testing.T) *dissect.Bindings {
	t.Helper()
	b, err := dissect.NewBindings()
	if err == nil {
		err = b.Ask(rules.Fields(catalogue.All())...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// play dissects the frames of a sample that come again and again.
func play(t *testing.T, d *dissect.Dissector, name string, repeats int) {
	t.Helper()
	const header = 24 // bytes of a pcap file's header
	whole := shipped.Whole(t, name)
	records := bytes.Repeat(whole[header:], repeats)
	r, err := capture.NewReader(io.MultiReader(bytes.NewReader(whole[:header]), bytes.NewReader(records)), name, 0)
	if err != nil {
		t.Fatal(err)
	}
	for f := new(capture.Frame); ; {
		if err := r.Next(f); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		d.Frame(f)
	}
}
