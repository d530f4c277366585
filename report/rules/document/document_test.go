package document_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/rules/document"
)

const head = "id: T-001\ntitle: a title\nseverity: error\n"

// TestParse reads a document that has everything.
func TestParse(t *testing.T) {
	d, err := document.Parse("t001.rule", `# of no rule that there is
id: T-001
title: A title that
  goes on
severity: warning
since: 0.5
reference: RFC 8166, section 4
causes: HDR-005, DDP-007b
wide: yes
replaced: T-002
case a (error): the first: way
case b (note): the second
usual: b
advice b: Do something
    else.

== meaning
One paragraph
of two lines.

== limits
None.

== silent: nothing
call 1 NFS3 NULL
`)
	if err != nil {
		t.Fatal(err)
	}
	want := document.Document{
		File: "t001.rule", ID: "T-001", Title: "A title that goes on", Severity: "warning", Since: "0.5", Reference: "RFC 8166, section 4",
		Causes: []string{"HDR-005", "DDP-007b"}, Wide: true, Replaced: []string{"T-002"}, Meaning: "One paragraph of two lines.", Limits: "None.",
		Cases: []document.Case{{"a", "the first: way", "error", "", false}, {"b", "the second", "note", "Do something else.", true}},
	}
	list, err := d.Samples()
	if err != nil || len(list) != 1 || list[0].Fires || list[0].Name != "nothing" {
		t.Errorf("samples %v, %v", list, err)
	}
	got := document.Document{
		File: d.File, ID: d.ID, Title: d.Title, Severity: d.Severity, Since: d.Since, Reference: d.Reference, Causes: d.Causes, Wide: d.Wide, Replaced: d.Replaced,
		Cases: d.Cases, Meaning: d.Meaning, Why: d.Why, Advice: d.Advice, Limits: d.Limits, Conditions: d.Conditions,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestSamples holds what is put before and after the text of a sample, and that each line
// is found again.
func TestSamples(t *testing.T) {
	const call = "call 1 NFS3 NULL\n\n    credits 0\n"
	for _, test := range []struct {
		heading, text, want string
		lines               []int
	}{
		{"fires: plain", call, "connect\n" + call + "disconnect\n", []int{5, 6, 7, 8, 8}},
		{"fires (version 2): two", call, "connect version=2\n" + call + "disconnect\n", []int{5, 6, 7, 8, 8}},
		{"silent (iWARP, no connect): late", "call 1\n", "call 1\ndisconnect\n", []int{6, 6}},
		{"silent (no disconnect): open", "call 1\n", "connect\ncall 1\n", []int{5, 6}},
		{"fires: own", "\n# why\nconnect client=none\ndisconnect server\nwant CM-001\n\n", "# why\nconnect client=none\ndisconnect server\nwant CM-001\n", []int{7, 8, 9, 10}},
	} {
		list := samples(t, head+"\n== "+test.heading+"\n"+test.text)
		if s := list[0]; s.Scene != test.want || s.Fires != strings.HasPrefix(test.heading, "fires") {
			t.Errorf("%s: %q, want %q", test.heading, s.Scene, test.want)
		} else {
			for i, n := range test.lines {
				if got := s.Line(i + 1); got != n {
					t.Errorf("%s: line %d is %d of the document, not %d", test.heading, i+1, got, n)
				}
			}
		}
	}
	list := samples(t, head+"== scene A it\nconnect\n    mpa\n\n== fires (based on A it, RoCE): more\n    more\ncall 1\n== silent (based on A it): less\ncall 2\n")
	if len(list) != 2 || list[0].Scene != "connect\n    mpa\n    more\ncall 1\ndisconnect\n" || list[1].Scene != "connect\n    mpa\ncall 2\ndisconnect\n" {
		t.Errorf("%+v", list)
	}
	if list[0].Over != "RoCE" || list[0].Line(2) != 6 || list[0].Line(3) != 9 {
		t.Errorf("%+v", list[0])
	}
}

func samples(t *testing.T, text string) []document.Sample {
	t.Helper()
	d, err := document.Parse("t.rule", text)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Samples()
	if err != nil || len(list) == 0 {
		t.Fatalf("%d samples, %v", len(list), err)
	}
	return list
}

// TestErrors holds that what is wrong is reported with its place.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		text, want string
		line, col  int
	}{
		{"", "no id", 1, 0},
		{"id: T-1\n" + head[len("id: T-001\n"):], "an ID has", 1, 5},
		{head + "severity:  note\n", "twice", 4, 12},
		{"  x\n", "continues", 1, 1},
		{head + "word\n", "KEY: VALUE", 4, 1},
		{head + "wide: no\n", "wide is yes", 4, 7},
		{"id: T-001\ntitle: x\nseverity:   bad\n", "severity is", 3, 13},
		{"id: T-001\ntitel: x\nseverity: note\n", `unknown key "titel", and the head has no title`, 2, 1},
		{head + "case a: x\n", "a case is written", 4, 1},
		{head + "case a (note): x\ncase a (error): y\n", "twice", 5, 1},
		{head + "advice b: x\n", "no case", 4, 1},
		{head + "since:\n", "no value", 4, 7},
		{head + "== meening\nx\n", "unknown section", 4, 4},
		{head + "== why\nx\n== why\ny\n", "a second section", 6, 4},
		{head + "== why\n\n== limits\nx\n", "nothing is", 5, 0},
		{head + "== why\nx\ny\n\nz\n", "more than one paragraph", 7, 0},
		{head + "== fires: x\ncall\n== why\ny\n", "only samples", 6, 4},
		{head + "== fires:\ncall\n", "has a name", 4, 4},
		{head + "== fires (TCP): x\ncall\n", "not one of", 4, 11},
		{head + "== fires (RoCE, based on B): x\ncall\n", "no scene", 4, 16},
		{head + "== fires RoCE: x\ncall\n", "in parentheses", 4, 4},
		{head + "== fires: x\n\n", "empty", 4, 0},
		{head + "== scene A\ncall\n== scene A\ncall\n", "a second scene", 6, 4},
	} {
		d, err := document.Parse("t.rule", test.text)
		if err == nil {
			_, err = d.Samples()
		}
		var e *document.Error
		if !errors.As(err, &e) || !strings.Contains(e.Reason, test.want) || e.Line != test.line || e.Column != test.col {
			t.Errorf("%q: %v, want %d:%d: %s", test.text, err, test.line, test.col, test.want)
		}
	}
}

// FuzzParse reads anything: nothing panics, and each line of a sample is one of the text.
func FuzzParse(f *testing.F) {
	f.Add(head + "== why\nx\n== scene A\nconnect\n== fires (based on A): x\ncall 1\n\n    want T-001\n")
	f.Add(head + "case a (note): x\nadvice a: y\n\tz\n== silent (RoCE, version 2, no disconnect): x\ncall\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := document.Parse("t.rule", text)
		if err != nil {
			return
		}
		list, err := d.Samples()
		if err != nil {
			return
		}
		lines := strings.Count(text, "\n") + 1
		for _, s := range list {
			for i := range strings.Count(s.Scene, "\n") {
				if n := s.Line(i + 1); n < 1 || n > lines {
					t.Fatalf("line %d of %q is %d of %d", i+1, s.Scene, n, lines)
				}
			}
		}
	})
}
