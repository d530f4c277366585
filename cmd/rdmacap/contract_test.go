package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// decode reads one JSON value with its numbers as they stand.
func decode(t *testing.T, s string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200s", err, s)
	}
	if d.More() {
		t.Fatalf("more than one value in %.200s", s)
	}
	return v
}

// TestContract holds every record of every sample, at every level, against the
// tables of records_test.go, and the order of the records against the rules.
func TestContract(t *testing.T) {
	for _, level := range []string{"rpc", "message", "frame"} {
		for _, name := range few() {
			t.Run(level+"/"+name, func(t *testing.T) {
				var o order
				seen := 0
				for line := range strings.Lines(must(t, "read", "--level", level, "--format", "ndjson", sample(name))) {
					r := decode(t, line).(map[string]any)
					checkRecord(t, r)
					o.take(t, r)
					if r["type"] == level {
						seen++
					}
				}
				o.end(t)
				if seen == 0 && !strings.HasSuffix(name, "-perftest") { // which have no RPC
					t.Errorf("no %s in it", level)
				}
			})
		}
	}
}

func checkRecord(t *testing.T, r map[string]any) {
	t.Helper()
	name, _ := r["type"].(string)
	k := records[name]
	if k == nil {
		t.Fatalf("no record has the type %v", r["type"])
	}
	if err := k(r); err != nil {
		t.Fatalf("%s record: %v\n%v", name, err, r)
	}
}

// order follows the records: a connection's first before all that name it, its
// final one once and after them, and the summary last.
type order struct {
	told, ended map[string]bool
	summary     bool
}

func (o *order) take(t *testing.T, r map[string]any) {
	t.Helper()
	if o.told == nil {
		o.told, o.ended = map[string]bool{}, map[string]bool{}
	}
	if o.summary {
		t.Fatalf("a %v record after the summary", r["type"])
	}
	switch r["type"] {
	case "summary":
		o.summary = true
	case "connection":
		id := fmt.Sprint(r["id"])
		if final := r["final"].(bool); final != o.told[id] || o.ended[id] {
			t.Errorf("connection %s: final is %v, told before is %v, ended before is %v", id, final, o.told[id], o.ended[id])
		}
		o.ended[id] = o.told[id]
		o.told[id] = true
	default:
		if c := r["connection"]; c != nil && (!o.told[fmt.Sprint(c)] || o.ended[fmt.Sprint(c)]) {
			t.Errorf("a %v record names connection %v before its record or after its final one", r["type"], c)
		}
	}
}

func (o *order) end(t *testing.T) {
	t.Helper()
	if !o.summary {
		t.Error("no summary")
	}
	for id := range o.told {
		if !o.ended[id] {
			t.Errorf("connection %s has no final record", id)
		}
	}
}

// TestForms holds that json and ndjson are the same records, but for the time
// that reading took.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{}, {"--level", "frame", "-V", "-x"}, {"--level", "message", "-x"}, {"-V"}} {
		form := func(name string) string {
			return must(t, append(append([]string{"read", "--format", name}, flags...), sample(long.Pick("fallback-roce", "rxe-cb")), sample("siw-perftest"))...)
		}
		list, ok := decode(t, form("json")).([]any)
		if !ok {
			t.Fatal("json is no array")
		}
		var lines []any
		for line := range strings.Lines(form("ndjson")) {
			lines = append(lines, decode(t, line))
		}
		for _, l := range [][]any{list, lines} {
			for _, r := range l {
				checkRecord(t, r.(map[string]any))
			}
			delete(l[len(l)-1].(map[string]any), "elapsed_seconds")
		}
		if !reflect.DeepEqual(list, lines) {
			t.Errorf("%v: json has %d records and ndjson %d, or they differ", flags, len(list), len(lines))
		}
	}
}

// TestDetailsInJSON holds that -V gives trees, and -x bytes with them.
func TestDetailsInJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags  []string
		fields bool
		data   bool
	}{
		{[]string{}, false, false},
		{[]string{"-V"}, true, false},
		{[]string{"-x"}, true, true},
		{[]string{"-V", "-x"}, true, true},
	} {
		out := must(t, append(append([]string{"read", "--format", "ndjson", "--level", "frame"}, c.flags...), sample("rxe-cb"))...)
		for line := range strings.Lines(out) {
			r := decode(t, line).(map[string]any)
			if r["type"] != "frame" {
				continue
			}
			details, has := r["details"].([]any)
			if has != c.fields {
				t.Fatalf("%v: details is there: %v", c.flags, has)
			}
			if !has {
				continue
			}
			e := details[0].(map[string]any)
			data, _ := e["octets"].(string)
			if want := fmt.Sprint(len(data) / 2); c.data && want != fmt.Sprint(r["captured"]) || !c.data && data != "" {
				t.Fatalf("%v: frame %v has %v captured bytes and shows %s", c.flags, r["frame"], r["captured"], want)
			}
		}
	}
}

// TestDocumented holds that docs/json.md names every member of every record.
func TestDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, level := range []string{"rpc", "frame"} {
		for _, name := range long.Pick([]string{"rxe-cb", "siw-perftest"}, []string{"rxe-cb", "rxe-krb", "rxe-perftest", "siw-perftest"}) {
			out := must(t, "read", "-x", "--level", level, "--format", "ndjson", sample(name))
			for line := range strings.Lines(out) {
				memberNames(decode(t, line), names)
			}
		}
	}
	if len(names) < 80 {
		t.Errorf("only %d names were found", len(names))
	}
	for name := range names {
		if !regexp.MustCompile("[`\"]" + name + "[`\"]").Match(doc) {
			t.Errorf("docs/json.md does not name %s", name)
		}
	}
}

func memberNames(v any, names map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, v := range v {
			memberNames(v, names)
		}
	case map[string]any:
		for name, v := range v {
			names[name] = true
			memberNames(v, names)
		}
	}
}
