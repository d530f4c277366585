package trans_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/thresh"
	"github.com/rdmacap/rdmacap/report/rules/trans"
)

// played returns the frames of a scene.
func played(t *testing.T, text string, over scene.Transport) (list []capture.Frame) {
	t.Helper()
	p, err := scene.Play(ruletest.Unindent(text), over)
	if err != nil {
		t.Fatal(err)
	}
	source, err := p.Source()
	if err != nil {
		t.Fatal(err)
	}
	for f := new(capture.Frame); source.Next(f) == nil; {
		f.Data = slices.Clone(f.Data)
		list = append(list, *f)
	}
	return list
}

// handshakeOf are the findings of a rule, or of one of its cases, about a scene.
func handshakeOf(t *testing.T, text string, over scene.Transport, id string) []*finding.Finding {
	t.Helper()
	return of(ruletest.Check(t, families(), played(t, text, over)), id)
}

// families are the rules that ask whether the two directions are in step.
func families() []*rules.Rule { return slices.Concat(trans.Rules(), thresh.Rules()) }

func of(found []*finding.Finding, id string) []*finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f *finding.Finding) bool { return f.ID() != id && f.Rule.ID != id })
}
