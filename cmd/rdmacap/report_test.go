package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// reported makes the report of captures, and takes it apart.
func reported(t *testing.T, args ...string) *blocks.Page {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.html")
	r := rdmacap(append([]string{"report", "-q", "-o", out}, args...)...)
	if r.status != exitDone || r.err != "" && !strings.Contains(r.err, "more than --max-size") {
		t.Fatalf("report %q: status %d, standard error %q", args, r.status, r.err)
	}
	return blocks.Read(t, out)
}

// TestReport holds the page of each shipped capture against what check and read tell.
func TestReport(t *testing.T) {
	for _, name := range few() {
		t.Run(name, func(t *testing.T) {
			p := reported(t, sample(name))
			items := p.Evidence(t)
			checkArticles(t, p, name, items)
			checkItems(t, items)
			m := p.Meta(t)
			rpcs := strings.Count(rdmacap("read", "--format", "ndjson", sample(name)).out, `{"type":"rpc",`)
			if m.Totals.RPCs != rpcs || m.Totals.Rows != rpcs || m.Totals.Evidence != len(items) {
				t.Errorf("totals are %+v, want %d RPCs and %d items", m.Totals, rpcs, len(items))
			}
			for _, s := range p.Find("section", "connection") {
				if !strings.HasPrefix(blocks.Attr(s, "id"), "connection-") {
					t.Errorf("a connection has the id %q", blocks.Attr(s, "id"))
				}
			}
			if got := len(p.Find("section", "connection")); got != len(m.Connections) {
				t.Errorf("%d connections in the page, %d in its data", got, len(m.Connections))
			}
		})
	}
}

// checkArticles holds that each finding of check is in the page, with evidence.
func checkArticles(t *testing.T, p *blocks.Page, name string, items []blocks.Evidence) {
	t.Helper()
	want := make(map[string]int)
	for line := range strings.Lines(rdmacap("check", "--format", "ndjson", sample(name)).out) {
		var f struct{ Type, Rule, Severity, Message string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Type == "finding" {
			want[f.Severity+" "+f.Rule]++
		}
	}
	last, times := 0, 1
	for _, a := range p.Find("article", "finding") {
		if !blocks.HasClass(a, "effect") {
			times = 1 + moreOf(t, a) // and so often what it explains
		}
		severity := ""
		for _, s := range []string{"error", "warning", "note"} {
			if blocks.HasClass(a, s) {
				severity = s
			}
		}
		want[severity+" "+blocks.Attr(a, "data-rule")] -= times
		number, _ := strconv.Atoi(strings.TrimPrefix(blocks.Attr(a, "id"), "finding-"))
		if last++; number != last {
			t.Errorf("finding %d comes as the one of number %d", number, last)
		}
		found := false
		for id := range strings.SplitSeq(blocks.Attr(a, "data-evidence"), ",") {
			n, err := strconv.Atoi(id)
			if err != nil || n >= len(items) {
				t.Errorf("finding %d has evidence %q of %d items", number, id, len(items))
				continue
			}
			found = true
			if x := items[n]; x.Row < 0 && x.Finding != number {
				t.Errorf("evidence %d is of finding %d, and that of %d", n, x.Finding, number)
			}
		}
		if !found {
			t.Errorf("finding %d (%s) has no evidence", number, blocks.Attr(a, "data-rule"))
		}
	}
	for f, n := range want {
		if n != 0 {
			t.Errorf("%s: %d more in check than in the page", f, n)
		}
	}
}

// moreOf is how many more say the same as a finding of the page at the root.
func moreOf(t *testing.T, a *html.Node) int {
	t.Helper()
	for n := range a.ChildNodes() {
		if !blocks.HasClass(n, "same") {
			continue
		}
		m := regexp.MustCompile(`^Also(?: on)? (\d+) more (?:connection|time)s?:`).FindStringSubmatch(blocks.Text(n))
		if m == nil {
			t.Fatalf("it does not say how many are the same: %q", blocks.Text(n))
		}
		more, _ := strconv.Atoi(m[1])
		return more
	}
	return 0
}

// TestReportMerges holds that findings that say the same on several connections are one, with links to where the others
// are, and that the first is the one of which the verdict speaks first.
func TestReportMerges(t *testing.T) {
	for name, want := range map[string]struct {
		rule string
		more int
		link string // of a place of the others
		says string // the verdict
	}{
		"rxe-krb":   {"RPC-005", 8, "#frame-758", "RPC-005"},
		"siw-basic": {"TRANS-013b", 3, "#frame-1504", "Nothing shows that the network lost any"},
		"rxe-loss":  {"TRANS-001", 0, "", "lost frames"},
	} {
		p := reported(t, sample(name))
		first := p.Find("article", "finding")[0]
		verdict := blocks.Text(p.Find("p", "verdict")[0])
		if rule := blocks.Attr(first, "data-rule"); rule != want.rule || moreOf(t, first) != want.more {
			t.Errorf("%s: the first finding is of %s, with %d more; want %s, %d", name, rule, moreOf(t, first), want.rule, want.more)
		}
		if !strings.Contains(verdict, want.says) {
			t.Errorf("%s: the verdict does not say %q: %s", name, want.says, verdict)
		}
		if want.link == "" {
			continue
		}
		links, same := 0, false
		for _, at := range p.Find("span", "at") {
			for a := range at.ChildNodes() {
				links++
				same = same || blocks.Attr(a, "href") == want.link
			}
		}
		if links < 2*want.more || !same {
			t.Errorf("%s: no link to %s among %d", name, want.link, links)
		}
	}
}

// TestReportMarksFaults holds that the bytes that check names are those marked, and
// that a step of a ladder names the rules whose findings are about its frame.
func TestReportMarksFaults(t *testing.T) {
	for _, name := range []string{"version2-roce", "version2-iwarp"} {
		items := reported(t, sample(name)).Evidence(t)
		marked := make(map[string]bool)
		for _, x := range items {
			for _, e := range x.Exhibits {
				if e.Part == 1 {
					continue // its bytes are counted from where the message begins
				}
				for _, b := range e.Bad {
					marked[fmt.Sprintf("%d:%d+%d", e.F, b[0], b[1]-b[0])] = true
				}
			}
		}
		named := 0
		about := make(map[int][]string)
		for line := range strings.Lines(rdmacap("check", "--format", "ndjson", sample(name)).out) {
			var f struct {
				Type, Rule string
				Frame      int
				Bytes      []struct{ Frame, Offset, Length int }
			}
			if !strings.HasPrefix(line, `{"type":"finding"`) {
				continue
			}
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			about[f.Frame] = append(about[f.Frame], f.Rule)
			for _, b := range f.Bytes {
				if b.Frame != f.Frame {
					about[b.Frame] = append(about[b.Frame], f.Rule)
					continue // of the second frame there may be none
				}
				if named++; !marked[fmt.Sprintf("%d:%d+%d", b.Frame, b.Offset, b.Length)] {
					t.Errorf("%s: %s: bytes %+v are not marked", name, f.Rule, b)
				}
			}
		}
		if named == 0 {
			t.Errorf("%s: no finding names bytes", name)
		}
		steps := 0
		for _, x := range items {
			if x.Ladder == nil {
				continue
			}
			for _, s := range x.Ladder.Steps {
				if s.Bad == "" {
					continue
				}
				steps++
				for rule := range strings.SplitSeq(s.Bad, ", ") {
					if !slices.Contains(about[s.F], rule) {
						t.Errorf("%s: %s: frame %d names %s; findings about it are of %v", name, x.Title, s.F, rule, about[s.F])
					}
				}
			}
		}
		if steps == 0 {
			t.Errorf("%s: no step names a rule", name)
		}
	}
}
