package ruletest

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/own/trial"
)

// Check asks the rules about a capture, and returns all that they say.
func Check(tb testing.TB, list []*rules.Rule, frames []capture.Frame) []*finding.Finding {
	tb.Helper()
	d, k, all := start(tb, list)
	return finish(tb, d, k, all, frames)
}

// CheckAll is Check with rules that are called for everything, whatever they need to see.
func CheckAll(tb testing.TB, list []*rules.Rule, frames []capture.Frame) []*finding.Finding {
	tb.Helper()
	d, k, all := start(tb, list)
	k.IgnoreNeeds()
	return finish(tb, d, k, all, frames)
}

// CheckLate is Check with CrossConnection told of what was published only every n frames, or if n is
// less than 0 at the end of the capture.
func CheckLate(tb testing.TB, list []*rules.Rule, frames []capture.Frame, n int) []*finding.Finding {
	tb.Helper()
	d, k, all := start(tb, list)
	k.Delay(n)
	return finish(tb, d, k, all, frames)
}

// FindingsOf asks the rules about a capture, and returns all that they say. Note is called for what
// is asked of the limitations.
func FindingsOf(list []*rules.Rule, frames []capture.Frame, note func(by rules.Asker, g rules.Limitation, shut bool)) ([]*finding.Finding, error) {
	d, k, all, err := trial.Start(list)
	if err != nil {
		return nil, err
	}
	k.NoteLimitations(note)
	run(d, k, frames)
	return *all, nil
}

// run hands a capture to a dissector.
func run(d *dissect.Dissector, k *rules.Checker, frames []capture.Frame) {
	for i := range frames {
		d.Frame(&frames[i])
	}
	k.Over()
	d.Flush()
	k.Finish()
}

func finish(tb testing.TB, d *dissect.Dissector, k *rules.Checker, all *[]*finding.Finding, frames []capture.Frame) []*finding.Finding {
	tb.Helper()
	run(d, k, frames)
	for _, f := range *all {
		if f.Letter != "" && f.Rule.Case(f.Letter) == nil {
			tb.Errorf("%s said a case %q, which it does not declare", f.Rule.ID, f.Letter)
		}
	}
	return *all
}

// start makes a dissector that hands all to the rules, for a test.
func start(tb testing.TB, list []*rules.Rule) (*dissect.Dissector, *rules.Checker, *[]*finding.Finding) {
	tb.Helper()
	d, k, all, err := trial.Start(list)
	if err != nil {
		tb.Fatal(err)
	}
	d.NoteUnasked(noteUnasked(tb, list))
	return d, k, all
}

// Sample returns the frames of a capture that ships.
func Sample(tb testing.TB, path string) (list []capture.Frame) {
	tb.Helper()
	file, err := capture.Open(path, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var f capture.Frame
	for file.Next(&f) == nil {
		f.Data = slices.Clone(f.Data)
		list = append(list, f)
	}
	if len(list) == 0 {
		tb.Fatalf("%s has no frames", path)
	}
	return list
}

// CheckGates is Check that notes what is asked of the limitations.
func CheckGates(tb testing.TB, list []*rules.Rule, frames []capture.Frame, note func(by rules.Asker, g rules.Limitation, shut bool)) []*finding.Finding {
	tb.Helper()
	d, k, all := start(tb, list)
	k.NoteLimitations(note)
	return finish(tb, d, k, all, frames)
}
