package page

import "github.com/rdmacap/rdmacap/report/page/visible"

// A Series is what went over a connection, or with Connection 0 over all of them, in the course of time. All columns have as
// many bins.
type Series struct {
	Connection int
	// From is where the first bin begins, in nanoseconds since the start of the
	// capture, Width how long a bin is.
	From, Width int64
	Columns     []SeriesColumn
}

// A SeriesColumn has a value for each bin, -1 where there is none.
type SeriesColumn struct {
	Name   string
	Values []int64
}

func (s *Series) appendTo(j *visible.JSON) {
	j.Open('{')
	j.IntOf("connection", int64(s.Connection))
	j.IntOf("from", s.From)
	j.IntOf("width", s.Width)
	j.Name("columns")
	j.Open('{')
	for _, c := range s.Columns {
		j.Name(c.Name)
		j.Open('[')
		for _, v := range c.Values {
			if v < 0 {
				j.Null()
			} else {
				j.Int(v)
			}
		}
		j.Close(']')
	}
	j.Close('}')
	j.Close('}')
}
