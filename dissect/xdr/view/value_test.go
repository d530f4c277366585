package view_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// TestValues declares a type T with its @as, and looks at how its bytes are
// written in a line and in the tree.
func TestValues(t *testing.T) {
	const pair = "struct T { unsigned hyper s; unsigned int n; };"
	for _, tt := range []struct {
		text        string
		data        []byte
		short, full string
	}{
		{"typedef int T;", hexBytes(-1), "-1", "-1"},
		{"typedef unsigned int T;", hexBytes(-1), "4294967295", "4294967295"},
		{"typedef hyper T;", hexBytes(-1, -2), "-2", "-2"},
		{"typedef float T;", hexBytes(0x3fc00000), "1.5", "1.5"},
		{"typedef double T;", hexBytes(0x3ff80000, 0), "1.5", "1.5"},
		{"typedef bool T;", hexBytes(1), "TRUE", "TRUE"},
		{"typedef int T; /* @as hex */", hexBytes(-1), "0xffffffff", "0xffffffff"},
		{"typedef hyper T; /* @as hex */", hexBytes(1, 2), "0x0000000100000002", "0x0000000100000002"},
		{"typedef unsigned int T; /* @as octal */", hexBytes(0o644), "0644", "0644"},
		{"typedef unsigned int T; /* @as octal */", hexBytes(0), "0", "0"},
		{"typedef int T; /* @as time */", hexBytes(1700000000), "2023-11-14T22:13:20Z", "2023-11-14T22:13:20Z"},
		{"typedef int T; /* @as time */", hexBytes(-1), "-1 s since 1970", "-1 s since 1970"},
		{pair + " /* @as time */", hexBytes(0, 1700000000, 5), "2023-11-14T22:13:20.000000005Z", "2023-11-14T22:13:20.000000005Z"},
		{pair + " /* @as time */", hexBytes(0, 0, 1000000000), "1970-01-01T00:00:00 + 1000000000/1e9Z", "1970-01-01T00:00:00 + 1000000000/1e9Z"},
		{pair + " /* @as time */", hexBytes(0x7fffffff, 0, 0), "9223372032559808512.000000000 s since 1970", "9223372032559808512.000000000 s since 1970"},
		{"struct T { unsigned int s; unsigned int u; }; /* @as timeval */", hexBytes(1700000000, 250000), "2023-11-14T22:13:20.250000Z", "2023-11-14T22:13:20.250000Z"},
		{"struct T { unsigned int s; unsigned int n; }; /* @as seconds */", hexBytes(3, 1), "3.000000001 s", "3.000000001 s"},
		{"typedef unsigned int T; /* @as seconds */", hexBytes(90), "90 s", "90 s"},
		{"typedef unsigned int T; /* @as ipv4 */", hexBytes(0xc0000201), "192.0.2.1", "192.0.2.1"},
		{"typedef opaque T[4]; /* @as ipv4 */", hexBytes(0xc0000201), "192.0.2.1", "192.0.2.1"},
		{"typedef opaque T[16]; /* @as ipv6 */", hexBytes(0x20010db8, 0, 0, 1), "2001:db8::1", "2001:db8::1"},
		{"typedef opaque T[16]; /* @as uuid */", hexBytes(0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff), "00112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff"},
		{"enum T { X_ONE = 1, X_NEG = -5 }; /* @prefix X_ */", hexBytes(1), "ONE", "X_ONE (1)"},
		{"enum T { X_ONE = 1, X_NEG = -5 }; /* @prefix X_ */", hexBytes(-5), "NEG", "X_NEG (-5)"},
		{"enum T { X_ONE = 1, X_NEG = -5 }; /* @prefix X_ */", hexBytes(2), "2", "2"},
		{"typedef unsigned int T; /* @as flags F */ enum F { RD = 1, WR = 2, RW = 3, HI = 0x40000000 };", hexBytes(0x40000003), "RD|WR|HI", "RD|WR|HI (0x40000003)"},
		{"typedef unsigned int T; /* @as flags F */ enum F { NONE = 0, RD = 1 };", hexBytes(0), "NONE", "NONE (0x00000000)"},
		{"typedef unsigned int T; /* @as flags F */ enum F { RD = 1 };", hexBytes(9), "RD|0x00000008", "RD|0x00000008 (0x00000009)"},
		{"typedef unsigned int T; /* @as flags F */ enum F { RD = 1 };", hexBytes(8), "0x00000008", "0x00000008"},
		{"typedef unsigned int T; /* @as bits F */ enum F { ZERO = 0, TWO = 2 };", hexBytes(0x80000005), "ZERO|TWO|31", "ZERO|TWO|31"},
		{"typedef unsigned hyper T; /* @as bits F */ enum F { ZERO = 0, B = 33 };", hexBytes(2, 1), "ZERO|B", "ZERO|B"},
		{"typedef unsigned int T<>; /* @as bits F */ enum F { ZERO = 0 };", hexBytes(0), "none", "none"},
		{"typedef opaque T<>;", hexBytes(data("ab")), "6162", "6162"},
		{"typedef opaque T<>; /* @as text */", hexBytes(data("ab\x1b[31m\u202eé\xff")), `"ab\x1b[31m\u202eé\xff"`, `"ab\x1b[31m\u202eé\xff"`},
		{"typedef opaque T<>; /* @as count */", hexBytes(data("a")), "1 byte", "1 byte"},
		{"typedef opaque T<>; /* @as hex */", hexBytes(data("ab")), "0x6162", "0x6162"},
		{"typedef opaque T[2]; /* @as octets */", hexBytes("ab\x00\x00"), "6162", "6162"},
		{"typedef quadruple T;", hexBytes(1, 2, 3, 4), "00000001000000020000000300000004", "00000001000000020000000300000004"},
		{"typedef opaque T<>;", hexBytes(data(strings.Repeat("a", 40))), strings.Repeat("61", 32) + "... (40 bytes)", strings.Repeat("61", 40)},
		{"typedef string T<>;", hexBytes(data(strings.Repeat("a", 2000))), `"` + strings.Repeat("a", 128) + `"... (2000 bytes)`, `"` + strings.Repeat("a", 1024) + `"... (2000 bytes)`},
		{"typedef int *T;", hexBytes(1, 5), "5", "5"},
	} {
		s, err := types.Parse("t.x", tt.text+"\nstruct A { T v; /* @summary \"{v}\" */ }; program P { version V { void F(A) = 1; } = 1; } = 1;")
		if err != nil && strings.HasPrefix(tt.text, pair) || err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		p, err := walk.NewPlan(s)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var w walk.Walker
		r := p.Args(s.Procedure(1, 1, 1))
		w.Walk(r, tt.data, walk.Reduction{})
		if got := string(view.AppendSummary(nil, &w)); got != tt.short || w.Fault.Bad() {
			t.Errorf("%s: in a line % x is %s, want %s; fault %q", tt.text, tt.data, got, tt.short, w.Fault)
		}
		n := view.Nodes(r, tt.data, 0, walk.Reduction{}, nil)
		if got := n.Children[0].Value; got != tt.full {
			t.Errorf("%s: in the tree % x is %s, want %s", tt.text, tt.data, got, tt.full)
		}
	}
}
