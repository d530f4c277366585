package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// sarifSchema is the official JSON schema of SARIF 2.1.0, errata 01, which the
// module go-sarif carries as a constant. Its source is read: to import it would compile
// an HTTP client.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err = strconv.Unquote(l.Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	const id = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if !strings.Contains(text, `"id": "`+id+`"`) {
		t.Fatalf("this is not the schema: %.200s", text)
	}
	schema, err := jsonschema.CompileString(id, text)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// against is what a schema has to say against a log, nil if nothing.
func against(t *testing.T, schema *jsonschema.Schema, log string) error {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(log))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, log)
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("%#v", err) // each fault with its place
	}
	return nil
}

// TestSARIF holds logs against the schema: with findings and without, of several
// captures, of one that is cut, and of standard input.
func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	cut := write(t, "a cut#capture.pcap", unpacked(t, "rxe-cb")[:30000])
	for name, args := range map[string][]string{
		"one":     {sample("rxe-cb")},
		"two":     {sample("rxe-cb"), sample("siw-cb")},
		"nothing": {"--rules", "CROW-001", sample("rxe-perftest")},
		"cut":     {cut, "no such file"},
		"late":    {write(t, "late.pcap", later(t, "rxe-cb", 60))},
	} {
		t.Run(name, func(t *testing.T) {
			r := straw(append([]string{"check", "--format", "sarif"}, args...)...)
			if err := against(t, schema, r.out); err != nil {
				t.Error(err)
			}
			log := readSARIF(t, r.out)
			run := log.Runs[0]
			fired := map[string]int{}
			for i, one := range run.Results {
				fired[one.RuleID] = 1
				if got := run.Tool.Driver.Rules[one.RuleIndex].ID; got != one.RuleID {
					t.Errorf("result %d is of the rule %s, and its index of %s", i, one.RuleID, got)
				}
			}
			listed := map[string]int{}
			for _, r := range run.Tool.Driver.Rules {
				listed[r.ID]++
			}
			if !maps.Equal(listed, fired) {
				t.Errorf("rules are %v, those with results %v", listed, fired)
			}
			if unread := name == "cut"; run.Invocations[0].Successful == unread {
				t.Errorf("executionSuccessful is %v", run.Invocations[0].Successful)
			}
			if n := len(run.Invocations[0].Notifications); n != 0 && name != "cut" || name == "cut" && n != 2 {
				t.Errorf("%d notifications", n)
			}
			if (len(run.Results) == 0) != (name == "nothing") {
				t.Errorf("%d results", len(run.Results))
			}
		})
	}
}

// TestSARIFOfRules holds a log of all rules that there are and their cases against the schema: each is in it
// once, though all are found twice, and none that was not found.
func TestSARIFOfRules(t *testing.T) {
	var out strings.Builder
	form := record.NewSARIF(&out, listing.Options{Names: []string{"x"}}, "1")
	want := map[string]int{}
	for _, r := range catalogue.All() {
		unlettered := &finding.Finding{Rule: &r.Rule, Severity: r.Severity, Count: 1}
		all := []*finding.Finding{unlettered, unlettered}
		for _, c := range r.Cases {
			lettered := &finding.Finding{Rule: &r.Rule, Letter: c.Letter, Severity: c.Severity, Count: 1}
			all = append(all, lettered, lettered)
		}
		form.Found(&finding.Found{Roots: all})
		for _, f := range all {
			want[f.ID()] = 1
		}
	}
	if err := form.End(&finding.Ending{}); err != nil {
		t.Fatal(err)
	}
	if err := against(t, sarifSchema(t), out.String()); err != nil {
		t.Error(err)
	}
	got := map[string]int{}
	for _, r := range readSARIF(t, out.String()).Runs[0].Tool.Driver.Rules {
		got[r.ID]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("rules of the log are %v, of the catalogue %v", got, want)
	}
}

// TestSARIFIsStrict shows that the schema reports what is wrong.
func TestSARIFIsStrict(t *testing.T) {
	schema := sarifSchema(t)
	good := straw("check", "--format", "sarif", sample("rxe-cb")).out
	for what, bad := range map[string]string{
		"a level":  strings.Replace(good, `"level":"error"`, `"level":"bad"`, 1),
		"a member": strings.Replace(good, `"occurrenceCount"`, `"times"`, 1),
		"a type":   strings.Replace(good, `"ruleIndex":1`, `"ruleIndex":"1"`, 1),
	} {
		if bad == good || against(t, schema, bad) == nil {
			t.Errorf("%s that SARIF does not have is not noticed", what)
		}
	}
}

// sarifLog is what the tests read of a log.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		Results []struct {
			RuleID, Level       string
			RuleIndex           int
			PartialFingerprints map[string]string
		}
		Invocations []struct {
			Successful    bool  `json:"executionSuccessful"`
			Notifications []any `json:"toolExecutionNotifications"`
		}
	}
}

func readSARIF(t *testing.T, text string) (log sarifLog) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	return log
}

// TestFingerprints holds that each result has its own, and the same result the
// same one wherever the capture is.
func TestFingerprints(t *testing.T) {
	prints := func(path string) (list []string) {
		for _, r := range readSARIF(t, straw("check", "--format", "sarif", path).out).Runs[0].Results {
			list = append(list, r.PartialFingerprints["rdmacapFinding/v1"])
		}
		return list
	}
	first, again := prints(sample("rxe-cb")), prints(write(t, "elsewhere.pcap", unpacked(t, "rxe-cb")))
	seen := map[string]bool{}
	for i, p := range first {
		if seen[p] || p != again[i] || len(p) != 32 {
			t.Errorf("fingerprint %d is %q, elsewhere %q, seen before: %v", i, p, again[i], seen[p])
		}
		seen[p] = true
	}
}
