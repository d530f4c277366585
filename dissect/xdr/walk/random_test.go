package walk_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// TestRandomTypes makes random types, encodes random values of them, with and
// without chunks, and holds the walk and the tree against what was encoded.
func TestRandomTypes(t *testing.T) {
	walked := 0
	for seed := range uint64(400) {
		m := maker{rnd: rand.New(rand.NewPCG(seed, 4))}
		root := m.composite(5)
		fmt.Fprintf(&m.text, "program P { version V { %s F(%s) = 1; } = 1; } = 1;\n", root.name, root.name)
		s, err := types.Parse("r.x", m.text.String())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &m.text)
		}
		p, err := walk.NewPlan(s, m.marks...)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &m.text)
		}
		for i := range 4 {
			e := encoder{rnd: m.rnd, start: m.rnd.IntN(200), isResult: i%2 == 1}
			e.value("", member{of: root})
			r := p.Args(s.Procedure(1, 1, 1))
			if e.isResult {
				r = p.Result(s.Procedure(1, 1, 1))
			}
			name := fmt.Sprintf("seed %d value %d", seed, i)
			if !holdWalk(t, name, p, r, &e) || !holdTree(t, name, r, &e) {
				t.Fatalf("of the types\n%s\n% x", &m.text, e.b)
			}
			walked += len(e.values)
		}
	}
	if walked < 15000 {
		t.Errorf("only %d values were looked at", walked)
	}
}

func (e *encoder) reduction() walk.Reduction {
	return walk.Reduction{Start: uint32(e.start), Reads: e.reads, Writes: e.writes}
}

// holdWalk checks the events, whole and cut short.
func holdWalk(t *testing.T, name string, p *walk.Plan, r *walk.Route, e *encoder) bool {
	var w walk.Walker
	w.Walk(r, e.b, e.reduction())
	var values, items []string
	for _, ev := range w.Events {
		more := ""
		if ev.Chunk >= 0 {
			more = fmt.Sprintf(" chunk %d", ev.Chunk)
		}
		switch ev.Kind {
		case walk.Value:
			m := p.Marks[ev.Mark]
			values = append(values, fmt.Sprintf("%s.%s %d at %d+%d position %d%s", m.Root.Name, m.Path, int64(ev.Value), ev.Offset, ev.Length, ev.Position, more))
		case walk.Item:
			items = append(items, fmt.Sprintf("%v %d at %d position %d%s", ev.Eligible, ev.Value, ev.Offset, ev.Position, more))
		}
	}
	ok := slices.Equal(values, e.values) && slices.Equal(items, e.items)
	if !ok || w.Fault.Bad() || w.Consumed != len(e.b) || w.Unreduced != uint64(len(e.b)+e.removed) || w.Chunks != len(e.reads)+len(e.writes) {
		t.Errorf("%s: fault %q, consumed %d of %d; values are\n%q, want\n%q; items are\n%q, want\n%q", name, w.Fault, w.Consumed, len(e.b), values, e.values, items, e.items)
		return false
	}
	whole := slices.Clone(w.Events)
	for n := 0; n < len(e.b); n += 1 + len(e.b)/64 {
		w.Walk(r, e.b[:n], e.reduction())
		if !w.Fault.Bad() || !w.Cut {
			t.Errorf("%s cut at byte %d: fault %q, Cut %v", name, n, w.Fault, w.Cut)
			return false
		}
		checkPrefix(t, name, w.Events, whole)
		sameFault(t, fmt.Sprintf("%s cut at byte %d", name, n), r, e.b[:n], e.reduction(), w.Fault)
	}
	return !t.Failed()
}

// holdTree checks the leaves of the tree and their extent.
func holdTree(t *testing.T, name string, r *walk.Route, e *encoder) bool {
	n := view.Nodes(r, e.b, 0, e.reduction(), e.chunks)
	var leaves, faults []string
	each(&n, func(n *field.Node) {
		if n.Fault != "" {
			faults = append(faults, n.Fault)
		}
		if len(n.Children) == 0 && n.Key != "" && n.Value != "absent" && !strings.HasSuffix(n.Value, " elements") && !strings.HasSuffix(n.Value, " element") {
			leaves = append(leaves, fmt.Sprintf("%s %d-%d", n.Name, n.Start, n.End))
		}
		for i := range n.Children {
			if c := &n.Children[i]; c.Start < n.Start || c.End > n.End || i > 0 && c.Start < n.Children[i-1].End {
				t.Errorf("%s: node %s %d-%d does not lie in %s %d-%d", name, c.Name, c.Start, c.End, n.Name, n.Start, n.End)
			}
		}
	})
	leaves = slices.DeleteFunc(leaves, func(s string) bool { return strings.HasPrefix(s, "[") })
	if len(faults) > 0 || n.Start != 0 || n.End != len(e.b) || !slices.Equal(leaves, e.leaves) {
		t.Errorf("%s: faults %q, ends at %d of %d, leaves\n%q, want\n%q", name, faults, n.End, len(e.b), leaves, e.leaves)
		return false
	}
	return !t.Failed()
}

// TestRandomFaults overwrites words of encoded values: the walk ends, within
// the bytes, and the tree has the same fault.
func TestRandomFaults(t *testing.T) {
	faults := 0
	for seed := range uint64(300) {
		m := maker{rnd: rand.New(rand.NewPCG(seed, 5))}
		root := m.composite(5)
		fmt.Fprintf(&m.text, "program P { version V { void F(%s) = 1; } = 1; } = 1;\n", root.name)
		s, err := types.Parse("r.x", m.text.String())
		if err != nil {
			t.Fatal(err)
		}
		marked, err := walk.NewPlan(s, m.marks...)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := walk.NewPlan(s)
		if err != nil {
			t.Fatal(err)
		}
		e := encoder{rnd: m.rnd}
		e.value("", member{of: root})
		for range 20 {
			b := slices.Clone(e.b)
			if at := m.rnd.IntN(len(b) / 4); m.rnd.IntN(3) > 0 {
				copy(b[4*at:], bytesAppend(nil, uint32(m.rnd.IntN(20))))
			} else {
				copy(b[4*at:], bytesAppend(nil, uint32(math.MaxUint32-m.rnd.IntN(4))))
			}
			var w, v walk.Walker
			w.Walk(marked.Args(s.Procedure(1, 1, 1)), b, e.reduction())
			v.Walk(plain.Args(s.Procedure(1, 1, 1)), b, e.reduction())
			if w.Fault != v.Fault || w.Cut != v.Cut || !w.Fault.Bad() && w.Consumed != v.Consumed {
				t.Fatalf("seed %d: with marks the fault is %q, without %q\n%s\n% x", seed, w.Fault, v.Fault, &m.text, b)
			}
			if w.Fault.Bad() {
				faults++
			}
			if fits := v.Fits(marked.Args(s.Procedure(1, 1, 1)), b, e.reduction()); fits != (!w.Fault.Bad() && w.Consumed == len(b)) {
				t.Fatalf("seed %d: fits %v, with the fault %q, and %d of %d bytes consumed\n%s\n% x", seed, fits, w.Fault, w.Consumed, len(b), &m.text, b)
			}
			sameFault(t, fmt.Sprintf("seed %d", seed), marked.Args(s.Procedure(1, 1, 1)), b, e.reduction(), w.Fault)
		}
	}
	if faults < 500 {
		t.Errorf("only %d values were wrong", faults)
	}
}
