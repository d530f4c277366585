package words

import (
	"time"

	"github.com/rdmacap/rdmacap/field"
)

// A Clock writes times. The text of the last second is kept, since the frames
// of a capture lie close together.
type Clock struct {
	second int64
	text   []byte // of the second: "2026-11-21T05:27:40."
}

// Append appends nanoseconds since 1970 as RFC 3339 with nanoseconds, UTC.
func (c *Clock) Append(b []byte, ns int64) []byte {
	second := ns / 1e9
	ns %= 1e9
	if ns < 0 {
		second, ns = second-1, ns+1e9
	}
	if second != c.second || c.text == nil {
		c.second = second
		c.text = time.Unix(second, 0).UTC().AppendFormat(c.text[:0], "2006-01-02T15:04:05.")
	}
	b = append(b, c.text...)
	b = field.AppendDigits(b, ns, 100_000_000)
	return append(b, 'Z')
}

// Day is how long a day of UTC is, in nanoseconds: Unix time has no leap seconds.
const Day = int64(24 * time.Hour)

// Midnight is when the day of UTC began that a time is of, both in nanoseconds since 1970.
func Midnight(ns int64) int64 {
	since := ns % Day
	if since < 0 {
		since += Day
	}
	return ns - since
}

// AppendTimeOfDay appends the time of day of nanoseconds since 1970, in UTC and with milliseconds: "15:04:05.000".
// What is less than a millisecond is cut off, so that no time is of the next day.
func AppendTimeOfDay(b []byte, ns int64) []byte {
	ms := (ns - Midnight(ns)) / 1e6
	b = field.AppendDigits(b, ms/3_600_000, 10)
	b = append(b, ':')
	b = field.AppendDigits(b, ms/60_000%60, 10)
	b = append(b, ':')
	b = field.AppendDigits(b, ms/1000%60, 10)
	b = append(b, '.')
	return field.AppendDigits(b, ms%1000, 100)
}

// AppendDate appends the date of nanoseconds since 1970, in UTC: "2026-11-21".
func AppendDate(b []byte, ns int64) []byte {
	return time.Unix(0, ns).UTC().AppendFormat(b, time.DateOnly)
}
