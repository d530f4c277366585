package ruletest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A recorder is a test of which only the errors are wanted.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// TestFieldThatIsNotAskedFor requires that a rule fails its tests if it reads a field that it does not name,
// and that it does not if the field is named, or is reported for the summaries in any case.
func TestFieldThatIsNotAskedFor(t *testing.T) {
	const attributes, offset = "GETATTR4args.attr_request", "READ3args.offset"
	wrong := func(field string) []string {
		return []string{"T-001: " + field + " is read, but not named in Fields of the check, so it is never found"}
	}
	for _, x := range []struct {
		read   string
		fields []string
		want   []string
	}{
		{attributes, nil, wrong(attributes)},
		{attributes, []string{attributes}, nil},
		{attributes, []string{offset}, wrong(attributes)},
		{offset, nil, nil},
		{"READ3args.ofset", nil, wrong("READ3args.ofset")},
	} {
		field := values.FieldOf(x.read)
		r := &rules.Rule{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Fields: x.fields, On: []rules.Event{
			rules.OnRPC(0, func(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
				if b := values.Walked(c, r.Call); b != nil {
					field.Number(b, b.Events)
				}
			}),
		}}}
		frames := ruletest.Frames(t, "connect\ncall 1 NFS4 COMPOUND [GETATTR]\nreply 1\ncall 2 NFS3 READ\nreply 2\ndisconnect\n", scene.RoCE)
		got := &recorder{TB: t}
		ruletest.Check(got, []*rules.Rule{r}, frames)
		if !slices.Equal(got.errors, x.want) {
			t.Errorf("reading %s with the Fields %q: %q, want %q", x.read, x.fields, got.errors, x.want)
		}
	}
}
