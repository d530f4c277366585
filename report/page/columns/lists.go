package columns

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A List is a column whose cells are lists of values, in the rows' own order. Other than
// sets they are written where they are, so that there may be any number of different
// ones.
type List struct {
	Name string
	// Differences says that a value is best written as what it has more than the one
	// before.
	Differences bool
}

// appendLists appends the columns of lists that have values, and the texts that are new
// in this block.
func (r *Block) appendLists(j *visible.JSON, names []List) {
	j.Name("lists")
	j.Open('{')
	for i := range r.lists {
		if l := &r.lists[i]; len(l.values) > 0 {
			l.appendTo(j, names[i])
		}
	}
	j.Close('}')
	j.Name("texts")
	j.Open('[')
	for _, s := range r.texts {
		appendBytes(j, s)
	}
	j.Close(']')
}

func (l *lists) appendTo(j *visible.JSON, list List) {
	j.Name(list.Name)
	j.Open('{')
	counts := column{"n", l.counts}
	counts.appendTo(j)
	if list.Differences {
		j.Name("d")
		j.Open('[')
		before := uint64(0)
		for _, v := range l.values {
			appendDifference(j, int64(v-before))
			before = v
		}
	} else {
		j.Name("v")
		j.Open('[')
		for _, v := range l.values {
			j.Whole(v)
		}
	}
	j.Close(']')
	j.Close('}')
}

// appendDifference appends a number as Whole does. One of 64 bits may have gone around.
func appendDifference(j *visible.JSON, v int64) {
	if v >= 0 {
		j.Whole(uint64(v))
		return
	}
	j.Sep()
	big := v < -visible.Exact
	if big {
		j.B = append(j.B, '"')
	}
	j.B = append(j.B, '-')
	j.B = strconv.AppendUint(j.B, uint64(-v), 10)
	if big {
		j.B = append(j.B, '"')
	}
}

// appendBytes appends text that a filter compares byte by byte, and so as it is: as a string
// if all of it is printable ASCII, else as a list with a string of hexadecimal digits.
func appendBytes(j *visible.JSON, s string) {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			j.Open('[')
			j.Hex([]byte(s))
			j.Close(']')
			return
		}
	}
	j.String(s)
}
