package stats

import (
	"fmt"
	"strconv"
)

// Percentiles are those of latencies that are reported, in percent.
var Percentiles = [...]int{50, 90, 99}

// A Column is a figure of an operation.
type Column struct {
	// Name is what programs and command lines call it, Doc what it is.
	Name, Doc string
	// Latency says that it is in nanoseconds, and that an operation without a reply has none;
	// others are counts.
	Latency bool
	// Of is the figure of an operation.
	Of func(o *Operation) int64
}

// Known reports whether an operation has the figure.
func (c *Column) Known(o *Operation) bool { return !c.Latency || o.Latency.Count > 0 }

// Columns are the figures of operations, as rows for programs have them.
func Columns() []Column {
	percentile := func(p int) Column {
		return Column{
			"p" + strconv.Itoa(p), fmt.Sprintf("the %dth percentile of latency", p), true,
			func(o *Operation) int64 { return o.Latency.Percentile(p) },
		}
	}
	return []Column{
		{"calls", "calls", false, func(o *Operation) int64 { return o.Calls }},
		{"replies", "replies", false, func(o *Operation) int64 { return o.Replies }},
		{"unanswered", "calls without a reply", false, func(o *Operation) int64 { return o.Unanswered }},
		{"incomplete", "RPCs with something missing", false, func(o *Operation) int64 { return o.Incomplete }},
		{"errors", "replies that report failure", false, func(o *Operation) int64 { return o.Failed }},
		{"call_bytes", "bytes of the calls as the upper layer saw them", false, func(o *Operation) int64 { return int64(o.CallBytes) }},
		{"reply_bytes", "bytes of the replies as the upper layer saw them", false, func(o *Operation) int64 { return int64(o.ReplyBytes) }},
		{"rdma_read_bytes", "bytes moved by RDMA Read", false, func(o *Operation) int64 { return int64(o.ReadBytes) }},
		{"rdma_write_bytes", "bytes moved by RDMA Write", false, func(o *Operation) int64 { return int64(o.WriteBytes) }},
		{"min", "the lowest latency", true, func(o *Operation) int64 { return o.Latency.Min }},
		percentile(Percentiles[0]), percentile(Percentiles[1]), percentile(Percentiles[2]),
		{"max", "the highest latency", true, func(o *Operation) int64 { return o.Latency.Max }},
	}
}
