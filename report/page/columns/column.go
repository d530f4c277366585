package columns

import (
	"slices"
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A column is the values of one kind of a block of rows.
type column struct {
	name string
	v    []int64
}

// appendTo appends the column, and empties it: a value that all rows have stands alone.
func (c *column) appendTo(j *visible.JSON) {
	defer func() { c.v = c.v[:0] }()
	j.Name(c.name)
	if !slices.ContainsFunc(c.v, func(v int64) bool { return v != c.v[0] }) {
		j.Int(c.v[0])
		return
	}
	j.B = append(j.B, '[')
	for i, v := range c.v {
		if i > 0 {
			j.B = append(j.B, ',')
		}
		j.B = strconv.AppendInt(j.B, v, 10)
	}
	j.Close(']')
}
