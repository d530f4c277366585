package wanted

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/finding"
)

var update = flag.Bool("update", false, "write the list of fields in docs/check.md anew")

// begun is when the captures begin.
var begun = time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC).UnixNano()

func example() *finding.Finding {
	c := &dissect.Connection{Conn: &flow.Conn{ID: 3}}
	c.Ends[0].Addr = link.AddrIPv4([]byte{192, 0, 2, 1})
	c.Ends[1].Addr = link.AddrIPv4([]byte{192, 0, 2, 2})
	return &finding.Finding{
		Rule: &finding.Rule{ID: "TRANS-003", Title: "RNR NAK"}, Letter: "c", Severity: finding.Warning, Connection: c,
		Message: "sent again after 3 ms", XID: 0x1234, HasXID: true, Call: "NFS4 READ",
		Frame: flow.Ref{Number: 7}, Frames: []flow.Ref{{Number: 9}}, Time: begun + 2e9,
		Count: 3, Last: flow.Ref{Number: 12}, LastTime: begun + 5e9,
	}
}

// TestFields holds what is asked of a finding, and of one of the whole capture.
func TestFields(t *testing.T) {
	start := new(query.Start)
	start.Set(begun)
	whole := &finding.Finding{Rule: &finding.Rule{ID: "SYM-006"}, Severity: finding.Note, Doubt: "frames are missing", Count: 1}
	for _, c := range []struct {
		expr        string
		want, whole bool
	}{
		{"", true, true},
		{`finding.rule == "TRANS-003c"`, true, false},
		{`finding.rule == "TRANS-003"`, true, false},
		{`finding.rule == "TRANS"`, true, false},
		{`finding.rule == "SYM-006"`, false, true},
		{"finding.severity >= warning", true, false},
		{"finding.severity == note", false, true},
		{"finding.certain", true, false},
		{`finding.title contains "RNR"`, true, false},
		{`finding.message matches "[0-9]+ ms"`, true, false},
		{"finding.count == 3", true, false},
		{"rpc.xid == 0x1234", true, false},
		{"not rpc.xid", false, true},
		{`rpc.name contains "READ"`, true, false},
		{"frame.number == 7", true, false},
		{"frame.number in {9, 12} and frame.file == 0", true, false},
		{"frame.number == 8", false, false},
		{"frame.time_relative == 2s", true, false},
		{"frame.time_relative > 4s", true, false},
		{`frame.time < "2026-01-31 15:04:08"`, true, false},
		{"connection == 3", true, false},
		{"connection != 3", false, false},
		{"ip.addr == 192.0.2.0/31", true, false},
		{"ip.addr == 198.51.100.1", false, false},
	} {
		has, err := Compile(c.expr, nil, start)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		if has == nil {
			has = func(*finding.Finding) bool { return true }
		}
		if got := has(example()); got != c.want {
			t.Errorf("%s: %v, want %v", c.expr, got, c.want)
		}
		if got := has(whole); got != c.whole {
			t.Errorf("%s, of entire capture: %v, want %v", c.expr, got, c.whole)
		}
	}
	if _, err := Compile("finding.rul == 1", nil, start); err == nil || !strings.Contains(err.Error(), "did you mean finding.rule?") {
		t.Errorf("%v", err)
	}
}

// TestPlace holds that a finding is of a place if its connection is, and if what it is about was
// going on then.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		connections  []int
		since, until string
		want         bool
	}{
		{[]int{3}, "", "", true},
		{[]int{1, 2}, "", "", false},
		{nil, "1", "", true},
		{nil, "3", "", true}, // found again later
		{nil, "5.1", "", false},
		{nil, "", "1.9", false},
		{[]int{3}, "4", "+0.5s", true},
	} {
		start := new(query.Start)
		place, err := query.ParsePlace(c.connections, c.since, c.until, start)
		if err != nil {
			t.Fatal(err)
		}
		start.Set(begun)
		has, err := Compile(`finding.rule == "TRANS"`, place, start)
		if err != nil {
			t.Fatal(err)
		}
		if got := has(example()); got != c.want {
			t.Errorf("%v %q %q: %v, want %v", c.connections, c.since, c.until, got, c.want)
		}
	}
}

// TestDocumentListsTheFields holds that docs/check.md lists them.
func TestDocumentListsTheFields(t *testing.T) {
	const path, begin, end = "../../docs/check.md", "<!-- fields -->\n", "<!-- end of fields -->"
	var list strings.Builder
	list.WriteString("\n| field | values | meaning |\n| --- | --- | --- |\n")
	for _, f := range Fields() {
		values := map[filter.Kind]string{
			filter.String: "text", filter.Uint: "number", filter.Bool: "true, false", filter.Time: "time",
			filter.Duration: "duration", filter.Address: "address", filter.Enum: "`error` `warning` `note`",
		}[f.Kind]
		fmt.Fprintf(&list, "| `%s` | %s | %s |\n", f.Name, values, f.Doc)
	}
	list.WriteString("\n")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	is, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no list of fields", path)
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+list.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if is != list.String() {
		t.Errorf("%s is not what the program has: run go test ./report/wanted -update", path)
	}
}
