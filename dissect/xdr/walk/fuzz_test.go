package walk_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// FuzzParse reads any text. What is taken makes a plan, and its routes walk
// over bytes that are not meant for them.
func FuzzParse(f *testing.F) {
	f.Add(xdrsample.Text)
	f.Add("struct A { opaque a<>; /* @eligible RFC 8267 section 6.2 */ };")
	f.Add("union U switch (int d) { case 1: U *next; default: void; }; typedef U V; program P { version V1 { V F(U, V) = 1; } = 1; } = 1;")
	f.Add("#ifdef A\n#else\n%#define N 4\ntypedef opaque T[N]; /* @as ipv4 @summary \"[{.}]\" */\n#endif")
	f.Add("enum E { A, B = A, C = -1 }; struct S { E e; int *x<C>; /* @as flags E */ };")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := types.Parse("f.x", text)
		if err != nil {
			if e, ok := err.(*syntax.Error); !ok || e.Line < 1 || e.Column < 1 || e.Reason == "" {
				t.Fatalf("error without a place: %#v", err)
			}
			return
		}
		var fields []string
		for x := range s.Fields() {
			if _, err := s.Mark(x.Key); err == nil && len(fields) < 50 {
				fields = append(fields, x.Key)
			}
		}
		for _, marks := range [][]string{nil, fields} {
			p, err := walk.NewPlan(s, marks...)
			if err != nil {
				t.Fatal(err)
			}
			for _, proc := range s.Procedures() {
				for _, b := range [][]byte{nil, xdrsample.CompoundCall, xdrsample.CompoundReply, make([]byte, 64)} {
					walkAndShow(t, p, p.Args(proc), b, walk.Reduction{})
					walkAndShow(t, p, p.Result(proc), b, walk.Reduction{Writes: []uint32{8}})
				}
			}
		}
	})
}

// FuzzWalk walks over any bytes as values of the sample, with any chunks.
func FuzzWalk(f *testing.F) {
	for _, tt := range walks {
		for proc := range uint8(12) {
			f.Add(tt.bytes, []byte{}, proc)
		}
	}
	f.Add(xdrsample.WriteCall(5000, 3), []byte{84, 0, 136, 19, 4, 20, 3, 0}, uint8(1))
	f.Add(xdrsample.ReadReply(1, 2), []byte{1, 0, 2, 0}, uint8(7))
	p := sample(f, "stateid.other", "fattr.mask", "attrvalue.size", "tree.value", "entry.name", "nfstime.seconds", "fileslayout.handles", "READok.data")
	f.Fuzz(func(t *testing.T, b, chunks []byte, which uint8) {
		proc := p.Spec.Procedures()[int(which)%len(p.Spec.Procedures())]
		r, reduced := p.Args(proc), walk.Reduction{}
		if which/6%2 == 1 {
			r = p.Result(proc)
			// With chunks of length 0, for both readings of them.
			for ; len(chunks) >= 2; chunks = chunks[2:] {
				reduced.Writes = append(reduced.Writes, uint32(binary.LittleEndian.Uint16(chunks)))
			}
		} else {
			for ; len(chunks) >= 4; chunks = chunks[4:] {
				reduced.Reads = append(reduced.Reads, walk.ReadChunk{uint32(binary.LittleEndian.Uint16(chunks)), uint32(binary.LittleEndian.Uint16(chunks[2:]))})
			}
		}
		walkAndShow(t, p, r, b, reduced)
	})
}

// walkAndShow checks what must hold whatever the bytes are.
func walkAndShow(t *testing.T, p *walk.Plan, r *walk.Route, b []byte, reduced walk.Reduction) {
	t.Helper()
	var w walk.Walker
	w.Walk(r, b, reduced)
	if w.Consumed > len(b) || !w.Fault.Bad() && w.Unreduced < uint64(w.Consumed) || w.Fault.Bad() && (w.Fault.Offset < 0 || w.Fault.Offset > len(b)) {
		t.Fatalf("consumed %d of %d, unreduced %d, fault %q", w.Consumed, len(b), w.Unreduced, w.Fault)
	}
	for _, e := range w.Events {
		if e.Chunk < 0 && uint64(e.Offset)+uint64(e.Length) > uint64(len(b)) || e.Kind == walk.Value && (e.Mark < 0 || int(e.Mark) >= len(p.Marks)) {
			t.Fatalf("event %+v of %d bytes", e, len(b))
		}
		if e.Kind == walk.Value {
			view.AppendValue(nil, &w, &e)
		}
	}
	view.AppendSummary(nil, &w)
	n := view.Nodes(r, b, 0, reduced, [][]byte{[]byte("chunk")})
	if n.Start != 0 || n.End > len(b) {
		t.Fatalf("tree lies in [%d,%d) of %d bytes", n.Start, n.End, len(b))
	}
	faults, inside := 0, 0
	each(&n, func(n *field.Node) {
		if n.Fault == w.Fault.String() && n.Fault != "" {
			faults++
		}
		if n.Fault == w.Inside.String() || n.Name == "not decoded" && n.Start == w.Inside.Offset {
			inside++
		}
		for i := range n.Children {
			if c := &n.Children[i]; c.Start < n.Start || c.End > n.End || c.Start > c.End {
				t.Fatalf("node %s [%d,%d) does not lie in %s [%d,%d)", c.Name, c.Start, c.End, n.Name, n.Start, n.End)
			}
		}
	})
	if w.Fault.Bad() && faults == 0 && w.Fault.Reason != walk.ReasonDeep {
		t.Fatalf("the tree has no fault %q", w.Fault)
	}
	// Of a bit without an attribute, and no bytes left, the tree has no node.
	if w.Inside.Bad() && inside == 0 && w.Inside.Reason != walk.ReasonAttribute && w.Inside.Reason != walk.ReasonDeep {
		t.Fatalf("the tree has nothing of %q, which is inside", w.Inside)
	}
	if !w.Fault.Bad() && n.End != w.Consumed {
		t.Fatalf("the tree ends at %d, the walk at %d", n.End, w.Consumed)
	}
}
