package filter_test

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// A call has two fields; its operations are several values of one.
type call struct {
	ops     []string
	latency time.Duration
}

func (c call) Values(field int, to *filter.Values) {
	switch field {
	case 0:
		for _, op := range c.ops {
			to.String(op)
		}
	case 1:
		to.Duration(c.latency)
	}
}

func Example() {
	set, err := filter.NewSet(
		filter.Field{Name: "nfs.op", Kind: filter.String},
		filter.Field{Name: "rpc.latency", Kind: filter.Duration},
	)
	if err != nil {
		panic(err)
	}
	slow, err := set.Compile(`nfs.op == "READ" and rpc.latency > 10ms`)
	if err != nil {
		panic(err)
	}
	fmt.Println(slow.Match(call{[]string{"PUTFH", "READ"}, 12 * time.Millisecond}))
	fmt.Println(slow.Match(call{[]string{"PUTFH", "READ"}, 2 * time.Millisecond}))

	_, err = set.Compile("rpc.latncy > 10ms")
	fmt.Println(err)
	// Output:
	// true
	// false
	// "rpc.latncy" is not a field
	//   rpc.latncy > 10ms
	//   ^~~~~~~~~~
	// did you mean rpc.latency?
}

// A header is filtered by the fields of its table.
type header struct {
	table *field.Table
	bytes []byte
}

func (h header) Values(field int, to *filter.Values) { to.Header(&h.table.Fields[field], h.bytes) }

func ExampleFields() {
	ports := &field.Table{Key: "udp", Name: "UDP", Title: "User Datagram Protocol", Ref: "RFC 768", Fields: []field.Field{
		{Name: "Source Port", Key: "srcport", Bit: 0, Width: 16},
		{Name: "Destination Port", Key: "dstport", Bit: 16, Width: 16},
		{Name: "Length", Key: "length", Bit: 32, Width: 16},
	}}
	set, err := filter.NewSet(filter.Fields(ports)...)
	if err != nil {
		panic(err)
	}
	roce, err := set.Compile("udp.dstport == 4791 and udp.length in {8 .. 64}")
	if err != nil {
		panic(err)
	}
	fmt.Println(roce.Match(header{ports, []byte{0xc2, 0xa1, 0x12, 0xb7, 0, 28, 0, 0}}))
	fmt.Println(roce.Match(header{ports, []byte{0xc2, 0xa1, 0x08, 0x01, 0, 28, 0, 0}}))
	// Output:
	// true
	// false
}

// A shell or a page completes what somebody types.
func ExampleSet_Completions() {
	set, err := filter.NewSet(
		filter.Field{Name: "rpc.latency", Kind: filter.Duration, Doc: "time from call to reply"},
		filter.Field{Name: "rpc.xid", Kind: filter.Uint, Doc: "transaction ID"},
	)
	if err != nil {
		panic(err)
	}
	for _, c := range set.Completions("rpc.latency > 10ms and rpc.") {
		fmt.Println(c.Text, "-", c.Doc)
	}
	// Output:
	// rpc.latency > 10ms and rpc.latency - time from call to reply
	// rpc.latency > 10ms and rpc.xid - transaction ID
}
