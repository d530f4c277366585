package filter_test

import (
	"fmt"
	"time"

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
