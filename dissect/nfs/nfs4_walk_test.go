package nfs_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// TestReducedCompounds moves eligible data into chunks: what is left is walked
// to its end, and the items are found at their Positions.
func TestReducedCompounds(t *testing.T) {
	plan := plan(t)
	proc := plan.Spec.Procedure(rpc.ProgramNFS, 4, 1)
	const start = 40 // bytes of an RPC header
	write := []any{38, stateid, uint64(0), 2, 4097}
	read := []any{25, 0, true, 4097}
	for _, c := range []struct {
		name    string
		route   *walk.Route
		data    []byte
		reduced walk.Reduction
		// positions are those of the items, in chunks or not.
		positions []uint64
		chunks    int
	}{
		{"WRITE", plan.Args(proc), encode("", 2, 2, write, 10), walk.Reduction{Start: start, Reads: []walk.ReadChunk{{Position: start + 48, Length: 4097}}}, []uint64{start + 48}, 1},
		{"two WRITEs", plan.Args(proc), encode("", 2, 2, write, write), walk.Reduction{Start: start, Reads: []walk.ReadChunk{{Position: start + 48, Length: 4100}, {Position: start + 48 + 4100 + 36, Length: 4097}}}, []uint64{start + 48, start + 48 + 4100 + 36}, 2},
		{"CREATE of a symlink", plan.Args(proc), encode("", 2, 1, 6, 5, 1000, "name", 0, ""), walk.Reduction{Start: start, Reads: []walk.ReadChunk{{Position: start + 24, Length: 1000}}}, []uint64{start + 24}, 1},
		{"READ", plan.Result(proc), encode(0, "", 2, read, 10, 0, "a handle"), walk.Reduction{Start: start, Writes: []uint32{4097}}, []uint64{start + 28}, 1},
		{"READ inline, chunk unused", plan.Result(proc), encode(0, "", 2, 25, 0, true, "four", 10, 0, "a handle"), walk.Reduction{Start: start, Writes: []uint32{0}}, []uint64{start + 28}, 1},
		{"READ that failed, chunk unused", plan.Result(proc), encode(10011, "", 1, 25, 10011), walk.Reduction{Start: start, Writes: []uint32{0}}, nil, 0},
		{"READLINK", plan.Result(proc), encode(0, "", 1, 27, 0, 500), walk.Reduction{Start: start, Writes: []uint32{500}}, []uint64{start + 24}, 1},
		{"READ_PLUS, a hole first", plan.Result(proc), encode(0, "", 2, 68, 0, true, 2, 1, uint64(0), uint64(4096), 0, uint64(4096), 4097, 9, 0, 0, ""), walk.Reduction{Start: start, Writes: []uint32{4097}}, []uint64{start + 12 + 16 + 20 + 16}, 1},
	} {
		var w walk.Walker
		w.Walk(c.route, c.data, c.reduced)
		if w.Fault.Bad() || w.Consumed != len(c.data) || w.Chunks != c.chunks {
			t.Errorf("%s: %d of %d bytes, %d chunks, want %d, fault: %v", c.name, w.Consumed, len(c.data), w.Chunks, c.chunks, w.Fault)
		}
		var positions []uint64
		for _, e := range w.Events {
			if e.Kind == walk.Item {
				positions = append(positions, e.Position)
			}
		}
		if len(positions) != len(c.positions) {
			t.Errorf("%s: items at %v, want %v", c.name, positions, c.positions)
			continue
		}
		for i := range positions {
			if positions[i] != c.positions[i] {
				t.Errorf("%s: items at %v, want %v", c.name, positions, c.positions)
			}
		}
	}
}

// TestWalkAllocatesNothing walks over a whole sample.
func TestWalkAllocatesNothing(t *testing.T) {
	plan := plan(t)
	payloads := read(t, "rxe-basic").payloads
	var w walk.Walker
	line := make([]byte, 0, 4096)
	if n := allocs.Per(10, func() {
		for i := range payloads {
			p := &payloads[i]
			w.Walk(p.route(plan), p.bytes, p.reduced)
			line = view.AppendSummary(line[:0], &w)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkWalk goes over the arguments and results of a sample's COMPOUNDs.
func BenchmarkWalk(b *testing.B) {
	plan := plan(b)
	var payloads []payload
	var routes []*walk.Route
	for _, p := range read(b, "rxe-acl").payloads {
		if p.version == 4 {
			payloads, routes = append(payloads, p), append(routes, p.route(plan))
		}
	}
	var w walk.Walker
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := &payloads[i%len(payloads)]
		w.Walk(routes[i%len(payloads)], p.bytes, p.reduced)
	}
}

// FuzzPrograms walks over bytes as the arguments or result of any procedure of
// the texts, and builds the tree: neither fails, and they agree how far the
// value goes and whether it has a fault.
func FuzzPrograms(f *testing.F) {
	plan := plan(f)
	var routes []*walk.Route
	number := map[*walk.Route]uint16{}
	for _, program := range plan.Spec.Programs {
		for _, version := range program.Versions {
			for _, proc := range version.Procedures {
				for _, r := range []*walk.Route{plan.Args(proc), plan.Result(proc)} {
					number[r] = uint16(len(routes))
					routes = append(routes, r)
				}
			}
		}
	}
	payloads := read(f, "rxe-thresh").payloads
	for i := 0; i < len(payloads); i += 7 {
		p := &payloads[i]
		var first, length uint32
		if len(p.reduced.Reads) > 0 {
			first, length = p.reduced.Reads[0].Position, p.reduced.Reads[0].Length
		} else if len(p.reduced.Writes) > 0 {
			length = p.reduced.Writes[0]
		}
		f.Add(number[p.route(plan)], p.bytes, uint8(p.reduced.Start/4), first, length)
	}
	f.Fuzz(func(t *testing.T, n uint16, data []byte, start uint8, first, length uint32) {
		r := routes[int(n)%len(routes)]
		reduced := walk.Reduction{Start: 4 * uint32(start)}
		switch {
		case r.IsResult && length > 0:
			reduced.Writes = []uint32{length, 0, 7}
		case !r.IsResult && first > 0:
			reduced.Reads = []walk.ReadChunk{{Position: first, Length: length}, {Position: binary.BigEndian.Uint32([]byte{0, 1, byte(length), 0}), Length: 4}}
		}
		var w walk.Walker
		w.Walk(r, data, reduced)
		view.AppendSummary(nil, &w)
		if w.Consumed > len(data) || w.Consumed < 0 {
			t.Fatalf("%d of %d bytes", w.Consumed, len(data))
		}
		root := view.Nodes(r, data, 0, reduced, nil)
		faults := 0
		each(&root, func(n *field.Node) {
			if n.Start < 0 || n.End > len(data) || n.Start > n.End {
				t.Fatalf("%s has bytes %d to %d of %d", n.Name, n.Start, n.End, len(data))
			}
			if n.Fault != "" {
				faults++
			}
		})
		// What opaque data hold may be wrong in the tree and is not in the walk.
		if w.Fault.Bad() && faults == 0 {
			t.Fatalf("the walk has %v, the tree no fault", w.Fault)
		}
		if !w.Fault.Bad() && root.End != w.Consumed {
			t.Fatalf("the tree ends at %d, the walk at %d", root.End, w.Consumed)
		}
	})
}
