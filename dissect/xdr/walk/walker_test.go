package walk_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// told writes the events of a walk down, one a line, without those of marks
// that nobody named but a summary.
func told(w *walk.Walker, p *walk.Plan, names ...string) (lines []string) {
	for i := range w.Events {
		e := &w.Events[i]
		where := fmt.Sprintf(" at %d+%d", e.Offset, e.Length)
		if e.Chunk >= 0 {
			where += fmt.Sprintf(" chunk %d", e.Chunk)
		}
		if e.Position != uint64(e.Offset) {
			where += fmt.Sprintf(" position %d", e.Position)
		}
		switch e.Kind {
		case walk.Value:
			m := p.Marks[e.Mark]
			if name := m.Root.Name + "." + m.Path; slices.Contains(names, name) {
				lines = append(lines, fmt.Sprintf("%s %d%s", name, int64(e.Value), where))
			}
		case walk.Item:
			what := "item"
			if e.Eligible {
				what = "eligible"
			}
			lines = append(lines, fmt.Sprintf("%s %s %d%s", what, p.Fields[e.Field].Name, e.Value, where))
		case walk.Status:
			lines = append(lines, fmt.Sprintf("status %d %v%s", int64(e.Value), e.OK, where))
		case walk.Operation:
			lines = append(lines, fmt.Sprintf("operation %d: %d%s", e.Index, e.Value, where))
		case walk.End:
			lines = append(lines, fmt.Sprintf("end %d: %d%s", e.Index, e.Value, where))
		}
	}
	return lines
}

// walks are values of the sample, whole and inline.
var walks = []struct {
	name  string
	bytes []byte
	route func(p *walk.Plan) *walk.Route
	marks []string
	want  []string
}{
	{"nothing", nil, func(p *walk.Plan) *walk.Route { return sampleArgs(p, 0) }, nil, nil},
	{
		"call", xdrsample.CompoundCall, func(p *walk.Plan) *walk.Route { return sampleArgs(p, 1) },
		[]string{"READargs.count", "SEQUENCEargs.cache", "fattr.mask", "stateid.other", "COMPOUNDargs.tag", "COMPOUNDargs.ops", "GETATTRargs.request"},
		[]string{
			"COMPOUNDargs.tag 3 at 4+3",
			"operation 0: 53 at 16+4", "SEQUENCEargs.cache 1 at 44+4", "end 0: 53 at 48+0",
			"operation 1: 22 at 48+4", "end 1: 22 at 64+0",
			"operation 2: 25 at 64+4", "stateid.other 12 at 72+12", "READargs.count 512 at 92+4", "end 2: 25 at 96+0",
			"operation 3: 9 at 96+4", "GETATTRargs.request 2 at 104+8", "end 3: 9 at 112+0",
			"COMPOUNDargs.ops 4 at 16+96",
		},
	},
	{
		"reply", xdrsample.CompoundReply, func(p *walk.Plan) *walk.Route { return sampleResult(p, 1) },
		[]string{"attrvalue.size", "attrvalue.type", "attrvalue.mtime", "READok.eof", "COMPOUNDres.status"},
		[]string{
			"COMPOUNDres.status 0 at 0+4", "status 0 true at 0+4",
			"operation 0: 22 at 16+4", "status 0 true at 20+4", "end 0: 22 at 24+0",
			"operation 1: 25 at 24+4", "status 0 true at 28+4", "READok.eof 1 at 32+4", "eligible data 9 at 40+9", "end 1: 25 at 52+0",
			"operation 2: 9 at 52+4", "status 0 true at 56+4", "attrvalue.type 2 at 72+4", "attrvalue.size 4096 at 76+8", "end 2: 9 at 84+0",
		},
	},
	{
		"reply with a status", hexBytes(5, data(""), 1, 22, -1), func(p *walk.Plan) *walk.Route { return sampleResult(p, 1) }, nil,
		[]string{"status 5 false at 0+4", "operation 0: 22 at 12+4", "status -1 false at 16+4", "end 0: 22 at 20+0"},
	},
	{
		"list", hexBytes(0, 1, uint64(7), data("a.c"), 1, 1, 1<<4, data("\x00\x00\x00\x00\x00\x00\x00\x09"), 1, uint64(8), data(""), 0, 0, 1),
		func(p *walk.Plan) *walk.Route { return sampleResult(p, 2) },
		[]string{"READDIRres.entries", "entry.name", "entry.attrs", "attrvalue.size", "READDIRres.eof"},
		[]string{
			"status 0 true at 0+4", "entry.name 3 at 20+3", "entry.attrs 1 at 24+4", "attrvalue.size 9 at 40+8",
			"entry.name 0 at 64+0", "entry.attrs 0 at 64+4", "READDIRres.entries 2 at 4+68", "READDIRres.eof 1 at 72+4",
		},
	},
	{
		"tree", hexBytes(1, 1 /* left */, -2, 0, 0, 2, 3, 0, 0, 4, 0, 0), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 3) },
		[]string{"tree.value", "tree.left", "tree.children"},
		[]string{
			"tree.value 1 at 0+4", "tree.left 1 at 4+4",
			"tree.value -2 at 8+4", "tree.left 0 at 12+4", "tree.children 0 at 20+0",
			"tree.value 3 at 24+4", "tree.left 0 at 28+4", "tree.children 0 at 36+0",
			"tree.value 4 at 36+4", "tree.left 0 at 40+4", "tree.children 0 at 48+0",
			"tree.children 2 at 24+24",
		},
	},
	{
		"contents", hexBytes(data("name!"), 17, 1, uint64(60), 5, 1, data("\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x00\x02ab\x00\x00"), data("\x00\x00\x00\x00\x00\x00\x00\x3c\x00\x00\x00\x07")),
		func(p *walk.Plan) *walk.Route { return sampleArgs(p, 4) },
		[]string{"fileslayout.stripe", "fileslayout.handles", "nfstime.nseconds", "LINKargs.when", "layout.body"},
		[]string{
			"eligible name 5 at 4+5", "LINKargs.when 12 at 20+12", "nfstime.nseconds 5 at 28+4", "layout.body 16 at 40+16",
			"fileslayout.stripe 8 at 40+4", "fileslayout.handles 1 at 48+8", "nfstime.nseconds 7 at 68+4",
		},
	},
	{
		"another arm of a content", hexBytes(data(""), 0, 0, 3, data("\x00\x00\x00\x00\x00\x00\x00\x05"), data("")),
		func(p *walk.Plan) *walk.Route { return sampleArgs(p, 4) },
		[]string{"layoutbody.extent", "fileslayout.stripe"},
		[]string{"eligible name 0 at 4+0", "layoutbody.extent 5 at 20+8"},
	},
	{"several arguments", hexBytes(-5, uint64(1)<<63), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 5) }, nil, nil},
}

func TestWalk(t *testing.T) {
	for _, tt := range walks {
		t.Run(tt.name, func(t *testing.T) {
			p := sample(t, tt.marks...)
			var w walk.Walker
			w.Walk(tt.route(p), tt.bytes, walk.Reduction{})
			if got := told(&w, p, tt.marks...); !slices.Equal(got, tt.want) {
				t.Errorf("events are\n%q, want\n%q", got, tt.want)
			}
			if w.Fault.Bad() || w.Consumed != len(tt.bytes) || w.Unreduced != uint64(len(tt.bytes)) {
				t.Errorf("fault %q, consumed %d, unreduced %d; want none, %d", w.Fault, w.Consumed, w.Unreduced, len(tt.bytes))
			}
		})
	}
}

// TestWalkCutShort cuts every walk at every byte: what is told before the
// fault is what was reported of the whole.
func TestWalkCutShort(t *testing.T) {
	for _, tt := range walks {
		p := sample(t, tt.marks...)
		var w walk.Walker
		w.Walk(tt.route(p), tt.bytes, walk.Reduction{})
		whole := slices.Clone(w.Events)
		for n := range len(tt.bytes) {
			w.Walk(tt.route(p), tt.bytes[:n], walk.Reduction{})
			if !w.Fault.Bad() || !w.Cut {
				t.Errorf("%s cut at byte %d: fault %q, Cut %v", tt.name, n, w.Fault, w.Cut)
			}
			checkPrefix(t, fmt.Sprintf("%s cut at byte %d", tt.name, n), w.Events, whole)
			sameFault(t, fmt.Sprintf("%s cut at byte %d", tt.name, n), tt.route(p), tt.bytes[:n], walk.Reduction{}, w.Fault)
		}
	}
}

// checkPrefix checks that events are the first ones of a longer walk. Where
// the bytes end within something that is counted, what is in it may be told
// and it not; nothing else may be left out.
func checkPrefix(t *testing.T, name string, got, whole []walk.Event) {
	t.Helper()
	if len(got) > len(whole) || !slices.Equal(got, whole[:len(got)]) {
		t.Errorf("%s: events are\n%+v, no begin of\n%+v", name, got, whole)
	}
}

// sameFault checks that the tree has the walk's fault, on one node, and no
// other.
func sameFault(t *testing.T, name string, r *walk.Route, b []byte, reduced walk.Reduction, want field.Fault) {
	t.Helper()
	n := view.Nodes(r, b, 0, reduced, nil)
	var faults []string
	each(&n, func(n *field.Node) {
		if n.Fault != "" {
			faults = append(faults, n.Fault)
		}
	})
	if len(faults) > 1 || want.Bad() != (len(faults) == 1) || want.Bad() && faults[0] != want.String() {
		t.Errorf("%s: the tree has the faults %q, the walk %q", name, faults, want)
	}
}

// each calls f for a node and all below it, in order.
func each(n *field.Node, f func(n *field.Node)) {
	f(n)
	for i := range n.Children {
		each(&n.Children[i], f)
	}
}

func TestWalkFaults(t *testing.T) {
	deep := []byte{}
	for range 100 {
		deep = append(deep, hexBytes(1, 1)...)
	}
	for _, tt := range []struct {
		name  string
		data  []byte
		route func(p *walk.Plan) *walk.Route
		want  field.Fault
		cut   bool
	}{
		{"unknown operation", hexBytes(data(""), 1, 1, 99, 0), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 1) }, field.Fault{Offset: 12, Reason: "union has no arm for the discriminant"}, false},
		{"bad Boolean", hexBytes(0, 0, 2), func(p *walk.Plan) *walk.Route { return sampleResult(p, 2) }, field.Fault{Offset: 8, Reason: "Boolean is neither 0 nor 1"}, false},
		{"bad optional", hexBytes(0, 2, 0), func(p *walk.Plan) *walk.Route { return sampleResult(p, 2) }, field.Fault{Offset: 4, Reason: "Boolean is neither 0 nor 1"}, false},
		{"long handle", hexBytes(129, "abc"), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 2) }, field.Fault{Offset: 0, Reason: "length is above its limit"}, false},
		{"too many children", hexBytes(1, 0, 3), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 3) }, field.Fault{Offset: 8, Reason: "count is above its limit"}, false},
		{"count of 2^32-1", hexBytes(data(""), 0, -1, 9), func(p *walk.Plan) *walk.Route { return sampleArgs(p, 1) }, field.Fault{Offset: 8, Reason: "count runs past the message"}, true},
		{"deep", deep, func(p *walk.Plan) *walk.Route { return sampleArgs(p, 3) }, field.Fault{Offset: 8 * 65, Reason: "items nest too deep"}, false},
	} {
		p := sample(t)
		var w walk.Walker
		w.Walk(tt.route(p), tt.data, walk.Reduction{})
		if w.Fault != tt.want || w.Cut != tt.cut {
			t.Errorf("%s: fault %q, Cut %v; want %q, %v", tt.name, w.Fault, w.Cut, tt.want, tt.cut)
		}
		sameFault(t, tt.name, tt.route(p), tt.data, walk.Reduction{}, tt.want)
	}
}

// TestLongList walks a list that is far longer than items may nest.
func TestLongList(t *testing.T) {
	b := hexBytes(0)
	for i := range 20000 {
		b = append(b, hexBytes(1, uint64(i), data("x"), 0)...)
	}
	b = append(b, hexBytes(0, 1)...)
	p := sample(t, "READDIRres.entries", "entry.name")
	var w walk.Walker
	w.Walk(sampleResult(p, 2), b, walk.Reduction{})
	if w.Fault.Bad() || w.Consumed != len(b) || !w.Dropped || len(w.Events) != walk.MaxEvents {
		t.Errorf("fault %q, consumed %d of %d, %d events, Dropped %v", w.Fault, w.Consumed, len(b), len(w.Events), w.Dropped)
	}
	n := view.Nodes(sampleResult(p, 2), b, 0, walk.Reduction{}, nil)
	if n.End != len(b) || n.Children[2].Name != "eof" || n.Children[1].Value != "20000 elements" {
		t.Errorf("tree ends at %d of %d with %+v", n.End, len(b), n.Children[2])
	}
}

// TestUnknownAttribute ends the decoding of attributes, not of the stream.
func TestUnknownAttribute(t *testing.T) {
	p := sample(t, "attrvalue.type", "attrvalue.mtime")
	b := hexBytes(0, data(""), 1, 9, 0, 2, 1<<1|1<<3, 1<<1, data("\x00\x00\x00\x02????????????"))
	var w walk.Walker
	w.Walk(sampleResult(p, 1), b, walk.Reduction{})
	want := []string{"status 0 true at 0+4", "operation 0: 9 at 12+4", "status 0 true at 16+4", "attrvalue.type 2 at 36+4", "end 0: 9 at 52+0"}
	if got := told(&w, p, "attrvalue.type", "attrvalue.mtime"); !slices.Equal(got, want) || w.Fault.Bad() || w.Consumed != len(b) {
		t.Errorf("events are %q, fault %q", got, w.Fault)
	}
	n := view.Nodes(sampleResult(p, 1), b, 0, walk.Reduction{}, nil)
	var rest []string
	each(&n, func(n *field.Node) {
		if n.Name == "not decoded" {
			rest = append(rest, fmt.Sprintf("%s %d-%d", n.Value, n.Start, n.End))
		}
	})
	if want := []string{"3f3f3f3f3f3f3f3f3f3f3f3f 40-52"}; !slices.Equal(rest, want) {
		t.Errorf("not decoded is %q, want %q", rest, want)
	}
}

// TestStatusAlone has results that are a status and nothing else, of a procedure
// and of an operation.
func TestStatusAlone(t *testing.T) {
	s, err := types.Parse("t.x", `
enum st { /* @status FINE */ FINE = 0, BAD = 1 };
enum op { /* @prefix OP_ */ OP_A = 1 };
union res switch (op o) { case OP_A: st status; };
struct many { int n; res ops<>; };
program P { version V { st ONE(void) = 1; many TWO(st) = 2; } = 1; } = 1;`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := walk.NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	var w walk.Walker
	w.Walk(p.Result(s.Procedure(1, 1, 1)), hexBytes(1), walk.Reduction{})
	if got, want := told(&w, p), []string{"status 1 false at 0+4"}; !slices.Equal(got, want) {
		t.Errorf("events are %q, want %q", got, want)
	}
	w.Walk(p.Result(s.Procedure(1, 1, 2)), hexBytes(9, 2, 1, 0, 1, 1), walk.Reduction{})
	want := []string{"operation 0: 1 at 8+4", "status 0 true at 12+4", "end 0: 1 at 16+0", "operation 1: 1 at 16+4", "status 1 false at 20+4", "end 1: 1 at 24+0"}
	if got := told(&w, p); !slices.Equal(got, want) {
		t.Errorf("events are %q, want %q", got, want)
	}
	if got := string(view.AppendSummary(nil, &w)); got != "A; A BAD" {
		t.Errorf("summary is %q", got)
	}
	w.Walk(p.Args(s.Procedure(1, 1, 2)), hexBytes(1), walk.Reduction{})
	if got := told(&w, p); len(got) > 0 {
		t.Errorf("an argument is told as a status: %q", got)
	}
}
