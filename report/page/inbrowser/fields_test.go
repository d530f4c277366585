package inbrowser

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/query"
)

// rpcSink receives RPCs.
type rpcSink func(r *dissect.RPC)

func (f rpcSink) RPC(r *dissect.RPC)                   { f(r) }
func (f rpcSink) Connection(*dissect.Connection, bool) {}
func (f rpcSink) Frame(*dissect.FrameView)             {}
func (f rpcSink) Message(*dissect.Message)             {}

// eachRPC reports the RPCs of a capture, whose bodies report the fields with these
// keys.
func eachRPC(t *testing.T, path string, keys []string, do func(r *dissect.RPC)) {
	t.Helper()
	bindings, err := dissect.NewBindings()
	if err == nil {
		err = bindings.Ask(keys...)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := capture.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := dissect.New(rpcSink(do), dissect.Options{Bindings: bindings})
	if _, err := d.Run(f, func(bool) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d.Flush()
}

// listed are the fields of the page that are lists, with the least, the greatest and
// some other value that a capture has of each, as a filter writes them.
func listed(t *testing.T, sets *query.Sets, path string) map[string][]string {
	t.Helper()
	names := []string{"nfs.name", "nfs.fh", "nfs.fh.hash", "nfs.offset", "nfs.count", "nfs.stateid", "nfs.stateid.hash", "nfs.stateid.seqid"}
	arguments := sets.Arguments(names...)
	others := []string{"frame.number", "frame.file", "rpc.call_frame", "rpc.reply_frame", "rdma.handle"}
	var texts []string
	number := func(data []byte) uint64 {
		if i := slices.Index(texts, string(data)); i >= 0 {
			return uint64(i)
		}
		texts = append(texts, string(data))
		return uint64(len(texts) - 1)
	}
	all := make(map[string][]uint64)
	values := slices.Repeat([]filter.Numbers{{Text: number}}, len(names))
	eachRPC(t, path, arguments.Keys(), func(r *dissect.RPC) {
		arguments.List(r, values)
		for i, name := range names {
			all[name] = append(all[name], values[i].List...)
		}
		for _, name := range others {
			sets.Numbers(name)(r, &values[0])
			all[name] = append(all[name], values[0].List...)
		}
	})
	literals := make(map[string][]string)
	for name, list := range all {
		slices.Sort(list)
		if list = slices.Compact(list); len(list) == 0 {
			continue
		}
		for _, v := range slices.Compact([]uint64{list[0], list[len(list)/2], list[len(list)-1]}) {
			word := fmt.Sprint(v)
			switch name {
			case "nfs.name":
				word = fmt.Sprintf("%q", texts[v])
			case "nfs.fh", "nfs.stateid":
				word = strings.TrimRight(strings.ReplaceAll(fmt.Sprintf("% x", texts[v]), " ", ":"), ":")
			}
			literals[name] = append(literals[name], word)
		}
	}
	return literals
}

// questions are expressions with every operator that a field has, about values that
// there are.
func questions(name string, literals []string) (list []string) {
	add := func(format string, a ...any) { list = append(list, fmt.Sprintf(format, a...)) }
	add("%s", name)
	add("not %s", name)
	last := literals[len(literals)-1]
	for _, v := range literals {
		for _, op := range []string{"==", "!=", "===", "!==", "<", "<=", ">", ">="} {
			add("%s %s %s", name, op, v)
		}
		add("%s in {%s}", name, v)
		add("all %s > %s and nfs.op", name, v)
	}
	add("any %s != %s", name, last)
	add("%s not in {%s}", name, strings.Join(literals, ", "))
	switch name {
	case "nfs.name":
		text := strings.Trim(last, `"`)
		add("%s contains %q", name, text[len(text)/2:])
		add("%s matches '^%c'", name, text[0])
		add(`%s matches "[0-9.]$"`, name)
		add("%s ~ '(?-i)[A-Z]'", name)
	case "nfs.fh", "nfs.stateid":
		data, _ := hex.DecodeString(strings.ReplaceAll(last, ":", ""))
		end := data[len(data)-3:]
		add("%s contains %02x:%02x:%02x", name, end[0], end[1], end[2])
	default:
		least, greatest := literals[0], last
		add("%s in {%s..%s}", name, least, greatest)
		add("%s in {0..%s, 7, 0x1000..64KiB}", name, least)
		middle, _ := strconv.ParseUint(literals[len(literals)/2], 10, 64)
		add("all %s in {%s..%d, %s}", name, least, middle, greatest)
		for v := middle + 1; name == "frame.number" && v < middle+20; v++ {
			add("%s == %d", name, v)
		}
	}
	return list
}

// keptRows are how many rows a filter keeps, with the XIDs of the first of them.
type keptRows struct {
	Count int
	XIDs  []string
}

// browserFields holds each field of arguments, results and frames to what read
// keeps, RPC by RPC, with every operator that it has.
func browserFields(t *testing.T, b *browser.Browser) {
	sets, err := query.NewSets()
	if err != nil {
		t.Fatal(err)
	}
	asked := make(map[string]bool)
	p := b.Page(t)
	for _, name := range long.Pick([]string{"rxe-cb"}, []string{"rxe-basic", "siw-basic", "rxe-acl", "rxe-cb", "version2-roce", "rxe-krb"}) {
		path := sample(name)
		var exprs, keys []string
		literals := listed(t, sets, path)
		for field, words := range literals {
			asked[field] = true
			exprs = append(exprs, questions(field, words)...)
		}
		slices.Sort(exprs)
		var queries []*query.Query
		for _, expr := range exprs {
			q, err := sets.Compile(query.RPCs, expr)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			queries = append(queries, q)
			keys = append(keys, q.Keys()...)
		}
		want := make([][]string, len(exprs))
		eachRPC(t, path, keys, func(r *dissect.RPC) {
			for i, q := range queries {
				if q.RPC(r) {
					want[i] = append(want[i], fmt.Sprintf("0x%08x", r.XID))
				}
			}
		})
		visit(p, reportIn(t, path), "#rpcs")
		tall(p)
		var got []keptRows
		for some := range slices.Chunk(exprs, 20) {
			var kept []keptRows
			p.Eval(&kept, browser.JS(some)+`.map((expr) => {
				const grid = document.querySelector(".rpc-grid"), input = document.querySelector("#rpc-filter");
				input.value = expr;
				input.form.requestSubmit();
				const error = document.querySelector(".rpc-error:not([hidden])");
				if (error) return { xids: [error.textContent] };
				const rows = [...grid.querySelectorAll(".rpc-row:not([hidden])")];
				rows.sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"));
				return { count: grid.getAttribute("aria-rowcount") - 1, xids: rows.map((row) => row.querySelector(".c-xid").textContent) };
			})`)
			got = append(got, kept...)
		}
		some := 0
		for i, expr := range exprs {
			if len(want[i]) > 0 {
				some++
			}
			g, w := got[i], want[i]
			if g.Count != len(w) || len(g.XIDs) < min(len(w), 100) || !slices.Equal(g.XIDs, w[:min(len(w), len(g.XIDs))]) {
				t.Errorf("%s, %q: the page keeps %d, read keeps %d: %.200v and %.200v", name, expr, g.Count, len(w), g.XIDs, w)
			}
		}
		t.Logf("%s: %d expressions, %d of which keep something", name, len(exprs), some)
	}
	if len(asked) < long.Pick(5, 11) {
		t.Errorf("only %v were asked for", asked)
	}
}

// browserFilterFiles holds the page of several captures, whose frames have the same numbers,
// to read.
func browserFilterFiles(t *testing.T, b *browser.Browser) {
	captures := []string{sample("rxe-cb"), sample("siw-cb")}
	count := func(expr string) int {
		return strings.Count(must(t, append([]string{"read", "-q", "--format", "ndjson", "-Y", expr}, captures...)...), `{"type":"rpc"`)
	}
	p := opened(t, b, reportIn(t, captures...), "#rpcs")
	all := count("")
	for _, expr := range []string{"frame.file == 1", "frame.file != 1 and rpc.complete", "all frame.file < 1", "frame.file == 0 and frame.number in {100..150}", "frame.number == 120"} {
		want := count(expr)
		filterBy(p, expr)
		if got := p.Text(said); want == 0 || want == all || got != fmt.Sprintf("%d of %d RPCs", want, all) {
			t.Errorf("%q: %s, want %d of %d", expr, got, want, all)
		}
	}
}
