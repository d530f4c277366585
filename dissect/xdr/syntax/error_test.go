package syntax_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// read reads all declarations of a text.
func read(text string, take func(d syntax.Decl)) error {
	sources := []syntax.Source{{File: "t.x", Text: text}}
	var p syntax.Parser
	if err := p.Start(&sources[0]); err != nil {
		return syntax.Locate(sources, err)
	}
	for {
		d, err := p.Next()
		if err != nil || d == (syntax.Decl{}) {
			return syntax.Locate(sources, err)
		}
		take(d)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"strct A { int a; };", "t.x:1:1: expected a declaration (const, typedef, enum, struct, union, program), not \"strct\": did you mean struct?"},
		{"struct A { int a; int a; };", "t.x:1:23: a is declared twice, first in line 1"},
		{"struct A { int a };", "t.x:1:18: expected ; after the field, not \"}\""},
		{"struct A { int 5; };", "t.x:1:16: expected the name of a field, not \"5\""},
		{"struct A { void; };", "t.x:1:12: a field of a struct cannot be void"},
		{"struct A { opaque a; };", "t.x:1:20: expected <> or [length] after the name of opaque data, not \";\""},
		{"struct A { string a[4]; };", "t.x:1:20: expected <> after the name of a string, not \"[\""},
		{"struct A { int *a<4>; };", "t.x:1:18: XDR has no arrays of optional data without a typedef"},
		{"struct A { int a", "t.x:1:17: expected ; after the field, not the end of the text"},
		{"enum A { };", "t.x:1:10: an enum has at least one value"},
		{"enum A { X = 1 Y = 2 };", "t.x:1:16: expected , or } after a value, not \"Y\""},
		{"union A switch (int d) { };", "t.x:1:26: a union has at least one case"},
		{"union A switch (int d) { int a; };", "t.x:1:26: expected case or default, not \"int\""},
		{"union A switch (int d) { default: void; default: void; };", "t.x:1:41: a union has one default"},
		{"program P { version V { int F(void) = 1; } = 1; };", "t.x:1:50: expected = and the program's number, not \";\""},
		{"#if A > 1\n#endif", "t.x:1:1: only #ifdef, #ifndef, #if 0, #if 1 and #if NAME are supported"},
		{"#ifdef A\n", "t.x:2:1: #ifdef has no #endif"},
		{"#endif", "t.x:1:1: #endif without #ifdef"},
		{"/* no end", "t.x:1:1: comment has no end"},
		{"const A = \"x\";", "t.x:1:11: character '\"' has no meaning in XDR language"},
		{"struct A { " + strings.Repeat("struct { ", 40), "t.x:1:291: types are nested too deeply"},
		{"struct A { opaque a<>; /* @elgible */ };", "t.x:1:27: @elgible is not a note: did you mean @eligible?"},
		{"struct A { opaque a<>; /* data\n * @author somebody */ };", "t.x:2:4: @author is not a note"},
		{"struct A { int a; /* @as flags */ };", "t.x:1:32: the note is written @as FORMAT, or @as flags ENUM"},
		{"const A = 1; /* @as hex */", "t.x:1:17: @as says nothing about a constant"},
		{"/* @as hex */\nprogram P { version V { int F(void) = 1; } = 1; } = 1;", "t.x:1:4: @as does not apply to a program: notes belong to types"},
		{"typedef int A;\n/* @as hex */", "t.x:2:4: @as comes after the last declaration"},
		{"struct A { int a; /* @summary */ };", "t.x:1:31: the note is written @summary \"text {field} text\""},
		{"struct A { int a; /* @summary \"x */ };", "t.x:1:31: the text has no closing quote"},
	} {
		err := read(tt.text, func(syntax.Decl) {})
		if err == nil {
			t.Errorf("%s: no error, want %s", tt.text, tt.want)
			continue
		}
		if got := err.Error(); got != tt.want && !strings.HasPrefix(got, tt.want+"\n\t") {
			t.Errorf("%s: error is\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

// TestCutShort cuts a text at many bytes: what comes is an error with a place in the
// text, or what was declared before, but for the last: the comment after it may be cut.
func TestCutShort(t *testing.T) {
	whole := 0
	for n := 0; n < len(xdrsample.Text); n += 3 {
		declared := 0
		err := read(xdrsample.Text[:n], func(syntax.Decl) { declared++ })
		if e, ok := err.(*syntax.Error); err != nil && (!ok || e.Line < 1 || e.Column < 1 || e.Reason == "") {
			t.Errorf("cut at byte %d: error %#v", n, err)
		}
		if declared < whole-1 {
			t.Errorf("cut at byte %d: %d declarations, fewer than %d of fewer bytes", n, declared, whole-1)
		}
		whole = max(whole, declared)
	}
	if want := 38; whole != want { // the last is not whole
		t.Errorf("%d declarations, want %d", whole, want)
	}
}
