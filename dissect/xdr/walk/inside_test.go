package walk_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// TestInside has opaque data that hold items, and are wrong inside: the stream
// around them is not.
func TestInside(t *testing.T) {
	s, err := types.Parse("t.x", `
struct pair { int a; bool b; };
union kinds switch (int number) { case 1: pair p; case 2: void; case 3: nested n; default: void; };
union known switch (int number) { case 1: pair p; };
union attrs switch (int number) { case 0: int zero; case 2: pair two; case 33: hyper far; default: int never; };
struct nested { int by; opaque in<>; /* @contains known by by */ };
struct T {
	int by;
	opaque one<>;	/* @contains kinds by by */
	opaque two<>;	/* @contains pair */
	unsigned int bits<>;
	opaque vals<>;	/* @attributes attrs */
	int end;
};
program P { version V { void F(T) = 1; void G(nested) = 2; } = 1; } = 1;`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := walk.NewPlan(s, "T.end")
	if err != nil {
		t.Fatal(err)
	}
	inner := func(b []byte) data { return data(b) }
	pair, none := inner(hexBytes(5, 1)), data("")
	for _, tt := range []struct {
		name string
		data []byte
		want field.Fault
		know bool // what is wrong is not only unknown
	}{
		{"all is well", hexBytes(1, pair, pair, 2, 5, 2, inner(hexBytes(1, 2, 0, 0, 0)), 9), field.Fault{}, true},
		{"no bytes for what is not known", hexBytes(8, none, pair, 0, none, 9), field.Fault{}, true},
		{"void", hexBytes(2, none, pair, 0, none, 9), field.Fault{}, true},
		{"cut short", hexBytes(1, inner(hexBytes(5)), pair, 0, none, 9), field.Fault{Offset: 12, Reason: walk.ReasonCut}, true},
		{"wrong", hexBytes(1, inner(hexBytes(5, 7)), pair, 0, none, 9), field.Fault{Offset: 12, Reason: walk.ReasonBool}, true},
		{"too long", hexBytes(1, inner(hexBytes(5, 1, 0)), pair, 0, none, 9), field.Fault{Offset: 16, Reason: walk.ReasonBehind}, true},
		{"bytes where void is named", hexBytes(2, pair, pair, 0, none, 9), field.Fault{Offset: 8, Reason: walk.ReasonBehind}, true},
		{"default of void", hexBytes(8, pair, pair, 0, none, 9), field.Fault{Offset: 8, Reason: walk.ReasonContent}, false},
		{"the second one", hexBytes(1, pair, inner(hexBytes(1)), 0, none, 9), field.Fault{Offset: 24, Reason: walk.ReasonCut}, true},
		{"proven before unknown", hexBytes(8, pair, inner(hexBytes(1)), 0, none, 9), field.Fault{Offset: 24, Reason: walk.ReasonCut}, true},
		{"unknown attribute", hexBytes(1, pair, pair, 1, 3, inner(hexBytes(1, 2)), 9), field.Fault{Offset: 44, Reason: walk.ReasonAttribute}, false},
		{"a default names no attribute", hexBytes(1, pair, pair, 2, 0, 1, inner(hexBytes(1)), 9), field.Fault{Offset: 44, Reason: walk.ReasonAttribute}, false},
		{"attribute cut short", hexBytes(1, pair, pair, 1, 4, inner(hexBytes(1)), 9), field.Fault{Offset: 44, Reason: walk.ReasonCut}, true},
		{"bytes behind attributes", hexBytes(1, pair, pair, 1, 1, inner(hexBytes(1, 2)), 9), field.Fault{Offset: 44, Reason: walk.ReasonBehind}, true},
		{"unknown within", hexBytes(3, inner(hexBytes(4, data("abcd"))), pair, 0, none, 9), field.Fault{Offset: 16, Reason: walk.ReasonContent}, false},
		{"wrong within", hexBytes(3, inner(hexBytes(1, data("abcd"))), pair, 0, none, 9), field.Fault{Offset: 20, Reason: walk.ReasonCut}, true},
	} {
		r := p.Args(s.Procedure(1, 1, 1))
		var w walk.Walker
		w.Walk(r, tt.data, walk.Reduction{})
		if w.Fault.Bad() || w.Consumed != len(tt.data) || len(w.Events) != 1 || w.Events[0].Value != 9 {
			t.Errorf("%s: fault %q, %d of %d bytes, events %+v", tt.name, w.Fault, w.Consumed, len(tt.data), w.Events)
		}
		if w.Inside != tt.want || w.Unknown == tt.know {
			t.Errorf("%s: inside is %q, unknown %v; want %q", tt.name, w.Inside, w.Unknown, tt.want)
		}
		n := view.Nodes(r, tt.data, 0, walk.Reduction{}, nil)
		var wrong []field.Fault
		each(&n, func(n *field.Node) {
			if n.Fault != "" || n.Name == "not decoded" {
				wrong = append(wrong, field.Fault{Offset: n.Start, Reason: n.Fault})
			}
		})
		at := func(f field.Fault) bool {
			return f.Reason == tt.want.String() || f.Reason == "" && f.Offset == tt.want.Offset
		}
		if tt.want.Bad() != slices.ContainsFunc(wrong, at) || !tt.want.Bad() && len(wrong) > 0 {
			t.Errorf("%s: the tree has %q, want %q", tt.name, wrong, tt.want)
		}
		for n := range tt.data {
			w.Walk(r, tt.data[:n], walk.Reduction{})
			if !w.Fault.Bad() || w.Inside.Bad() && w.Inside != tt.want && !(tt.name == "proven before unknown" && w.Unknown) {
				t.Errorf("%s cut at byte %d: fault %q, inside %q", tt.name, n, w.Fault, w.Inside)
			}
		}
	}
	// The next walk begins afresh.
	var w walk.Walker
	w.Walk(p.Args(s.Procedure(1, 1, 2)), hexBytes(1, data("abcd")), walk.Reduction{})
	if !w.Inside.Bad() {
		t.Error("nothing is wrong inside")
	}
	w.Walk(p.Args(s.Procedure(1, 1, 2)), hexBytes(1, pair), walk.Reduction{})
	if w.Inside.Bad() || w.Unknown {
		t.Errorf("inside is %q", w.Inside)
	}
}

// TestRoutesAreMadeOnce asks for routes from several goroutines, which walk over
// bytes while others are made.
func TestRoutesAreMadeOnce(t *testing.T) {
	p := sample(t, "attrvalue.size")
	var group sync.WaitGroup
	routes := make([][]*walk.Route, 4)
	for i := range routes {
		group.Go(func() {
			var w walk.Walker
			for _, proc := range p.Spec.Procedures() {
				routes[i] = append(routes[i], p.Result(proc), p.Args(proc))
				w.Walk(sampleResult(p, 1), xdrsample.CompoundReply, walk.Reduction{})
				view.AppendSummary(nil, &w)
				if w.Fault.Bad() {
					t.Error(w.Fault)
				}
			}
		})
	}
	group.Wait()
	for _, others := range routes[1:] {
		if !slices.Equal(others, routes[0]) {
			t.Error("goroutines have other routes")
		}
	}
}

// TestUnionsInOperations has arrays of unions which an enum selects, within an
// operation: they hold no operations.
func TestUnionsInOperations(t *testing.T) {
	s, err := types.Parse("t.x", `
enum op { OP_A = 1 };
enum flavor { F_NONE = 0, F_SYS = 1 };
union sec switch (flavor f) { case F_NONE: void; case F_SYS: int uid; };
struct aargs { /* @summary "{secs} flavors" */ sec secs<>; };
union arg switch (op o) { case OP_A: aargs a; };
struct many { /* @summary "{ops}" */ arg ops<>; };
program P { version V { void F(many) = 1; } = 1; } = 1;`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := walk.NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	var w walk.Walker
	w.Walk(p.Args(s.Procedure(1, 1, 1)), hexBytes(1, 1, 2, 0, 1, 500), walk.Reduction{})
	if got, want := told(&w, p), []string{"operation 0: 1 at 4+4", "end 0: 1 at 24+0"}; !slices.Equal(got, want) {
		t.Errorf("events are %q, want %q", got, want)
	}
	if got := string(view.AppendSummary(nil, &w)); got != "OP_A 2 flavors" {
		t.Errorf("summary is %q", got)
	}
}
