package filter

import (
	"math"
	"testing"
	"time"
)

func TestParseUint(t *testing.T) {
	for _, c := range []struct {
		s    string
		want uint64
		ok   bool
	}{
		{"0", 0, true}, {"42", 42, true}, {"18446744073709551615", math.MaxUint64, true}, {"18446744073709551616", 0, false},
		{"0x2A", 42, true}, {"0Xffffffffffffffff", math.MaxUint64, true}, {"0x", 0, false}, {"0x1g", 0, false}, {"0x1_0", 0, false},
		{"0b101", 5, true}, {"0b2", 0, false}, {"0o644", 420, true}, {"0o8", 0, false}, {"0644", 0, false}, {"00", 0, true},
		{"1k", 1000, true}, {"4KiB", 4096, true}, {"4kB", 4000, true}, {"1M", 1e6, true}, {"1MiB", 1 << 20, true},
		{"3GB", 3e9, true}, {"2GiB", 2 << 30, true}, {"5T", 5e12, true}, {"1TiB", 1 << 40, true},
		{"1.5KiB", 1536, true}, {"1.25k", 1250, true}, {"0.5MiB", 1 << 19, true}, {"1.50k", 1500, true}, {"0.0009765625KiB", 1, true},
		{"0.1KiB", 0, false}, {"1.0005k", 0, false}, {"1.5", 0, false}, {"1.0", 0, false}, {"1.", 0, false}, {".5k", 0, false}, {"1.k", 0, false},
		{"16777215.9990234375TiB", 1<<64 - 1<<30, true},
		{"16777216TiB", 0, false}, {"18446744073709551.615k", math.MaxUint64, true}, {"18446744073709551.616k", 0, false},
		{"1K", 0, false}, {"1kib", 0, false}, {"1ms", 0, false}, {"k", 0, false}, {"", 0, false}, {"+1", 0, false}, {"-1", 0, false},
		{"1_000", 0, false}, {"1e3", 0, false}, {"1,5k", 0, false}, {"١", 0, false}, {"1.99999999999999999999k", 0, false},
	} {
		got, w := parseUint(c.s)
		if (w == nil) != c.ok || c.ok && got != c.want {
			t.Errorf("%s: %d, %+v, want %d, %v", c.s, got, w, c.want, c.ok)
		}
	}
}

func TestParseInt(t *testing.T) {
	for _, c := range []struct {
		s    string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"-1", -1, true}, {"-0x10", -16, true}, {"-1.5k", -1500, true}, {"7", 7, true},
		{"9223372036854775807", math.MaxInt64, true}, {"9223372036854775808", 0, false},
		{"-9223372036854775808", math.MinInt64, true}, {"-9223372036854775809", 0, false},
		{"--1", 0, false}, {"-", 0, false}, {"", 0, false},
	} {
		got, w := parseInt(c.s)
		if (w == nil) != c.ok || c.ok && got != c.want {
			t.Errorf("%s: %d, %+v, want %d, %v", c.s, got, w, c.want, c.ok)
		}
	}
}

func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		s    string
		want time.Time
	}{
		{"2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{"2026-01-31 15:04", time.Date(2026, 1, 31, 15, 4, 0, 0, time.UTC)},
		{"2026-01-31T15:04:05", time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)},
		{"2026-01-31 15:04:05.000000001", time.Date(2026, 1, 31, 15, 4, 5, 1, time.UTC)},
		{"2026-01-31 15:04:05 UTC", time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)},
		{"2026-01-31T15:04:05.5+02:00", time.Date(2026, 1, 31, 13, 4, 5, 5e8, time.UTC)},
		{"2026-01-31T15:04Z", time.Date(2026, 1, 31, 15, 4, 0, 0, time.UTC)},
		{"1969-12-31T23:59:59Z", time.Unix(-1, 0)},
		{"2026-02-30", time.Time{}}, {"15:04", time.Time{}}, {"", time.Time{}}, {"1", time.Time{}},
		{"1677-12-31", time.Time{}}, {"2262-01-01", time.Time{}},
	} {
		got, w := parseTime(c.s)
		if bad := c.want.IsZero(); bad != (w != nil) || !bad && got != c.want.UnixNano() {
			t.Errorf("%s: %d, %+v, want %v", c.s, got, w, c.want)
		}
	}
}
