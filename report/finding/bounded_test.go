package finding

import (
	"strings"
	"testing"
)

// TestVerdictIsBounded holds that what a verdict keeps does not grow with the findings.
func TestVerdictIsBounded(t *testing.T) {
	var v Verdict
	var o Overview
	r := &Rule{ID: "T-001", Title: "a test"}
	for i := range 10_000 {
		f := &Finding{Rule: r, Severity: Warning, Message: "m", Count: 1, Time: int64(i + 1)}
		v.Add(nil, []*Finding{f})
		o.Add(f)
	}
	if len(v.cases) != 1 || len(o.Rows()) != 1 || o.Rows()[0].Count != 10_000 || o.Rows()[0].FirstTime != 1 {
		t.Errorf("%d cases, %d rows: %+v", len(v.cases), len(o.Rows()), o.Rows()[0])
	}
}

// TestRankOfNotes holds that a note of how an implementation is stands below whatever
// somebody felt.
func TestRankOfNotes(t *testing.T) {
	at := func(id string, s Severity) int {
		return rankOf(s, tierOf(&Rule{ID: strings.TrimRight(id, "abcdefg")}, id, s))
	}
	for _, below := range []string{"INV-001b", "THRESH-008a", "TRANS-011e", "SEC-002"} {
		for _, above := range []string{"RPC-007", "CM-007", "SYM-010", "TRANS-001"} {
			if at(below, Note) >= at(above, Note) {
				t.Errorf("a note of %s is not below one of %s", below, above)
			}
		}
	}
	if at("RPC-007", Note) >= at("TRANS-002", Warning) || at("TRANS-002", Warning) >= at("RPC-001", Warning) ||
		at("RPC-001", Warning) >= at("HDR-004", Error) {
		t.Error("severities and symptoms do not follow each other")
	}
}
