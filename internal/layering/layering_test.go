package layering

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/rdmacap/rdmacap"

// order is the data flow, from left to right. A package imports only what
// stands before it; a leaf imports nothing of the module.
var order = []string{
	"field",
	"internal/newfile",
	"internal/textfile",
	"filter",
	"dissect/latency",
	"dissect/list",
	"dissect/ring",
	"dissect/span",
	"dissect/xdr",
	"dissect/xdr/slab",
	"dissect/xdr/syntax",
	"dissect/xdr/types",
	"dissect/xdr/walk",
	"dissect/xdr/view",
	"capture/link",
	"capture",
	"capture/pcapng",
	"capture/annotate",
	"capture/extract",
	"capture/keep",
	"capture/device",
	"capture/live",
	"capture/follow",
	"capture/sniffer",
	"rocev2",
	"rocev2/layers",
	"iwarp",
	"iwarp/layers",
	"dissect/stream",
	"dissect/flow",
	"dissect/pause",
	"dissect/shed",
	"dissect/flow/front",
	"dissect/flow/order",
	"dissect/flow/qp",
	"dissect/flow/tcp",
	"dissect/flow/track",
	"dissect/rpcrdma",
	"dissect/rpc",
	"dissect/nfs/numbers",
	"dissect/nfs",
	"dissect",
	"dissect/trail",
	"internal/query",
	"internal/stats",
	"internal/export",
	"internal/export/cut",
	"internal/export/anonymize",
	"report/finding",
	"report/rules/document",
	"report/rules",
	"report/rules/know/memory",
	"report/rules/know/pasts",
	"report/rules/know/setup",
	"report/rules/know/requests",
	"report/rules/know/values",
	"report/rules/know/size",
	"report/rules/hdr",
	"report/rules/ddp",
	"report/rules/credit",
	"report/rules/thresh",
	"report/rules/ulb",
	"report/rules/inv",
	"report/rules/v2",
	"report/rules/xchar",
	"report/rules/cm",
	"report/rules/trans",
	"report/rules/rpcs",
	"report/rules/sec",
	"report/rules/sym",
	"report/rules/catalogue",
	"report/rules/own",
	"report/rules/own/trial",
	"report",
	"report/jsontext",
	"report/listing",
	"report/wanted",
	"report/draft",
	"report/check",
	"report/words",
	"report/exhibit",
	"report/lines",
	"report/rows",
	"report/rows/findings",
	"report/rows/explain",
	"report/rows/machine",
	"report/rows/story",
	"report/record",
	"report/dataset",
	"report/page/visible",
	"report/page/columns",
	"report/page/evidence",
	"report/page/markup",
	"report/page",
	"report/page/inbrowser",
	"report/html/series",
	"report/html/ladder",
	"report/html/rpcrow",
	"report/html",
	"report/watch",
	"report/top/startup",
	"report/top",
	"internal/replay/transport",
	"internal/replay/script",
	"internal/replay/wire",
	"internal/replay/bind",
	"internal/replay/effect",
	"internal/replay/requester",
	"internal/replay/responder",
	"internal/replay/verbatim",
	"internal/replay/verbs",
	"report/metrics/exposition",
	"report/metrics/process",
	"report/metrics",
	"internal/pipeline",
	"internal/pipeline/pages",
	"internal/live",
	"cmd/rdmacap",
	"bench",
	"bench/compare",
	"bench/prometheus",
	"lab/expect",
	"lab/faults",
	"lab/late",
}

// onlyFor are packages with which few may do anything, whatever the order. In report a folder
// stands for those in it too.
var onlyFor = map[string][]string{
	// dissect composes the layers; what comes after takes its results.
	"dissect": {"dissect/trail", "internal/query", "internal/stats", "internal/export", "internal/export/cut", "internal/export/anonymize", "report/rules", "report/exhibit", "report/listing", "report/draft", "report/finding", "report/check", "report/words", "report/rows", "report/record", "report/dataset", "report/html", "report/watch", "report/metrics", "internal/replay/script", "internal/replay/requester", "internal/replay/responder", "internal/replay/verbatim", "internal/pipeline", "internal/live", "cmd/rdmacap"},
	// Judging counts on its own: what it shares with statistics is dissect/latency.
	"internal/stats": {"internal/export", "report/draft", "report/words", "report/rows", "report/record", "report/html", "report/watch", "report/metrics", "cmd/rdmacap"},
	// A form knows no other, and the model knows none.
	"report/rows":          {"report/rows", "cmd/rdmacap"},
	"report/rows/findings": {"cmd/rdmacap"},
	"report/rows/explain":  {"cmd/rdmacap"},
	"report/rows/machine":  {"cmd/rdmacap"},
	"report/lines":         {"report/rows", "cmd/rdmacap"},
	"report/record":        {"report/dataset", "internal/live", "cmd/rdmacap"},
	"report/html":          {"internal/pipeline/pages", "internal/live", "cmd/rdmacap"},
	"report/page":          {"report/html"},
	// It sets the environment until package report/top takes that back.
	"report/top/startup": {"report/top"},
	// Nobody else pays for what it brings.
	"report/metrics":            {"internal/live", "cmd/rdmacap"},
	"report/metrics/exposition": {"report/metrics"},
	"report/metrics/process":    {"report/metrics"},
	// Above flow nothing knows what carries a connection.
	"dissect/flow/front": {"dissect/flow/track", "dissect"},
	"dissect/flow/order": {"dissect/flow/qp", "dissect/flow/tcp"},
	"dissect/flow/qp":    {"dissect/flow/track"},
	"dissect/flow/tcp":   {"dissect/flow/track"},
	"dissect/flow/track": {"dissect"},
	// Nothing but the layers knows their wire formats; report shows a frame's, and
	// some rules are about its transport.
	"capture/link": {"capture", "capture/keep", "capture/live", "capture/sniffer", "internal/replay/verbs", "rocev2", "dissect/flow", "dissect/pause", "dissect/shed", "dissect/flow/front", "dissect/flow/qp", "dissect/flow/tcp", "dissect", "dissect/trail", "internal/query", "internal/export/cut", "internal/export/anonymize", "report/rules", "report/finding", "report/rows", "report/html", "internal/replay/script", "internal/pipeline", "cmd/rdmacap"},
	// It is for other programs: importing gopacket costs milliseconds at start-up.
	"rocev2/layers": {"tests"},
	"iwarp/layers":  {"tests"},
}

// apart are packages that know nothing of others, not even through a third one: what is found
// and who finds it know no form, and no form knows another. A folder stands for those in it too.
var apart = []struct{ from, to []string }{
	{[]string{"report/rules"}, []string{"report/rows", "report/record", "report/html", "report/watch", "report/top", "report/metrics"}},
	{[]string{"report/finding"}, []string{"report/rules", "report/rows", "report/record", "report/html", "report/watch", "report/top", "report/metrics"}},
	{[]string{"report/rows"}, []string{"report/record", "report/html", "report/watch", "report/top", "report/metrics"}},
	{[]string{"report/record"}, []string{"report/rows", "report/html", "report/watch", "report/top", "report/metrics"}},
	{[]string{"report/html"}, []string{"report/rows", "report/record", "report/watch", "report/top", "report/metrics"}},
	{[]string{"report/watch", "report/top", "report/metrics"}, []string{"report/rows", "report/record", "report/html"}},
	{[]string{"report/words"}, []string{"report/rows", "report/record", "report/html", "report/watch", "report/top", "report/metrics"}},
}

// TestModelAndFormsStandApart holds the table above.
func TestModelAndFormsStandApart(t *testing.T) {
	packages := listPackages(t)
	for _, row := range apart {
		looked := 0
		for _, p := range packages {
			from := strings.TrimPrefix(p.ImportPath, module+"/")
			if !inAny(from, row.from) {
				continue
			}
			looked++
			for _, path := range p.Deps {
				if to, ours := strings.CutPrefix(path, module+"/"); ours && inAny(to, row.to) {
					t.Errorf("%s depends on %s: see docs/architecture.md", from, to)
				}
			}
		}
		if looked < len(row.from) {
			t.Errorf("there are %d packages of %v", looked, row.from)
		}
	}
}

// inAny reports whether a package is one of some, or in the folder of one.
func inAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return name == f || strings.HasPrefix(name, f+"/") })
}

type pkg struct {
	ImportPath    string
	Imports, Deps []string
}

func TestImportsFollowTheDataFlow(t *testing.T) {
	rank := make(map[string]int)
	for i, name := range order {
		rank[name] = i
	}
	packages := listPackages(t)
	if len(packages) < len(order) {
		t.Fatalf("go list found %d packages, fewer than the %d of the data flow", len(packages), len(order))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		_, known := rank[name]
		// bench/live sends what tests send, and lab/captures writes their scenes.
		test := !known && strings.HasPrefix(name, "internal/") || name == "bench/live" || name == "lab/captures" || name == "lab/witness"
		if !known && !test {
			t.Errorf("%s has no place in the data flow: add it to the table", name)
			continue
		}
		for _, path := range p.Imports {
			imported, ours := strings.CutPrefix(path, module+"/")
			if !ours {
				continue
			}
			for _, complaint := range complaints(rank, name, imported, test) {
				t.Error(complaint)
			}
		}
	}
}

// complaints says what is wrong with one import.
func complaints(rank map[string]int, from, to string, test bool) (list []string) {
	switch {
	case test:
		return nil // test helpers may use what they test
	case to == "internal/scene" && from == "report/rules/own/trial":
		return nil // users try their rules as we try ours
	case strings.HasPrefix(to, "internal/") && !slices.Contains(order, to):
		return []string{from + " imports " + to + ", which is for tests"}
	case rank[to] >= rank[from]:
		list = append(list, from+" imports "+to+", which stands to its right in the data flow")
	}
	if users, limited := onlyFor[to]; limited {
		allowed := false
		for _, u := range users {
			allowed = allowed || u == from || strings.HasPrefix(u, "report/") && strings.HasPrefix(from, u+"/")
		}
		if !allowed {
			list = append(list, from+" imports "+to+", which is for "+strings.Join(users, ", ")+" only")
		}
	}
	return list
}

// TestTheCheckCanFail shows that an import against the flow is seen.
func TestTheCheckCanFail(t *testing.T) {
	rank := map[string]int{"rocev2": 1, "dissect/flow": 2}
	if len(complaints(rank, "rocev2", "dissect/flow", false)) != 1 {
		t.Error("rocev2 importing dissect/flow was let through")
	}
	if len(complaints(rank, "dissect/flow", "rocev2", false)) != 0 {
		t.Error("dissect/flow importing rocev2 was refused")
	}
	if len(complaints(map[string]int{"rocev2/layers": 1, "report/rows": 2}, "report/rows", "rocev2/layers", false)) != 1 {
		t.Error("report/rows importing the gopacket layers was let through")
	}
	if len(complaints(rank, "rocev2", "internal/build", false)) != 1 {
		t.Error("rocev2 importing a test helper was let through")
	}
}

func listPackages(t *testing.T) (list []pkg) {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
