package finding

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// Evidence is a value by its name. Observed and Expected are what a person may
// compare: numbers, strings or booleans; Expected is nil where nothing certain
// was to be expected.
type Evidence struct {
	Name               string
	Observed, Expected any
}

// Key is the name in records: that of a duration or a size, which are numbers, ends in its unit.
func (e *Evidence) Key() string {
	unit := ""
	switch e.Observed.(type) {
	case Nanoseconds:
		unit = "_ns"
	case int, int64, uint16, uint32, uint64:
		if !isSize(e.Name) {
			return e.Name
		}
		unit = "_bytes"
	default:
		return e.Name
	}
	if e.Name == "bytes" {
		return "bytes"
	}
	name := strings.TrimPrefix(strings.TrimPrefix(e.Name, "bytes "), "of the ")
	return strings.ReplaceAll(name, " ", "_") + unit
}

// isSize reports whether the value of such a name is a number of bytes.
func isSize(name string) bool {
	switch name {
	case "bytes", "length", "Send length", "segment length", "inline threshold", "client to server", "server to client", "Reply chunk",
		"longest reply", "longest Send", "longest of them", "longest transport header", "margin", "limit before",
		"XCHAR_RBSIZ", "rdma_length_needed", "Receive Size", "PD_Length", "ULPDU_Length there", "path MTU":
		return true
	}
	for _, begin := range [...]string{"bytes ", "length of ", "room ", "ca_maxrequestsize", "ca_maxresponsesize"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// Nanoseconds is a time as evidence: in text to three digits and a unit, in JSON a number.
type Nanoseconds int64

// String is the time for a person.
func (n Nanoseconds) String() string { return string(field.AppendDuration(nil, int64(n))) }

// A Bound is an expected value that is a limit, not the one value that would be right: in text
// "at most 1024", in JSON the limit alone, in the unit of what was observed.
type Bound struct {
	least bool
	limit any
}

// AtMost is a limit that what was observed should not exceed: what Expected may be.
func AtMost(limit any) Bound { return Bound{limit: limit} }

// AtLeast is a limit that what was observed should reach: what Expected may be.
func AtLeast(limit any) Bound { return Bound{true, limit} }

// Limit is the number alone.
func (b Bound) Limit() any { return b.limit }

// String is the limit for a person.
func (b Bound) String() string {
	if b.least {
		return fmt.Sprint("at least ", b.limit)
	}
	return fmt.Sprint("at most ", b.limit)
}
