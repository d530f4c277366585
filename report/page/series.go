package page

// A Series is what went over a connection in the course of time. All columns have as
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

func (s *Series) appendTo(j *buffer) {
	j.open('{')
	j.intOf("connection", int64(s.Connection))
	j.intOf("from", s.From)
	j.intOf("width", s.Width)
	j.name("columns")
	j.open('{')
	for _, c := range s.Columns {
		j.name(c.Name)
		j.open('[')
		for _, v := range c.Values {
			if v < 0 {
				j.null()
			} else {
				j.int(v)
			}
		}
		j.close(']')
	}
	j.close('}')
	j.close('}')
}
