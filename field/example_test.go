package field_test

import (
	"fmt"

	"github.com/rdmacap/rdmacap/field"
)

// The AckReq bit and the PSN are the last 32 bits of a Base Transport Header.
func Example() {
	table := field.Table{Key: "bth", Name: "BTH", Title: "Base Transport Header", Fields: []field.Field{
		{Name: "AckReq", Key: "ackreq", Bit: 64, Width: 1, Format: field.Flag},
		{Name: "PSN", Key: "psn", Bit: 72, Width: 24},
	}}
	bth := []byte{0x04, 0x40, 0xff, 0xff, 0, 0, 0, 0x11, 0x80, 0, 0, 100}

	fmt.Println(table.Lookup("psn").Uint(bth))
	tree := table.Node(bth, 0)
	fmt.Println(tree.Name)
	for _, n := range tree.Children {
		fmt.Printf("  bytes %d to %d: %s %s\n", n.Start, n.End, n.Name, n.Value)
	}
	// Output:
	// 100
	// Base Transport Header (BTH)
	//   bytes 8 to 9: AckReq 1
	//   bytes 9 to 12: PSN 100
}
