package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// None stands where there is nothing to tell.
const None = "-"

// Number is a count; a dash for 0, so that what is there can be seen.
func Number(n int64) string {
	if n == 0 {
		return None
	}
	return strconv.FormatInt(n, 10)
}

// percent is a share. It is 0 or 100 only if it is none or all.
func percent(n, all int64) string {
	switch p := (100*n + all/2) / all; {
	case p == 0 && n > 0:
		return "<1"
	case p == 100 && n < all:
		return ">99"
	default:
		return strconv.FormatInt(p, 10)
	}
}

func duration(ns int64) string { return string(field.AppendDuration(nil, ns)) }
