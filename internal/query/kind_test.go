package query

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// xdrWords are 32-bit numbers as XDR has them.
func xdrWords(values ...int64) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// walked is the arguments of a procedure, as a record of the fields of a text.
type walked struct {
	body  dissect.Body
	plan  *walk.Plan
	texts []text
}

func (w *walked) Values(i int, to *filter.Values) {
	has := w.texts[i].marks(w.plan)
	for k := range w.body.Events {
		if e := &w.body.Events[k]; e.Kind == walk.Value && has[e.Mark] {
			w.texts[i].value(&w.body, e, to)
		}
	}
}

// TestKindsOfTexts declares a type T and asks about a value of it.
func TestKindsOfTexts(t *testing.T) {
	const enum = " enum E { E_ONE = 1, E_TWO = 2, E_NEG = -3, E_TOP = -0x80000000 };"
	for _, c := range []struct {
		name     string
		declare  string
		data     []byte
		yes, not []string
	}{
		{"unsigned int", "typedef unsigned int T;", xdrWords(-1), []string{"t.a.v == 4294967295"}, []string{"t.a.v == 1"}},
		{"int", "typedef int T;", xdrWords(-1), []string{"t.a.v == -1", "t.a.v < 0"}, []string{"t.a.v > 0"}},
		{"hyper", "typedef hyper T;", xdrWords(-1, -2), []string{"t.a.v == -2"}, []string{"t.a.v >= 0"}},
		{"unsigned hyper", "typedef unsigned hyper T;", xdrWords(-1, -1), []string{"t.a.v == 0xffffffffffffffff"}, nil},
		{"bool", "typedef bool T;", xdrWords(1), []string{"t.a.v", "t.a.v == true"}, []string{"t.a.v == false"}},
		{"enum", "typedef E T; enum E { /* @prefix E_ */ E_ONE = 1, E_NEG = -3 };", xdrWords(-3), []string{"t.a.v == NEG", `t.a.v matches "^NE"`}, []string{"t.a.v == ONE"}},
		{"flags", "typedef unsigned int T; /* @as flags E */" + enum, xdrWords(3), []string{"t.a.v == E_ONE", "t.a.v == E_TWO", "t.a.v == 3"}, []string{"t.a.v == 2 and t.a.v == 4", "t.a.v == E_TOP"}},
		{"flags, the top one", "typedef int T; /* @as flags E */" + enum, xdrWords(0x80000001), []string{"t.a.v == 0x80000001", "t.a.v == E_ONE", "t.a.v == E_TOP"}, []string{"t.a.v == E_TWO"}},
		{"one flag", "typedef unsigned int T; /* @as flags E */" + enum, xdrWords(2), []string{"t.a.v == E_TWO", "t.a.v === E_TWO"}, []string{"t.a.v == E_ONE"}},
		{"no flag", "typedef unsigned int T; /* @as flags E */" + enum, xdrWords(0), []string{"t.a.v", "t.a.v == 0"}, []string{"t.a.v == E_ONE"}},
		{"bits", "typedef unsigned int T; /* @as bits E */" + enum, xdrWords(4), []string{"t.a.v == E_TWO", "t.a.v == 2"}, []string{"t.a.v == E_ONE", "t.a.v == 4"}},
		{"bitmap", "typedef unsigned int T<>; /* @as bits E */" + enum, xdrWords(2, 2, 0x80000001), []string{"t.a.v == E_ONE", "t.a.v == 32", "t.a.v == 63"}, []string{"t.a.v == E_TWO", "t.a.v == 31"}},
		{"empty bitmap", "typedef unsigned int T<>; /* @as bits E */" + enum, xdrWords(0), nil, []string{"t.a.v"}},
		{"opaque", "typedef opaque T<>;", append(xdrWords(3), "abc\x00"...), []string{`t.a.v == "abc"`, "t.a.v contains 62:63"}, []string{"t.a.v contains 00"}},
		{"fixed opaque", "typedef opaque T[3];", []byte("abc\x00"), []string{`t.a.v == "abc"`}, nil},
		{"text", "typedef opaque T<>; /* @as text */", append(xdrWords(3), "abc\x00"...), []string{`t.a.v matches "^abc$"`}, nil},
		{"string", "typedef string T<>;", append(xdrWords(3), "abc\x00"...), []string{`t.a.v == "abc"`}, nil},
		{"empty string", "typedef string T<>;", xdrWords(0), []string{"t.a.v", `t.a.v == ""`}, nil},
		{"time", "typedef unsigned int T; /* @as time */", xdrWords(1700000000), []string{`t.a.v == "2023-11-14 22:13:20"`}, []string{`t.a.v > "2023-11-14 22:13:20"`}},
		{"time of two", "struct T { hyper s; unsigned int n; }; /* @as time */", xdrWords(0, 1700000000, 5e8), []string{`t.a.v == "2023-11-14 22:13:20.5"`}, nil},
		{"a time beyond all", "struct T { hyper s; unsigned int n; }; /* @as time */", xdrWords(0x7fffffff, 0, 0), []string{`t.a.v > "2200-01-01"`}, nil},
		{"a time before all", "struct T { hyper s; unsigned int n; }; /* @as time */", xdrWords(-0x80000000, 0, 0), []string{`t.a.v < "1800-01-01"`}, nil},
		{"timeval", "struct T { unsigned int s; unsigned int u; }; /* @as timeval */", xdrWords(1700000000, 250000), []string{`t.a.v == "2023-11-14 22:13:20.25"`}, nil},
		{"seconds", "typedef unsigned int T; /* @as seconds */", xdrWords(90), []string{"t.a.v == 1m30s"}, []string{"t.a.v > 90s"}},
		{"seconds of two", "struct T { unsigned int s; unsigned int n; }; /* @as seconds */", xdrWords(3, 1), []string{"t.a.v > 3s", "t.a.v < 3.1s"}, nil},
		{"IPv4 in a word", "typedef unsigned int T; /* @as ipv4 */", xdrWords(0xc0000201), []string{"t.a.v == 192.0.2.0/24"}, []string{"t.a.v == 10.0.0.1"}},
		{"IPv6", "typedef opaque T[16]; /* @as ipv6 */", xdrWords(0x20010db8, 0, 0, 1), []string{"t.a.v == 2001:db8::1"}, nil},
		{"numbers", "typedef unsigned int T<>;", xdrWords(2, 7, -1), []string{"t.a.v == 7", "t.a.v == 0xffffffff"}, []string{"t.a.v == 2"}},
		{"signed numbers", "typedef int T[2];", xdrWords(7, -1), []string{"t.a.v == 7", "t.a.v == -1"}, []string{"t.a.v == 2"}},
		{"hypers", "typedef unsigned hyper T<>;", xdrWords(1, 1, 2), []string{"t.a.v == 0x100000002"}, []string{"t.a.v == 2"}},
		{"enums", "typedef E T<>;" + enum, xdrWords(2, 1, -3), []string{"t.a.v == E_ONE", "t.a.v == E_NEG"}, []string{"t.a.v == E_TWO"}},
		{"structs", "struct S { int i; string s<>; }; typedef S T<>;", xdrWords(2, 7, 0, 8, 0), []string{"t.a.v == 2", "t.s.i == 8", `t.s.s == ""`}, []string{"t.a.v == 7"}},
		{"optional that is there", "typedef int *T;", xdrWords(1, 5), []string{"t.a.v == 5"}, nil},
		{"optional that is not", "typedef int *T;", xdrWords(0), nil, []string{"t.a.v"}},
		{"optional struct", "struct S { string s<>; }; typedef S *T;", xdrWords(1, 0), []string{"t.a.v"}, []string{"t.a.v == false"}},
		{"double", "typedef double T;", xdrWords(0x3ff80000, 0), []string{"t.a.v == 3ff8000000000000"}, nil},
	} {
		spec, err := types.Parse("t.x", c.declare+"\nstruct A { T v; }; program P { version V { void F(A) = 1; } = 1; } = 1;")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		w := &walked{texts: texts([]*types.Spec{spec})}
		var keys []string
		var fields []filter.Field
		for i := range w.texts {
			keys = append(keys, w.texts[i].keys...)
			fields = append(fields, w.texts[i].Field.Field)
		}
		set, err := filter.NewSet(fields...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if w.plan, err = walk.NewPlan(spec, keys...); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		w.body.Bytes = c.data
		w.body.Walk(w.plan.Args(spec.Procedure(1, 1, 1)), c.data, walk.Reduction{})
		if w.body.Fault.Bad() || w.body.Consumed != len(c.data) {
			t.Errorf("%s: %v, %d of %d bytes", c.name, w.body.Fault, w.body.Consumed, len(c.data))
		}
		if err := set.Check(w); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i, list := range [][]string{c.not, c.yes} {
			for _, expr := range list {
				f, err := set.Compile(expr)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				} else if got := f.Match(w); got != (i == 1) {
					t.Errorf("%s: %s is %v", c.name, expr, got)
				}
			}
		}
	}
}
