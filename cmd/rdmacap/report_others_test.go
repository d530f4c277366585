package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReportNamesCalls holds that Sends in ladders say which call they are or answer, and its procedure.
func TestReportNamesCalls(t *testing.T) {
	named := regexp.MustCompile(`^Send.*, (call|reply) 0x[0-9a-f]{8} NFS(ACL)?3 [A-Z]+, `)
	own, others := 0, 0
	for _, e := range reported(t, sample("rxe-loss")).Evidence(t) {
		if e.Ladder == nil {
			continue
		}
		for _, s := range e.Ladder.Steps {
			switch {
			case !strings.Contains(s.X, ", call ") && !strings.Contains(s.X, ", reply "):
			case !named.MatchString(s.X):
				t.Errorf("%s, frame %d: %q has no name", e.Title, s.F, s.X)
			case s.M == "":
				others++
			default:
				own++
			}
		}
	}
	if own < 30 || others == 0 {
		t.Errorf("%d steps name the RPC of their ladder, %d another", own, others)
	}
}

// TestReportMarksOthers holds that what a ladder says to be of another RPC is, and is no part of its own.
func TestReportMarksOthers(t *testing.T) {
	parts := make(map[string]map[int]bool)
	of := func(xid string) map[int]bool {
		if parts[xid] == nil {
			parts[xid] = partsOf(t, xid)
		}
		return parts[xid]
	}
	marked := 0
	for _, e := range reported(t, sample("rxe-loss")).Evidence(t) {
		if e.Ladder == nil {
			continue
		}
		_, own, ofRPC := strings.Cut(e.Title, ", RPC ")
		for _, s := range e.Ladder.Steps {
			if s.Of == nil {
				continue
			}
			marked++
			own, _, _ := strings.Cut(own, ",")
			if other := fmt.Sprintf("%#010x", *s.Of); !ofRPC || e.Row < 0 || !of(other)[s.F] || of(own)[s.F] {
				t.Errorf("%s: frame %d is marked as one of %s", e.Title, s.F, other)
			}
		}
	}
	if marked < 500 {
		t.Errorf("%d steps are marked as those of others", marked)
	}
}

// partsOf are the frames of rxe-loss that `read` says to have a part in an RPC.
func partsOf(t *testing.T, xid string) map[int]bool {
	t.Helper()
	all := make(map[int]bool)
	for line := range strings.Lines(must(t, "read", "-q", "--level", "frame", "--format", "csv", "--columns", "frame.number", "-Y", "rpc.xid == "+xid, sample("rxe-loss"))) {
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			all[n] = true
		}
	}
	if len(all) == 0 {
		t.Fatalf("no frame has a part in %s", xid)
	}
	return all
}
