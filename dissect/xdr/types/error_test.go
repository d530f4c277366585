package types_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"strct A { int a; };", "t.x:1:1: expected a declaration (const, typedef, enum, struct, union, program), not \"strct\": did you mean struct?"},
		{"struct A { nfs_fh b; };\ntypedef opaque nfs_fh4<9>;", "t.x:1:12: type nfs_fh is not declared: did you mean nfs_fh4?\n\tstruct A { nfs_fh b; };\n\t           ^"},
		{"struct A {\n\tuint32 a;\n};", "t.x:2:2: type uint32 is not declared: did you mean uint32_t?\n\t\tuint32 a;\n\t\t^"},
		{"struct A { int a; int a; };", "t.x:1:23: a is declared twice, first in line 1"},
		{"struct A { int a };", "t.x:1:18: expected ; behind the field, not \"}\""},
		{"struct A { int 5; };", "t.x:1:16: expected the name of a field, not \"5\""},
		{"struct A { void; };", "t.x:1:12: a field of a struct cannot be void"},
		{"struct A { opaque a; };", "t.x:1:20: expected <> or [length] behind the name of opaque data, not \";\""},
		{"struct A { string a[4]; };", "t.x:1:20: expected <> behind a string's name, not \"[\""},
		{"struct A { int *a<4>; };", "t.x:1:18: XDR has no arrays of optional data without a typedef"},
		{"struct A { int a", "t.x:1:17: expected ; behind the field, not the end of the text"},
		{"struct A { A a; };", "t.x:1:8: a value of A would contain itself without end"},
		{"struct A { B b[2]; }; struct B { A a; };", "t.x:1:8: a value of A would contain itself without end"},
		{"typedef A B; typedef B A;", "t.x:1:11: B is only another name of itself"},
		{"struct A {}; typedef A B<>;", "t.x:1:24: the elements would take no octets"},
		{"typedef opaque A<N>;", "t.x:1:18: N is not declared"},
		{"const A = B; const B = A;", "t.x:1:7: the constant is defined by itself"},
		{"const A = -1; typedef opaque B<A>;", "t.x:1:32: the length is -1, which is not within 0 and 4294967295"},
		{"const A = 1x;", "t.x:1:11: \"1x\" is not a number"},
		{"const A = 0b1;", "t.x:1:11: \"0b1\" is not a number"},
		{"const TRUE = 2;", "t.x:1:7: TRUE is a word of the language"},
		{"const A = 1; const A = 2;", "t.x:1:20: A is declared twice, first at t.x:1:7"},
		{"enum A { };", "t.x:1:10: an enum has at least one value"},
		{"enum A { X = 1 Y = 2 };", "t.x:1:16: expected , or } behind a value, not \"Y\""},
		{"enum A { X = 0x100000000 };", "t.x:1:10: X is 4294967296, which a signed word cannot hold"},
		{"union A switch (hyper d) { case 1: void; };", "t.x:1:23: a discriminant is an int, unsigned int, bool or enum, not hyper"},
		{"union A switch (int d) { };", "t.x:1:26: a union has at least one case"},
		{"union A switch (int d) { int a; };", "t.x:1:26: expected case or default, not \"int\""},
		{"union A switch (int d) { case 1: void; case 1: int b; };", "t.x:1:45: 1 stands in the union twice"},
		{"union A switch (bool d) { case 2: void; };", "t.x:1:32: the discriminant cannot have the value 2"},
		{"union A switch (int d) { default: void; default: void; };", "t.x:1:41: a union has one default"},
		{"enum E { READ = 1 }; const REED = 2; union A switch (E d) { case REED: void; };", "t.x:1:66: REED is not a value of E: did you mean READ?"},
		{"program P { version V { int F(void) = 1; int G(void) = 1; } = 1; } = 1;", "t.x:1:46: G has the number 1, which F has at t.x:1:29"},
		{"program P { version V { int F(void) = 1; } = 1; };", "t.x:1:50: expected = and the program's number, not \";\""},
		{"#if A > 1\n#endif", "t.x:1:1: only #ifdef, #ifndef, #if 0, #if 1 and #if NAME can be decided"},
		{"#ifdef A\n", "t.x:2:1: #ifdef has no #endif"},
		{"#endif", "t.x:1:1: #endif without #ifdef"},
		{"/* no end", "t.x:1:1: comment has no end"},
		{"const A = \"x\";", "t.x:1:11: character '\"' has no meaning in XDR language"},
		{"struct A { " + strings.Repeat("struct { ", 40), "t.x:1:291: types stand too deep within each other"},
		// Notes.
		{"struct A { opaque a<>; /* @elgible */ };", "t.x:1:27: @elgible is not a note: did you mean @eligible?"},
		{"struct A { opaque a<>; /* data\n * @author somebody */ };", "t.x:2:4: @author is not a note"},
		{"struct A { int a; /* @eligible */ };", "t.x:1:22: only opaque<> and string<> are eligible here"},
		{"struct A { int a; /* @as hexx */ };", "t.x:1:26: @as does not know hexx: did you mean hex?"},
		{"struct A { int a; /* @as handle */ };", "t.x:1:26: a value of int cannot be written as handle"},
		{"struct A { int a; /* @as flags */ };", "t.x:1:32: the note is written @as FORMAT, or @as flags ENUM"},
		{"struct A { int a; /* @as flags A */ };", "t.x:1:32: A is not an enum"},
		{"struct A { int a; /* @as flags Bits */ }; enum bits { X = 1 };", "t.x:1:32: type Bits is not declared: did you mean bits?"},
		{"struct A { int a; /* @status OK */ };", "t.x:1:22: @status stands at an enum, or where one is the first of a result"},
		{"enum A { X = 0, /* @status Y */ };", "t.x:1:28: Y is not a value of A"},
		{"const A = 1; /* @as hex */", "t.x:1:17: @as says nothing about a constant"},
		{"typedef int A; /* @eligible */", "t.x:1:19: @eligible says nothing about a typedef"},
		{"enum A { X = 0 }; /* @eligible */", "t.x:1:22: @eligible says nothing about an enum"},
		{"/* @as hex */\nprogram P { version V { int F(void) = 1; } = 1; } = 1;", "t.x:1:4: @as stands at a program, but notes belong to types"},
		{"typedef int A;\n/* @as hex */", "t.x:2:4: @as stands behind the last declaration"},
		{"union U switch (int d) { case 1: void; }; struct A { opaque a<>; /* @attributes U */ };", "t.x:1:69: no bitmap (unsigned int<>) stands before the field"},
		{"struct A { opaque a<>; /* @attributes A */ };", "t.x:1:39: A is not a union"},
		{"union U switch (int d) { case 1: void; }; struct A { opaque a<>; /* @contains U by d */ int d; };", "t.x:1:84: no field d stands before the field"},
		{"struct A { int a[2]; /* @contains A */ };", "t.x:1:25: @contains stands at opaque<>"},
		// Templates.
		{"struct A { int a; /* @summary */ };", "t.x:1:31: the note is written @summary \"text {field} text\""},
		{"struct A { int a; /* @summary \"{a\" */ };", "t.x:1:32: { without }"},
		{"struct A { int a; /* @summary \"a}\" */ };", "t.x:1:33: } without {"},
		{"struct A { int a; /* @summary \"[{a}\" */ };", "t.x:1:32: [ without ]"},
		{"struct A { int a; /* @summary \"{a}]\" */ };", "t.x:1:35: ] without ["},
		{"struct A { int a; /* @summary \"[{a}[{a}]]\" */ };", "t.x:1:36: a part in [ ] cannot stand within another one"},
		{"struct A { int a; /* @summary \"{b}\" */ };", "t.x:1:33: A has no field b"},
		{"struct A { int size; /* @summary \"x\"\n * \"{sise}\" */ };", "t.x:2:6: A has no field sise: did you mean size?"},
		{"struct A { int a; /* @summary \"{a.b}\" */ };", "t.x:1:35: int has no fields"},
		{"struct A { int a; /* @summary \"{a?}\" */ };", "t.x:1:33: a condition stands in [ ]"},
		{"struct A { int a; /* @summary \"{a:text}\" */ };", "t.x:1:35: a value of int cannot be written as text"},
		{"struct A { int a; /* @summary \"x */ };", "t.x:1:31: the text has no closing quote"},
		{"struct B { bool b; }; struct A { B a; /* @summary \"{a}\" */ };", "t.x:1:53: B is a struct without a @summary: name one of its fields"},
		{"struct B { bool b; }; struct A { B *a; /* @summary \"{a}\" */ };", "t.x:1:54: B is a struct without a @summary: name one of its fields"},
		{"struct A { int a; B *b; /* @summary \"{b}\" */ }; struct B { A *a; /* @summary \"{a}\" */ };", "t.x:1:80: the @summary of A stands within itself"},
	} {
		_, err := types.Parse("t.x", tt.text)
		if err == nil {
			t.Errorf("%s: no error, want %s", tt.text, tt.want)
			continue
		}
		if got := err.Error(); got != tt.want && !strings.HasPrefix(got, tt.want+"\n\t") && !strings.HasPrefix(got, tt.want+" (it knows") {
			t.Errorf("%s: error is\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}
