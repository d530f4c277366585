package nfs_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// lines are the values of a walk, the status, and what stands between them and
// the bytes: "read3args.offset 65536".
func lines(plan *walk.Plan, w *walk.Walker, data []byte) (values []string, status string) {
	seen := make(map[string]bool)
	for i := range w.Events {
		e := &w.Events[i]
		switch e.Kind {
		case walk.Status:
			status = fmt.Sprint(int64(e.Value))
			if e.OK {
				status += " ok"
			}
		case walk.Value:
			f := plan.Marks[e.Mark].Field
			if f == nil {
				continue // of a summary, of a type that is no struct
			}
			_, key, _ := strings.Cut(f.Key, ".")
			value := fmt.Sprint(int64(e.Value))
			if k := f.Type.Kind; k == types.Opaque || k == types.FixedOpaque || k == types.String {
				value = string(data[e.Offset:][:e.Length])
			}
			// Summaries and keys ask for the same value.
			if at := fmt.Sprint(f.Key, " ", e.Offset); !seen[at] {
				seen[at] = true
				values = append(values, key+" "+value)
			}
		}
	}
	return values, status
}

// within reports whether some lines stand among others, in their order.
func within(some, all []string) bool {
	for _, line := range some {
		i := slices.Index(all, line)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// handles puts the handles of a vector's summary as they are shown.
func handles(line string) string {
	for name, fh := range map[string]string{"{fh2}": string(fh2), "{fh3}": fh3, `{"a handle"}`: "a handle"} {
		line = strings.ReplaceAll(line, name, fmt.Sprintf("0x%08x", crc32.ChecksumIEEE([]byte(fh))))
	}
	return line
}

// TestAuxVectors walks over every vector: to its end, with the values and the
// summary that stand with it; and cut at every byte, which is a fault, and
// tells nothing that the whole vector does not.
func TestAuxVectors(t *testing.T) {
	spec := parseTexts(t, auxTexts...)
	plan := every(t, spec)
	for _, v := range auxVectors {
		proc := spec.Procedure(v.prog, v.vers, v.proc)
		if proc == nil {
			t.Errorf("%s: no such procedure", v.name)
			continue
		}
		for _, side := range []struct {
			name   string
			route  *walk.Route
			data   []byte
			in     string
			line   string
			status string
		}{
			{"arguments", plan.Args(proc), v.args, v.inArgs, v.argsLine, ""},
			{"result", plan.Result(proc), v.result, v.inResult, v.resultLine, v.status},
		} {
			var w walk.Walker
			w.Walk(side.route, side.data, walk.Reduction{})
			if w.Fault.Bad() || w.Consumed != len(side.data) {
				t.Errorf("%s: %s: %v, %d of %d bytes", v.name, side.name, w.Fault, w.Consumed, len(side.data))
				continue
			}
			got, status := lines(plan, &w, side.data)
			if !within(values(side.in), got) {
				t.Errorf("%s: %s has %q, want %q", v.name, side.name, got, values(side.in))
			}
			if status != side.status {
				t.Errorf("%s: status of %s is %q, want %q", v.name, side.name, status, side.status)
			}
			if line := string(view.AppendSummary(nil, &w)); line != handles(side.line) {
				t.Errorf("%s: %s is %q, want %q", v.name, side.name, line, handles(side.line))
			}
			cutEverywhere(t, v.name+": "+side.name, side.route, side.data)
		}
	}
}

// cutEverywhere walks over the first bytes of a value, as many as there are
// and fewer: fewer than all are a fault that says so, and the events before it
// are those of the whole value, as far as they lie in these bytes.
func cutEverywhere(t *testing.T, name string, route *walk.Route, data []byte) {
	t.Helper()
	var whole, w walk.Walker
	whole.Walk(route, data, walk.Reduction{})
	for n := range data {
		w.Walk(route, data[:n:n], walk.Reduction{})
		if !w.Fault.Bad() || !w.Cut || w.Fault.Offset > n {
			t.Fatalf("%s: cut to %d of %d bytes: fault %v, cut %v", name, n, len(data), w.Fault, w.Cut)
		}
		rest := whole.Events
		for _, e := range w.Events {
			i := slices.Index(rest, e)
			if i < 0 {
				t.Fatalf("%s: cut to %d of %d bytes: %+v is not in the whole", name, n, len(data), e)
			}
			rest = rest[i+1:]
			if end := int(e.Offset) + int(e.Length); end > n {
				t.Fatalf("%s: cut to %d of %d bytes: %+v ends at %d", name, n, len(data), e, end)
			}
		}
	}
}

// TestAuxNonsense changes a byte of each vector: whatever comes of it, walking
// ends, within the bytes.
func TestAuxNonsense(t *testing.T) {
	spec := parseTexts(t, auxTexts...)
	plan := every(t, spec)
	random := rand.New(rand.NewPCG(3, 4))
	var w walk.Walker
	for _, v := range auxVectors {
		proc := spec.Procedure(v.prog, v.vers, v.proc)
		data := slices.Clone(v.result)
		for i := range data {
			before := data[i]
			data[i] = byte(random.Uint32())
			w.Walk(plan.Result(proc), data, walk.Reduction{})
			if w.Consumed > len(data) || w.Fault.Offset > len(data) {
				t.Fatalf("%s with byte %d changed: consumed %d of %d, %v", v.name, i, w.Consumed, len(data), w.Fault)
			}
			view.AppendSummary(nil, &w)
			data[i] = before
		}
	}
}

// TestAuxReduced walks over the messages from which RPC-over-RDMA takes data
// away, whole and reduced: the same values but for the data, which are in the
// chunk.
func TestAuxReduced(t *testing.T) {
	spec := parseTexts(t, auxTexts...)
	plan := every(t, spec)
	const start = 40 // bytes of an RPC header
	reduced := 0
	for _, v := range auxVectors {
		proc := spec.Procedure(v.prog, v.vers, v.proc)
		for _, side := range []struct {
			route *walk.Route
			data  []byte
		}{{plan.Args(proc), v.args}, {plan.Result(proc), v.result}} {
			var w walk.Walker
			w.Walk(side.route, side.data, walk.Reduction{Start: start})
			whole, _ := lines(plan, &w, side.data)
			item := slices.IndexFunc(w.Events, func(e walk.Event) bool { return e.Kind == walk.Item })
			if item < 0 {
				continue
			}
			reduced++
			e := w.Events[item]
			if !e.Eligible || e.Position != start+uint64(e.Offset) {
				t.Errorf("%s: item is %+v", v.name, e)
			}
			inline := slices.Delete(slices.Clone(side.data), int(e.Offset), int(e.Offset+(e.Length+3)&^3))
			r := walk.Reduction{Start: start, Writes: []uint32{e.Length}}
			if !side.route.IsResult {
				r = walk.Reduction{Start: start, Reads: []walk.ReadChunk{{Position: uint32(e.Position), Length: e.Length}}}
			}
			w.Walk(side.route, inline, r)
			if w.Fault.Bad() || w.Consumed != len(inline) || w.Unreduced != uint64(len(side.data)) || w.Chunks != 1 {
				t.Errorf("%s reduced: %v, consumed %d of %d, unreduced %d of %d, %d chunks", v.name, w.Fault, w.Consumed, len(inline), w.Unreduced, len(side.data), w.Chunks)
				continue
			}
			if got, _ := lines(plan, &w, append(inline, side.data...)); len(got) != len(whole) {
				t.Errorf("%s reduced: %d values, %d whole", v.name, len(got), len(whole))
			}
			if e := w.Events[slices.IndexFunc(w.Events, func(e walk.Event) bool { return e.Kind == walk.Item })]; e.Chunk != 0 || !e.Eligible {
				t.Errorf("%s reduced: item is %+v", v.name, e)
			}
		}
	}
	if reduced != 6 {
		t.Errorf("%d vectors have an eligible item, want 6", reduced)
	}
}
