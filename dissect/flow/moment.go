package flow

// A Moment is when a frame was captured.
type Moment struct {
	Ref  Ref
	Time int64 // nanoseconds since 1970
}

// Before reports whether a frame was captured before another: of one file their
// numbers tell, of several files their times, as far as the clocks agree. What that
// says of the order in which they were sent is for Conn.Precedes to say.
func (m Moment) Before(o Moment) bool {
	if m.Ref.File != o.Ref.File {
		return m.Time < o.Time
	}
	return m.Ref.Number < o.Ref.Number
}
