package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// list is a form of its own: the IDs of what was found, in a line a connection. This is all that
// one needs.
type list struct{ strings.Builder }

func (l *list) Found(f *finding.Found) {
	if c := f.Connection; c != nil {
		fmt.Fprintf(l, "\n%d:", c.ID)
	}
	f.All(func(x *finding.Finding) { fmt.Fprintf(l, " %s×%d", x.ID(), x.Count) })
}

func (l *list) End(e *finding.Ending) error {
	_, err := fmt.Fprintf(l, "\n%s of %d RPCs", e.Tally, e.RPCs)
	return err
}

// TestAnotherForm holds that a form is written from the model alone, and comes to the same with
// any number of workers.
func TestAnotherForm(t *testing.T) {
	var first string
	for _, workers := range []int{0, 1, 3} {
		form := new(list)
		c := check.New(draft.Form{Form: form}, check.Options{Rules: catalogue.All(), Config: rules.DefaultConfig(), Files: 1})
		run(t, c, "rxe-basic", workers)
		switch got := form.String(); {
		case !strings.Contains(got, "\n1: ") || !strings.Contains(got, " RPCs"):
			t.Errorf("%d workers: %s", workers, got)
		case first == "":
			first = got
		case got != first:
			t.Errorf("%d workers:%s\nwithout:%s", workers, got, first)
		}
	}
}

// run checks a sample, with some workers or, for 0, without.
func run(t *testing.T, c *check.Check, sample string, workers int) {
	t.Helper()
	file, err := capture.Open("../../samples/"+sample+".pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bindings, err := dissect.NewBindings()
	if err != nil {
		t.Fatal(err)
	}
	if err := bindings.Ask(rules.Fields(catalogue.All())...); err != nil {
		t.Fatal(err)
	}
	o := dissect.Options{Units: true, Bindings: bindings}
	next := func(bool) error { return c.Err() }
	if workers == 0 {
		o.Accesses = c
		d := dissect.New(c, o)
		_, err = d.Run(file, next)
		finish(t, c, err, d.Flush, d.Summary)
		return
	}
	d := dissect.NewShards(workers, o, c.Part)
	c.PauseBy(d.Pause)
	_, err = d.Run(file, next)
	finish(t, c, err, d.Flush, d.Summary)
}

func finish(t *testing.T, c *check.Check, err error, flush func(), summary func() dissect.Summary) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	c.Over(nil)
	flush()
	if err := c.Finish(summary(), 0); err != nil {
		t.Fatal(err)
	}
}
