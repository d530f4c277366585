package types_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// FuzzParse reads any text. An error stands in it. What is taken is found again by its names and
// numbers, has the sizes of its parts, and is the same when the text is read again.
func FuzzParse(f *testing.F) {
	f.Add(xdrsample.Text)
	f.Add("union U switch (int d) { case 1: U *next; default: void; }; typedef U V; program P { version V1 { V F(U, V) = 1; } = 1; } = 1;")
	f.Add("enum E { A, B = A, C = -1 }; struct S { E e; int *x<C>; /* @as flags E */ };")
	f.Add("typedef opaque a<3>; struct A { struct { A *n; a b[4]; } in; string A<>; };")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		s, err := types.Parse("f.x", text)
		if err != nil {
			e, ok := err.(*syntax.Error)
			if lines := strings.Count(text, "\n") + 1; !ok || e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(text)+1 {
				t.Fatalf("an error that is not in the text: %#v", err)
			}
			return
		}
		again, err := types.Parse("f.x", text)
		if err != nil || len(again.Numbered()) != len(s.Numbered()) || len(again.Types) != len(s.Types) {
			t.Fatalf("read again: %v, %d fields, before %d", err, len(again.Numbered()), len(s.Numbered()))
		}
		i := 0
		for x := range s.Fields() {
			if x.Index != int32(i) || s.Numbered()[i] != x || x.Key == "" || x.Key != again.Numbered()[i].Key {
				t.Fatalf("field %d is %+v", i, x)
			}
			if found := s.Field(x.Key); found == nil || found.Key != x.Key {
				t.Fatalf("the field %s is not found by its key", x.Key)
			}
			i++
		}
		for i, p := range s.Procedures() {
			if p.Index != i || s.Procedure(p.Program.Number, p.Version.Number, p.Number) == nil || p.Args == nil || p.Result == nil {
				t.Fatalf("procedure %d is %+v", i, p)
			}
		}
		seen := make(map[*types.Type]bool)
		for _, x := range s.Types {
			if x.Name != "" && s.Type(x.Name) == nil {
				t.Fatalf("the type %s is not found by its name", x.Name)
			}
			sized(t, x, seen)
		}
	})
}

// sized holds that a type and all in it have the sizes of their parts, and enums their names.
func sized(t *testing.T, x *types.Type, seen map[*types.Type]bool) {
	t.Helper()
	if seen[x] {
		return
	}
	seen[x] = true
	const most = 1 << 40
	sum, least := uint64(0), uint64(most)
	for i := range x.Fields {
		part := x.Fields[i].Type
		sized(t, part, seen)
		sum = min(most, sum+part.Min)
		if i > 0 {
			least = min(least, part.Min)
		}
		if x.Fixed && !part.Fixed {
			t.Errorf("%v has a fixed size, and its field %s none", x, x.Fields[i].Name)
		}
	}
	if x.Elem != nil {
		sized(t, x.Elem, seen)
	}
	switch {
	case x.Kind == types.Struct && x.Min != sum, x.Kind == types.Union && x.Min != least+4, x.Min > most+4, x.Kind != types.FixedOpaque && x.Min%4 != 0:
		t.Errorf("%v takes %d bytes at least, its parts %d or %d", x, x.Min, sum, least)
	case x.Kind != types.Enum:
		return
	}
	for i := range x.Names.Members {
		m := &x.Names.Members[i]
		v, ok := x.Names.Value(m.Name)
		first := x.Names.Member(uint64(m.Value))
		if !ok || int32(v) != m.Value || first == nil || first.Value != m.Value || x.Names.Name(uint64(m.Value)) != first.Name || x.Names.Name(uint64(uint32(m.Value))) != first.Name {
			t.Errorf("%s of %v is %d, and %d by its name, which is %q", m.Name, x, m.Value, int32(v), x.Names.Name(uint64(m.Value)))
		}
	}
}
