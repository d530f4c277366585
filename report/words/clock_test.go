package words

import (
	"testing"
	"time"
)

// TestTimeOfDay holds times of day and dates around midnight, and before 1970.
func TestTimeOfDay(t *testing.T) {
	for _, c := range []struct{ at, clock, date string }{
		{"2026-11-22T15:10:27.998Z", "15:10:27.998", "2026-11-22"},
		{"2026-11-22T23:59:59.999999999Z", "23:59:59.999", "2026-11-22"},
		{"2026-11-23T00:00:00Z", "00:00:00.000", "2026-11-23"},
		{"2028-02-29T09:05:03.007Z", "09:05:03.007", "2028-02-29"},
		{"1969-12-31T23:00:00.25Z", "23:00:00.250", "1969-12-31"},
		{"2026-11-22T01:30:00+02:00", "23:30:00.000", "2026-11-21"},
	} {
		at, err := time.Parse(time.RFC3339Nano, c.at)
		if err != nil {
			t.Fatal(err)
		}
		ns := at.UnixNano()
		if clock, date := string(AppendTimeOfDay(nil, ns)), string(AppendDate(nil, ns)); clock != c.clock || date != c.date {
			t.Errorf("%s is %s on %s, want %s on %s", c.at, clock, date, c.clock, c.date)
		}
		if m := Midnight(ns); m > ns || ns-m >= Day || string(AppendTimeOfDay(nil, m)) != "00:00:00.000" {
			t.Errorf("%s: its day began at %d", c.at, m)
		}
	}
}
