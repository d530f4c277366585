package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/build"
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
			T, F, N, D, C, Bad int
			K, X, M, O         string
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

// TestReportMarksFaults holds that the octets that check names are those marked.
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
			for _, b := range f.Bytes {
				if b.Frame != f.Frame {
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
	}
}

// hostile are names that a stranger may give a file.
var hostile = []string{
	`<img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`, `--><!--<script>`, "'\"><svg/onload=alert(1)>",
	"photo\u202egpj.exe", "zero\u200bwidth\ufeff", "\x1b[31mred\x00\x07", "{{.}}${1}`x`", "]]>\u2028\u2029", "javascript:alert(1)",
}

// hostileCapture has them as names of files, of machines, in a comment, and as its own
// name.
func hostileCapture(t *testing.T) string {
	t.Helper()
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for i, name := range hostile {
		const lookup = 3
		padded := name + strings.Repeat("\x00", -len(name)&3)
		args := append([]byte{0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 0, byte(len(name))}, padded...)
		call := build.RPCCall{XID: uint32(i + 1), Program: build.ProgramNFS, Version: 3, Procedure: lookup, Cred: build.AuthSys(name, 0, 0), Args: args}
		x := c.Call(build.Message{Octets: call.Octets()})
		c.Reply(x, build.NFS3ReadFailed(uint32(i+1), 2))
	}
	c.Disconnect()
	path := filepath.Join(t.TempDir(), `<img src=x onerror=alert(1)>&"'.pcap`)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := build.WritePcap(f, c.Frames); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReportOfStrangers holds that nothing in a capture, its name or the title becomes
// an element, an attribute or a script: the elements and attributes of the page are
// those of its template.
func TestReportOfStrangers(t *testing.T) {
	path := hostileCapture(t)
	p := reported(t, path, "--title", hostile[1]+hostile[4])
	elements := strings.Fields("html head meta title style body header main footer section nav h1 h2 h3 p a span b table caption thead tbody tr th td div dl dt dd ul li article code script noscript")
	attributes := strings.Fields("lang charset http-equiv content name class id href aria-label aria-labelledby aria-hidden scope type data-kind data-first data-count data-rule data-evidence data-connection")
	for n := range p.Root.Descendants() {
		if n.Type != 3 { // an element
			continue
		}
		if !slices.Contains(elements, n.Data) {
			t.Errorf("there is an element %q", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attributes, a.Key) || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s> has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	scripts := 0
	for _, s := range p.Find("script", "") {
		if blocks.Attr(s, "type") == "" {
			scripts++
		}
	}
	if scripts != 1 {
		t.Errorf("there are %d scripts", scripts)
	}
	if title := blocks.Text(p.Find("title", "")[0]); title != `</script><script>alert(1)</script>photo\u202egpj.exe` {
		t.Errorf("the title is %q", title)
	}
	if files := blocks.Text(p.Find("span", "file")[0]); files != path {
		t.Errorf("the file is %q, want %q", files, path)
	}
	words := blocks.Text(p.Root)
	data := ""
	for _, b := range p.Blocks {
		data += string(b.JSON)
	}
	hidden := regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x{7f}-\x{9f}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)
	for _, s := range []string{words, data} {
		if at := hidden.FindStringIndex(s); at != nil {
			t.Errorf("there is a character that is not seen: %q", s[max(0, at[0]-40):min(len(s), at[1]+40)])
		}
	}
	for _, want := range []string{`onerror=alert(1)`, `photo\\u202egpj.exe`, `zero\\u200bwidth`} {
		if !strings.Contains(data, want) {
			t.Errorf("the data do not have %q", want)
		}
	}
}

// TestReportOutput holds where the page goes, and that nothing else is left behind.
func TestReportOutput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.html")
	if err := os.WriteFile(out, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	r := rdmacap("report", sample("rxe-cb"), "-o", out)
	if r.status != exitDone || r.err != "" || !regexp.MustCompile(`^\S+out\.html: \d+\.\d MB, .*note`).MatchString(r.out) || strings.Count(r.out, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	pageOf(t, out)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v (%v), want the page alone", left, err)
	}
	standard := rdmacap("report", sample("rxe-cb"), "-o", "-")
	if standard.status != exitDone || !strings.HasPrefix(standard.out, "<!doctype html>") || !strings.HasSuffix(standard.out, "</html>\n") {
		t.Errorf("standard output begins with %.40q, status %d", standard.out, standard.status)
	}
	link := filepath.Join(dir, "link.html")
	if err := os.Symlink("out.html", link); err == nil {
		must(t, "report", "-q", sample("rxe-cb"), "-o", link)
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link became %v (%v)", info, err)
		}
	}
}

// TestReportMisuse holds what is said of command lines that cannot be used.
func TestReportMisuse(t *testing.T) {
	dir := t.TempDir()
	capture := filepath.Join(dir, "trace.pcap")
	if err := os.WriteFile(capture, unpacked(t, "rxe-cb"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.html")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{capture}, "report needs -o OUT.html"},
		{[]string{"-o", out}, "report needs a capture file"},
		{[]string{capture, "-o", capture}, "is one of the captures"},
		{[]string{capture, "-o", dir}, "is a directory"},
		{[]string{capture, "-o", filepath.Join(dir, "none", "x.html")}, "no such file"},
		{[]string{capture, "-o", out, "--max-size", "20"}, ""},
		{[]string{capture, "-o", out, "--max-size", "20XB"}, "--max-size: XB is not a unit of sizes"},
		{[]string{capture, "-o", out, "--max-size", "much"}, "--max-size: it is a number of octets"},
		{[]string{capture, "-o", out, "--max-size", "-1"}, "--max-size: -1 is below 0"},
		{[]string{capture, "-o", out, "--rules", "XYZ"}, "--rules:"},
		{[]string{filepath.Join(dir, "none.pcap"), "-o", filepath.Join(dir, "never.html")}, "none.pcap"},
	} {
		r := rdmacap(append([]string{"report"}, c.args...)...)
		if c.want == "" {
			if r.status != exitDone {
				t.Errorf("%v: %+v", c.args, r)
			}
			continue
		}
		if r.status != exitUnusable || !strings.Contains(r.err, c.want) || r.out != "" {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "never.html")); err == nil {
		t.Error("a page was made of no capture")
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 {
		t.Errorf("the folder has %v, want the capture and a page", left)
	}
}

// TestReportOfDamage holds that what can be read of a damaged capture is in the page,
// which says what is missing.
func TestReportOfDamage(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	path := filepath.Join(t.TempDir(), "cut.pcap")
	if err := os.WriteFile(path, whole[:len(whole)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.html")
	r := rdmacap("report", "-q", path, "-o", out)
	if r.status != exitDone || !strings.Contains(r.err, "warning: ") {
		t.Errorf("%+v", r)
	}
	p := pageOf(t, out)
	if m := metaOf(t, p); m.Totals.Rows == 0 {
		t.Errorf("no rows: %+v", m.Totals)
	}
	if text := blocks.Text(p.Root); !strings.Contains(text, "Not all could be read") {
		t.Error("the page does not say that the capture is cut")
	}
}

// TestReportOfSeveral holds that with several captures frames have their file.
func TestReportOfSeveral(t *testing.T) {
	p := reported(t, sample("rxe-cb"), sample("siw-cb"))
	for _, a := range p.Find("a", "") {
		href := blocks.Attr(a, "href")
		if strings.HasPrefix(href, "#frame-") && !regexp.MustCompile(`^#frame-[01]\.\d+$`).MatchString(href) {
			t.Errorf("a frame is %s", href)
		}
	}
	for _, b := range p.Of("rows") {
		var r struct{ Columns map[string]any }
		if err := b.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Columns["file"] == nil || r.Columns["reply_file"] == nil {
			t.Error("rows have no file")
		}
	}
	if m := metaOf(t, p); len(m.Files) != 2 {
		t.Errorf("the files are %q", m.Files)
	}
}

// TestReportIsReproducible holds that the same capture makes the same page.
func TestReportIsReproducible(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1795225110")
	first := must(t, "report", sample("rxe-cb"), "-o", "-")
	if again := must(t, "report", sample("rxe-cb"), "-o", "-"); again != first {
		t.Error("it made two pages")
	}
	if !strings.Contains(first, "2026-11-21T01:38:30Z") {
		t.Error("the page does not have the time")
	}
}
