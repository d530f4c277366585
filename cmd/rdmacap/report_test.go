package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// reported makes the report of captures, and takes it apart.
func reported(t *testing.T, args ...string) *blocks.Page {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.html")
	must(t, append([]string{"report", "-q", "-o", out}, args...)...)
	return pageOf(t, out)
}

func pageOf(t *testing.T, path string) *blocks.Page {
	t.Helper()
	octets, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := blocks.Parse(octets)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// evidence is what tests look at of an item.
type evidence struct {
	Row, Finding int
	Title        string
	Ops          []struct{ Op, Status, Detail string }
	Ladder       *struct {
		Steps []struct {
			T, F, N, D, C, Lasted, Hidden int
			K, X, M, O, Bad               string
		}
		Chunks []struct {
			Kind, Label string
			Step        int
		}
		LeftOut int `json:"left_out"`
	}
	Exhibits []struct {
		Title  string
		F      int
		Octets string
		Length int
		Nodes  [][]any
		Bad    [][2]int
	}
}

func evidenceOf(t *testing.T, p *blocks.Page) (all []evidence) {
	t.Helper()
	for _, b := range p.Of("evidence") {
		var list []evidence
		if err := b.Decode(&list); err != nil {
			t.Fatal(err)
		}
		if b.First != len(all) || b.Count != len(list) {
			t.Fatalf("a block has %d items from %d on, and says %d from %d on", len(list), len(all), b.Count, b.First)
		}
		all = append(all, list...)
	}
	return all
}

type pageMeta struct {
	Title, Start, Command string
	Names, Files          []string
	Totals                struct{ RPCs, Rows, Evidence int }
	Fields                []struct{ Name, Kind, Column, Cell string }
	Connections           []struct{ ID int }
}

func metaOf(t *testing.T, p *blocks.Page) (m pageMeta) {
	t.Helper()
	if err := p.Of("meta")[0].Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestReport holds the page of each shipped capture against what check and read tell.
func TestReport(t *testing.T) {
	for _, name := range few(samples) {
		t.Run(name, func(t *testing.T) {
			p := reported(t, sample(name))
			items := evidenceOf(t, p)
			checkArticles(t, p, name, items)
			checkItems(t, items)
			m := metaOf(t, p)
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
func checkArticles(t *testing.T, p *blocks.Page, name string, items []evidence) {
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
	for _, a := range p.Find("article", "finding") {
		severity := ""
		for _, s := range []string{"error", "warning", "note"} {
			if blocks.HasClass(a, s) {
				severity = s
			}
		}
		want[severity+" "+blocks.Attr(a, "data-rule")]--
		number, _ := strconv.Atoi(strings.TrimPrefix(blocks.Attr(a, "id"), "finding-"))
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

// checkItems holds that ladders go forward in time, and that what is at fault lies in
// the octets.
func checkItems(t *testing.T, items []evidence) {
	t.Helper()
	kinds := make(map[string]bool)
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
		for _, e := range x.Exhibits {
			if len(e.Octets)/2 > e.Length || len(e.Octets)%2 != 0 {
				t.Errorf("item %d: %s has %d octets of %d", n, e.Title, len(e.Octets)/2, e.Length)
			}
			for _, b := range e.Bad {
				if b[0] < 0 || b[0] >= b[1] || b[1] > e.Length {
					t.Errorf("item %d: %s has %v at fault, of %d octets", n, e.Title, b, e.Length)
				}
			}
		}
	}
	if !kinds["send"] && len(items) > 3 {
		t.Errorf("no ladder has a Send; there are %v", kinds)
	}
}

// TestReportMarksFaults holds that the octets that check names are those marked, and
// that a step of a ladder names the rules whose findings are about its frame.
func TestReportMarksFaults(t *testing.T) {
	for _, name := range []string{"version2-roce", "version2-iwarp"} {
		items := evidenceOf(t, reported(t, sample(name)))
		marked := make(map[string]bool)
		for _, x := range items {
			for _, e := range x.Exhibits {
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
					t.Errorf("%s: %s: octets %+v are not marked", name, f.Rule, b)
				}
			}
		}
		if named == 0 {
			t.Errorf("%s: no finding names octets", name)
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

// TestReportMemory holds that a ladder names no memory where the packet that would say
// it was lost.
func TestReportMemory(t *testing.T) {
	writes := 0
	for _, e := range evidenceOf(t, reported(t, sample("rxe-loss"))) {
		if e.Ladder == nil {
			continue
		}
		for _, s := range e.Ladder.Steps {
			if s.K == "write" {
				writes++
			}
			if strings.Contains(s.X, "0x00000000, offset 0x0000000000000000") {
				t.Errorf("%s, frame %d: %q", e.Title, s.F, s.X)
			}
		}
	}
	if writes == 0 {
		t.Error("there are no RDMA Writes")
	}
}

// TestReportLadderIsWhole holds that a ladder about no RPC has each frame of its
// connection, as a step, in one, or counted as not shown.
func TestReportLadderIsWhole(t *testing.T) {
	capture := sample("rxe-loss")
	var frames []int // of the one connection
	for line := range strings.Lines(must(t, "read", "-q", "--level", "frame", "--format", "ndjson", capture)) {
		var r struct {
			Type              string
			Frame, Connection int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "frame" && r.Connection == 1 {
			frames = append(frames, r.Frame)
		}
	}
	hidden := 0
	for _, e := range evidenceOf(t, reported(t, capture)) {
		if e.Row >= 0 || e.Ladder == nil {
			continue
		}
		for i, s := range e.Ladder.Steps[1:] {
			before := e.Ladder.Steps[i]
			from, _ := slices.BinarySearch(frames, before.F)
			to, _ := slices.BinarySearch(frames, s.F)
			if to-from != before.N+s.Hidden {
				t.Errorf("%s: %d frames from frame %d to frame %d, %d of them in the step and %d not shown", e.Title, to-from, before.F, s.F, before.N, s.Hidden)
			}
			hidden += s.Hidden
		}
	}
	if hidden == 0 {
		t.Error("no frame is hidden")
	}
}

// TestReportRuns holds that frames are told as one step only where one follows the
// other: a step never has a pause of 10 ms in it.
func TestReportRuns(t *testing.T) {
	capture := sample("rxe-loss")
	times := make(map[int]time.Time)
	for line := range strings.Lines(must(t, "read", "-q", "--level", "frame", "--format", "ndjson", capture)) {
		var r struct {
			Frame int
			Time  time.Time
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		times[r.Frame] = r.Time
	}
	runs := 0
	for _, e := range evidenceOf(t, reported(t, capture)) {
		if e.Ladder == nil {
			continue
		}
		for i, s := range e.Ladder.Steps {
			if s.N == 1 && s.Lasted != 0 || s.Lasted > (s.N-1)*int(10*time.Millisecond) {
				t.Errorf("%s: frame %d and what follows, %d in all, last %d ns", e.Title, s.F, s.N, s.Lasted)
			}
			if s.N > 1 {
				runs++
			}
			if end := times[s.F].Add(time.Duration(s.Lasted)); i+1 < len(e.Ladder.Steps) && end.After(times[e.Ladder.Steps[i+1].F]) {
				t.Errorf("%s: frame %d and what follows end behind the beginning of the next step", e.Title, s.F)
			}
		}
	}
	if runs == 0 {
		t.Error("no step is of several frames")
	}
}

// TestReportVerdict holds that the verdict calls a finding the worst only if no other
// is as bad, says how often it was found, and that findings show the numbers by which
// the table of rules names them.
func TestReportVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"rxe-loss":      "The first of the worst is TRANS-002, retransmission: The server",
		"version2-roce": "The worst is HDR-003b, ",
	} {
		p := reported(t, "--rules", "TRANS,HDR-003", sample(name))
		verdict := blocks.Text(p.Find("p", "verdict")[0])
		if !strings.Contains(verdict, want) {
			t.Errorf("%s: the verdict %q lacks %q", name, verdict, want)
		}
		if often := ", and was found 739 times."; strings.Contains(verdict, often) != (name == "rxe-loss") {
			t.Errorf("%s: the verdict is %q", name, verdict)
		}
		for _, a := range p.Find("article", "finding") {
			id := blocks.Attr(a, "id")
			if heading, _, _ := strings.Cut(strings.TrimSpace(blocks.Text(a)), "\n"); !strings.HasSuffix(heading, strings.ReplaceAll(id, "-", " ")) {
				t.Errorf("%s: the heading of %s is %q", name, id, heading)
			}
		}
	}
}

// TestReportWithoutRoom holds that what had no room is not said to be nothing.
func TestReportWithoutRoom(t *testing.T) {
	words := func(p *blocks.Page) string { return blocks.Text(p.Find("main", "")[0]) }
	small := words(reported(t, "--max-size", "100kB", sample("rxe-acl")))
	for _, want := range []string{"The findings had no room", "The connections had no room", "The list has none of 1859 RPCs", "1 warning, with what it explains, had no room"} {
		if !strings.Contains(small, want) {
			t.Errorf("of what had no room it does not say %q", want)
		}
	}
	for _, never := range []string{"Nothing wrong was found", "No connection was found"} {
		if strings.Contains(small, never) {
			t.Errorf("of what had no room it says %q", never)
		}
	}
	for _, size := range []string{"100kB", "300kB"} {
		p := reported(t, "--max-size", size, sample("rxe-acl"))
		ids := make(map[string]bool)
		for n := range p.Root.Descendants() {
			ids["#"+blocks.Attr(n, "id")] = true
		}
		for _, a := range p.Find("a", "") {
			if to := blocks.Attr(a, "href"); strings.HasPrefix(to, "#finding-") && !ids[to] {
				t.Errorf("of %s a link leads to %s, which is not there", size, to)
			}
		}
	}
	if some := words(reported(t, "--rules", "V2", sample("rxe-acl"))); !strings.Contains(some, "The rules that were chosen found nothing wrong.") {
		t.Error("it does not say that only some rules were asked")
	}
	if none := words(reported(t, sample("rxe-perftest"))); strings.Contains(none, "The rules that were chosen") {
		t.Error("it says that rules were chosen")
	}
}

// TestReportVersion2 holds that what the ends of a connection of version 2 announced are
// facts of their own, and that the sizes of version 1 are not said to hold there.
func TestReportVersion2(t *testing.T) {
	for name, version2 := range map[string]bool{"version2-roce": true, "fallback-roce": false} {
		p := reported(t, sample(name))
		c := blocks.Text(p.Find("section", "connection")[0])
		if strings.Contains(c, `\n`) {
			t.Errorf("%s: it has lines in a line", name)
		}
		if strings.Contains(blocks.Text(p.Find("section", "")[1]), "1 octets") {
			t.Errorf("%s: it says 1 octets", name)
		}
		for _, want := range []string{"Announced by the client", "Announced by the server"} {
			if strings.Contains(c, want) != version2 {
				t.Errorf("%s: whether it says %q is wrong", name, want)
			}
		}
		if !strings.Contains(c, "RPC-over-RDMA version 2 tried") {
			t.Errorf("%s: it does not say how the version was agreed on", name)
		}
		if version2 && strings.Contains(c, "1024 by default") {
			t.Errorf("%s: it says that 1024 octets are the default", name)
		}
	}
}
