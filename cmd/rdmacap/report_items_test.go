package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// checkItems holds that ladders go forward in time, and that what is at fault lies in
// the bytes.
func checkItems(t *testing.T, items []blocks.Evidence) {
	t.Helper()
	kinds := make(map[string]bool)
	brought, parts := regexp.MustCompile(`^(?:Call|Reply), .* bytes? in frame (\d+)`), 0
	for n, x := range items {
		if x.Ladder == nil && len(x.Exhibits) == 0 {
			t.Errorf("item %d, %s, is empty", n, x.Title)
		}
		if x.Ladder != nil {
			messages := ""
			for i, s := range x.Ladder.Steps {
				kinds[s.K] = true
				messages += s.M + " "
				if s.X == "" || s.N < 1 || s.C >= len(x.Ladder.Chunks) || i > 0 && s.T < x.Ladder.Steps[i-1].T-10e6 {
					t.Errorf("item %d: step %d is %+v", n, i, s)
				}
			}
			if x.Row >= 0 && x.Ladder.LeftOut == 0 && !strings.Contains(messages, "call") && !strings.Contains(messages, "reply") {
				t.Errorf("item %d, %s, has neither call nor reply: %+v", n, x.Title, x.Ladder.Steps)
			}
		}
		checkChunks(t, x)
		for _, e := range x.Exhibits {
			// Links to frames find those of one frame.
			m := brought.FindStringSubmatch(e.Title)
			if frame := fmt.Sprint(e.F); m != nil && (frame != m[1] || e.Part != 1) || m == nil && e.Part == 1 {
				t.Errorf("item %d: %s is of frame %d, part %d", n, e.Title, e.F, e.Part)
			} else if m != nil {
				parts++
			}
			if len(e.Bytes)/2 > e.Length || len(e.Bytes)%2 != 0 {
				t.Errorf("item %d: %s has %d bytes of %d", n, e.Title, len(e.Bytes)/2, e.Length)
			}
			for _, b := range e.Bad {
				if b[0] < 0 || b[0] >= b[1] || b[1] > e.Length {
					t.Errorf("item %d: %s has %v at fault, of %d bytes", n, e.Title, b, e.Length)
				}
			}
		}
	}
	if parts == 0 && slices.ContainsFunc(items, func(x blocks.Evidence) bool { return x.Row >= 0 }) {
		t.Error("no exhibit is of the message of one frame")
	}
	if !kinds["send"] && len(items) > 3 {
		t.Errorf("no ladder has a Send; there are %v", kinds)
	}
}

// checkChunks holds that chunks are called the same in the ladder, in the account of
// them and in the call's header, whose Write chunks are counted from 1.
func checkChunks(t *testing.T, x blocks.Evidence) {
	t.Helper()
	if x.Ladder == nil {
		return
	}
	var accounted []string
	for _, e := range x.Exhibits {
		if strings.HasPrefix(e.Title, "Chunks that the call advertised") {
			for _, n := range e.Nodes {
				accounted = append(accounted, n[0].(string))
			}
		}
	}
	tree := fmt.Sprint(x.Exhibits)
	for i, c := range x.Ladder.Chunks {
		if i >= len(accounted) || c.Label != accounted[i] {
			t.Errorf("%s: the ladder has %+v, the account of chunks %q", x.Title, x.Ladder.Chunks, accounted)
			return
		}
		if c.Kind == "write" && (c.Label == "Write chunk 0" || !regexp.MustCompile(regexp.QuoteMeta("["+c.Label)+` \d+ segments?, `).MatchString(tree)) {
			t.Errorf("%s: the ladder has %s, and the header of the call does not", x.Title, c.Label)
		}
	}
}
