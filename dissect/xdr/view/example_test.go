package view_test

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// The data of a WRITE travelled in a Read chunk: in the stream are the words
// before them, and their length.
func Example() {
	spec, err := types.Parse("store.x", `
		struct WRITEargs {
			/* @summary "{name} offset {offset} {data}" */
			string         name<255>;
			unsigned hyper offset;
			opaque         data<>;  /* @eligible @as count */
		};
		program STORE { version STORE_1 { int WRITE(WRITEargs) = 7; } = 1; } = 400000;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := walk.NewPlan(spec, "store.writeargs.offset")
	if err != nil {
		fmt.Println(err)
		return
	}
	content := []byte("\x00\x00\x00\x04file\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x20\x00")

	var w walk.Walker
	w.Walk(plan.Args(spec.Procedure(400000, 1, 7)), content, walk.Reduction{
		Start: 40, // bytes of the RPC header before the arguments
		Reads: []walk.ReadChunk{{Position: 60, Length: 8192}},
	})
	for _, e := range w.Events {
		if e.Kind == walk.Item {
			fmt.Println(plan.Fields[e.Field].Key, e.Length, "bytes in Read chunk", e.Chunk, "at Position", e.Position)
		}
	}
	fmt.Println(string(view.AppendSummary(nil, &w)))
	fmt.Println(w.Consumed, "bytes inline,", w.Unreduced, "in all")
	// Output:
	// store.writeargs.data 8192 bytes in Read chunk 0 at Position 60
	// "file" offset 4096 8192 bytes
	// 20 bytes inline, 8212 in all
}
