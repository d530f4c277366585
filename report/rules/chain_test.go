package rules

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// at is a frame and its time.
func at(n int64) flow.Ref { return flow.Ref{Number: n} }

// TestTie says things of a connection in which frame n comes at n ns, and looks
// which finding explains which.
func TestTie(t *testing.T) {
	cause := &Rule{Rule: finding.Rule{ID: "A-001", Severity: finding.Warning, Cases: []finding.Case{{Letter: "b", Severity: finding.Note}}}}
	effect := &Rule{Rule: finding.Rule{ID: "B-001", Severity: finding.Error, Causes: []string{"A-001"}}}
	picky := &Rule{Rule: finding.Rule{ID: "C-001", Severity: finding.Note, Causes: []string{"A-001b"}}}
	grave := &Rule{Rule: finding.Rule{ID: "D-001", Severity: finding.Warning, Causes: []string{"A-001b"}}}

	wide := &Rule{Rule: finding.Rule{ID: "A-001", Severity: finding.Warning, Wide: true}}

	tests := []struct {
		name   string
		report func(c *Conn, report func(r *Rule) Reporter, frame func(n int64))
		want   bool
	}{
		{"what came before explains", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(1)
			report(cause).Moment("", at(1), 1, nil, "")
			frame(2)
			report(effect).Moment("", at(2), 2, nil, "")
		}, true},
		{"what came behind does not", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(1)
			report(effect).Moment("", at(1), 1, nil, "")
			frame(2)
			report(cause).Moment("", at(2), 2, nil, "")
		}, false},
		{"a call without answer is said at its frame, but later", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			report(cause).Moment("", at(2), 2, nil, "")
			frame(3)
			report(effect).Moment("", at(1), 1, nil, "")
		}, true},
		{"another RPC", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			f := report(cause).Moment("", at(1), 1, nil, "")
			f.XID, f.HasXID = 7, true
			f = report(effect).Moment("", at(2), 2, nil, "")
			f.XID, f.HasXID = 8, true
		}, false},
		{"another RPC, but it is about the connection", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			f := report(wide).Moment("", at(1), 1, nil, "")
			f.XID, f.HasXID = 7, true
			f = report(effect).Moment("", at(2), 2, nil, "")
			f.XID, f.HasXID = 8, true
		}, true},
		{"another RPC, of which the first is meant too", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			f := report(cause).Moment("", at(1), 1, nil, "")
			f.XID, f.HasXID = 7, true
			f = report(effect).Moment("", at(2), 2, nil, "")
			f.XID, f.HasXID = 8, true
			f.Also(7)
		}, true},
		{"it was said again, nobody knows of which RPC", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			f := report(cause).Moment("", at(1), 1, nil, "")
			f.XID, f.HasXID = 7, true
			f.With(at(1))
			report(cause).Moment("", at(2), 2, nil, "")
			f = report(effect).Moment("", at(2), 2, nil, "")
			f.XID, f.HasXID = 8, true
		}, false},
		{"a note explains nothing graver", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			report(cause).Moment("b", at(1), 1, nil, "")
			report(grave).Moment("", at(2), 2, nil, "")
		}, false},
		{"what came before the call of the RPC", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(4)
			report(cause).Moment("", at(1), 1, nil, "")
			f := report(effect).Moment("", at(4), 4, nil, "")
			f.XID, f.HasXID, f.since = 8, true, at(2)
		}, false},
		{"what came behind, but the cause was found again", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			report(effect).Moment("", at(1), 1, nil, "").Messagef("first")
			frame(4)
			report(cause).Moment("", at(3), 3, nil, "")
			report(effect).Moment("", at(4), 4, nil, "")
		}, false},
		{"what came until it was said, but it was there at once", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(3)
			report(cause).Moment("", at(3), 3, nil, "")
			frame(4)
			report(effect).Moment("", at(2), 2, nil, "").AtOnce()
		}, false},
		{"another case than the one that explains", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			report(cause).Moment("", at(1), 1, nil, "")
			report(picky).Moment("", at(2), 2, nil, "")
		}, false},
		{"the case that explains", func(_ *Conn, report func(*Rule) Reporter, frame func(int64)) {
			frame(2)
			report(cause).Moment("b", at(1), 1, nil, "")
			report(picky).Moment("", at(2), 2, nil, "")
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newConn(new(Capture), &dissect.Connection{Conn: &flow.Conn{}}, nil)
			test.report(c, func(r *Rule) Reporter { return Reporter{state: &c.reportState, rule: r} }, func(n int64) {
				c.Last, c.LastTime = at(n), n
			})
			list := c.findings.list
			tie(list)
			if len(list) != 2 {
				t.Fatalf("%d findings", len(list))
			}
			for _, f := range list {
				if tied := f.Cause != nil; tied != (test.want && len(f.Rule.Causes) > 0) {
					t.Errorf("%s has a cause: %v", f.ID(), tied)
				}
			}
		})
	}
}
