package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// Handle is an R_key, STag or XID as the JSON contract writes it.
func Handle(h uint32) string { return fmt.Sprintf("0x%08x", h) }

// Handles are the first of some handles or XIDs, for a person.
func Handles(list []uint32) string {
	const most = 8
	var b strings.Builder
	for i, h := range list {
		switch {
		case i == most:
			fmt.Fprintf(&b, " and %d more", len(list)-most)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(Handle(h))
	}
	return b.String()
}

// Versions is a range of versions for a person: "version 1 only", "versions 2 to 4".
func Versions(low, high uint32) string {
	if low == high {
		return fmt.Sprintf("version %d only", low)
	}
	return fmt.Sprintf("versions %d to %d", low, high)
}

// Offset is a virtual address or tagged offset as the JSON contract writes it.
func Offset(offset uint64) string { return fmt.Sprintf("0x%016x", offset) }

// Duration is a time in nanoseconds for a person, to three digits.
func Duration(ns int64) string { return string(field.AppendDuration(nil, ns)) }

// Ref is the number of a frame.
func Ref(v *dissect.FrameView) flow.Ref { return v.Frame.Ref() }

// Count is a number of bytes for a person, in the largest unit that leaves no rest.
func Count(size uint64) string {
	if size == 1 {
		return "1 byte"
	}
	units := [...]string{"bytes", "KiB", "MiB", "GiB"}
	u := 0
	for u < len(units)-1 && size >= 1024 && size%1024 == 0 {
		size /= 1024
		u++
	}
	return strconv.FormatUint(size, 10) + " " + units[u]
}

// Moment is when a frame was captured.
func Moment(v *dissect.FrameView) flow.Moment { return flow.Moment{Ref: Ref(v), Time: v.Frame.Time} }

// Rate is how many bytes go in a second, for a person, to three digits.
func Rate(perSecond float64) string {
	units := [...]string{"B/s", "kB/s", "MB/s", "GB/s"}
	u := 0
	for u < len(units)-1 && perSecond >= 1000 {
		perSecond /= 1000
		u++
	}
	digits := 0
	if u > 0 {
		digits = max(0, 2-int(math.Log10(max(perSecond, 1))))
	}
	return strconv.FormatFloat(perSecond, 'f', digits, 64) + " " + units[u]
}
