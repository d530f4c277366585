package types_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"struct A { nfs_fh b; };\ntypedef opaque nfs_fh4<9>;", "t.x:1:12: type nfs_fh is not declared: did you mean nfs_fh4?\n\tstruct A { nfs_fh b; };\n\t           ^"},
		{"struct A {\n\tuint32 a;\n};", "t.x:2:2: type uint32 is not declared: did you mean uint32_t?\n\t\tuint32 a;\n\t\t^"},
		{"struct A { A a; };", "t.x:1:8: a value of A would contain itself without end"},
		{"struct A { B b[2]; }; struct B { A a; };", "t.x:1:8: a value of A would contain itself without end"},
		{"typedef A B; typedef B A;", "t.x:1:11: B is only another name of itself"},
		{"struct A {}; typedef A B<>;", "t.x:1:24: the elements would take no bytes"},
		{"typedef opaque A<N>;", "t.x:1:18: N is not declared"},
		{"const A = B; const B = A;", "t.x:1:7: the constant is defined by itself"},
		{"const A = -1; typedef opaque B<A>;", "t.x:1:32: the length is -1, which is not from 0 to 4294967295"},
		{"const A = 1x;", "t.x:1:11: \"1x\" is not a number"},
		{"const A = 0b1;", "t.x:1:11: \"0b1\" is not a number"},
		{"const TRUE = 2;", "t.x:1:7: TRUE is a word of the language"},
		{"const A = 1; const A = 2;", "t.x:1:20: A is declared twice, first at t.x:1:7"},
		{"enum A { X = 0x100000000 };", "t.x:1:10: X is 4294967296, which does not fit in a signed word"},
		{"union A switch (hyper d) { case 1: void; };", "t.x:1:23: a discriminant must be an int, unsigned int, bool or enum, not hyper"},
		{"union A switch (int d) { case 1: void; case 1: int b; };", "t.x:1:45: 1 is in the union twice"},
		{"union A switch (bool d) { case 2: void; };", "t.x:1:32: the discriminant cannot have the value 2"},
		{"enum E { READ = 1 }; const REED = 2; union A switch (E d) { case REED: void; };", "t.x:1:66: REED is not a value of E: did you mean READ?"},
		{"program P { version V { int F(void) = 1; int G(void) = 1; } = 1; } = 1;", "t.x:1:46: G has the number 1, which F has at t.x:1:29"},
		// Notes.
		{"struct A { int a; /* @eligible */ };", "t.x:1:22: only opaque<> and string<> are eligible here"},
		{"struct A { int a; /* @as hexx */ };", "t.x:1:26: @as does not know hexx: did you mean hex?"},
		{"struct A { int a; /* @as handle */ };", "t.x:1:26: a value of int cannot be written as handle"},
		{"struct A { int a; /* @as flags A */ };", "t.x:1:32: A is not an enum"},
		{"struct A { int a; /* @as flags Bits */ }; enum bits { X = 1 };", "t.x:1:32: type Bits is not declared: did you mean bits?"},
		{"struct A { int a; /* @status OK */ };", "t.x:1:22: @status belongs to an enum, or to a result whose first field is one"},
		{"enum A { X = 0 /* @rank 256 */ };", "t.x:1:25: a rank is a number from 0 to 255, not 256"},
		{"struct A { int a; /* @rank 1 */ };", "t.x:1:22: @rank says nothing about a field"},
		{"enum A { /* @rank 1 */ X = 0 };", "t.x:1:13: @rank says nothing about an enum"},
		{"enum A { X = 0, /* @status Y */ };", "t.x:1:28: Y is not a value of A"},
		{"typedef int A; /* @eligible */", "t.x:1:19: @eligible says nothing about a typedef"},
		{"enum A { X = 0 }; /* @eligible */", "t.x:1:22: @eligible says nothing about an enum"},
		{"union U switch (int d) { case 1: void; }; struct A { opaque a<>; /* @attributes U */ };", "t.x:1:69: no bitmap (unsigned int<>) precedes the field"},
		{"struct A { opaque a<>; /* @attributes A */ };", "t.x:1:39: A is not a union"},
		{"union U switch (int d) { case 1: void; }; struct A { opaque a<>; /* @contains U by d */ int d; };", "t.x:1:84: no field d precedes the field"},
		{"struct A { int a[2]; /* @contains A */ };", "t.x:1:25: @contains belongs to opaque<>"},
		{"struct A { int a; /* @bind cokie */ };", "t.x:1:28: @bind does not know cokie: did you mean cookie?"},
		{"struct A { int a; /* @bind handle */ };", "t.x:1:28: int cannot be a handle"},
		{"struct A { /* @bind stateid */ int a; };", "t.x:1:21: A cannot be a stateid"},
		{"struct A { unsigned a; /* @bind sequence */ };", "t.x:1:33: a sequence belongs in a struct, next to a field that says what it counts"},
		{"typedef unsigned A; /* @bind seqid by b */", "t.x:1:30: a seqid belongs in a struct, next to a field that says what it counts"},
		{"struct A { unsigned a; /* @bind sequence by owner, slt */ int owner; int slot; };", "t.x:1:52: A has no field slt: did you mean slot?"},
		{"struct A { int a; int b; /* @bind cookie by a */ };", "t.x:1:45: only a sequence or seqid is bound by a field"},
		{"struct A { int a; /* @bind */ };", "t.x:1:28: the note is written @bind KIND, or @bind KIND by FIELD, FIELD"},
		{"struct A { int a; /* @retry */ };", "t.x:1:22: @retry says nothing about a field"},
		// Templates.
		{"struct A { int a; /* @summary \"{a\" */ };", "t.x:1:32: { without }"},
		{"struct A { int a; /* @summary \"a}\" */ };", "t.x:1:33: } without {"},
		{"struct A { int a; /* @summary \"[{a}\" */ };", "t.x:1:32: [ without ]"},
		{"struct A { int a; /* @summary \"{a}]\" */ };", "t.x:1:35: ] without ["},
		{"struct A { int a; /* @summary \"[{a}[{a}]]\" */ };", "t.x:1:36: a part in [ ] cannot contain another one"},
		{"struct A { int a; /* @summary \"{b}\" */ };", "t.x:1:33: A has no field b"},
		{"struct A { int size; /* @summary \"x\"\n * \"{sise}\" */ };", "t.x:2:6: A has no field sise: did you mean size?"},
		{"struct A { int a; /* @summary \"{a.b}\" */ };", "t.x:1:35: int has no fields"},
		{"struct A { int a; /* @summary \"{a?}\" */ };", "t.x:1:33: a condition belongs in [ ]"},
		{"struct A { int a; /* @summary \"{a:text}\" */ };", "t.x:1:35: a value of int cannot be written as text"},
		{"struct B { bool b; }; struct A { B a; /* @summary \"{a}\" */ };", "t.x:1:53: B is a struct without a @summary: name one of its fields"},
		{"struct B { bool b; }; struct A { B *a; /* @summary \"{a}\" */ };", "t.x:1:54: B is a struct without a @summary: name one of its fields"},
		{"struct A { int a; B *b; /* @summary \"{b}\" */ }; struct B { A *a; /* @summary \"{a}\" */ };", "t.x:1:80: the @summary of A contains itself"},
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
