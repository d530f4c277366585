// Package trial plays the samples of rules, and holds what the rules say against what the
// samples want: every finding that is wanted, in its frame and at its bytes; nothing else
// of the rule, and nothing else of severity error.
package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Fault is what a rule says, or does not say, of a sample in spite of what that wants.
type Fault struct {
	Line   int // of the scene that wants it, 0 for something that nothing wants
	Reason string
}

// Play plays a scene over a transport and asks a rule about it. What is wrong with the scene is
// a *scene.Error. Fired is what it wants of that rule.
func Play(of *rules.Rule, text string, over scene.Transport) (faults []Fault, fired []string, err error) {
	p, err := scene.Play(text, over)
	if err != nil {
		return nil, nil, err
	}
	source, err := p.Source()
	if err != nil {
		return nil, nil, err
	}
	list := []*rules.Rule{of}
	d, k, found, err := Start(list)
	if err != nil {
		return nil, nil, err
	}
	for f := new(capture.Frame); source.Next(f) == nil; {
		d.Frame(f)
	}
	k.Over()
	d.Flush()
	k.Finish()
	faults, fired = Compare(list, of, p, *found)
	return faults, fired, nil
}

// Start makes a Dissector that hands all that it finds to a Checker, whose findings come to
// stand in found.
func Start(list []*rules.Rule) (d *dissect.Dissector, k *rules.Checker, found *[]*finding.Finding, err error) {
	found = new([]*finding.Finding)
	k = rules.NewChecker(list, rules.DefaultConfig(), func(_ *dissect.Connection, said []*finding.Finding) {
		*found = append(*found, said...)
	})
	bindings, err := dissect.NewBindings()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := bindings.Ask(rules.Fields(list)...); err != nil {
		return nil, nil, nil, err
	}
	return dissect.New(k, dissect.Options{Units: true, Accesses: k, Bindings: bindings}), k, found, nil
}

// Compare holds what the rules of a list found in a scene against what it wants. Of families
// that are not in the list nothing is wanted.
func Compare(list []*rules.Rule, of *rules.Rule, p *scene.Scene, found []*finding.Finding) (faults []Fault, fired []string) {
	known := make(map[string]bool)
	for _, o := range list {
		known[o.Family()] = true
	}
	var met []*finding.Finding
	for _, w := range p.Wants {
		if strings.HasPrefix(w.Rule, of.ID) {
			fired = append(fired, w.Rule)
		}
		if family, _, _ := strings.Cut(w.Rule, "-"); !known[family] {
			continue
		}
		var near []string
		i := slices.IndexFunc(found, func(f *finding.Finding) bool {
			if f.ID() != w.Rule || slices.Contains(met, f) {
				return false
			}
			why := differs(&w, f)
			if why != "" {
				near = append(near, why)
			}
			return why == ""
		})
		if i < 0 {
			faults = append(faults, Fault{w.Line, strings.TrimSpace("no " + w.Rule + " " + strings.Join(near, "; "))})
			continue
		}
		met = append(met, found[i])
	}
	for _, f := range found {
		if !slices.Contains(met, f) && (f.Severity == finding.Error || f.Rule.ID == of.ID) {
			faults = append(faults, Fault{0, "not wanted: " + Describe(f)})
		}
	}
	return faults, fired
}

// differs says in what a finding is not the one wanted, "" in nothing.
func differs(w *scene.Want, f *finding.Finding) string {
	if f.Connection != nil && f.Connection.ID != w.Connection+1 {
		return fmt.Sprintf("(connection %d, not %d)", f.Connection.ID, w.Connection+1)
	}
	if len(w.Frames) > 0 && !slices.Contains(w.Frames, int(f.Frame.Number)) {
		return fmt.Sprintf("(frame %d, not of %v)", f.Frame.Number, w.Frames)
	}
	if !w.Exact {
		return ""
	}
	var got []scene.Place
	for _, p := range f.Bytes {
		got = append(got, scene.Place{Frame: int(p.Ref.Number), Offset: p.Offset, Length: p.Length})
	}
	if !slices.Equal(got, w.Places) {
		return fmt.Sprintf("(it marks %s, not %s)", places(got), places(w.Places))
	}
	return ""
}

// places are bytes of frames in words: "frame 10, bytes 118+8".
func places(list []scene.Place) string {
	if len(list) == 0 {
		return "no bytes"
	}
	var words []string
	for _, p := range list {
		words = append(words, fmt.Sprintf("frame %d, bytes %d+%d", p.Frame, p.Offset, p.Length))
	}
	return strings.Join(words, "; ")
}

// Describe is a finding on one line.
func Describe(f *finding.Finding) string {
	at := "capture"
	if f.Connection != nil {
		at = fmt.Sprintf("connection %d", f.Connection.ID)
	}
	doubt := ""
	if f.Doubt != "" {
		doubt = " (" + f.Doubt + ")"
	}
	return fmt.Sprintf("%s %s: %s frame %d, %d times: %s%s", f.Severity, f.ID(), at, f.Frame.Number, f.Count, f.Message, doubt)
}
