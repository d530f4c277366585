package field

import "testing"

func TestAppendDuration(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{
		{0, "0 ns"}, {7, "7 ns"}, {999, "999 ns"},
		{1000, "1.00 µs"}, {1004, "1.00 µs"}, {1005, "1.01 µs"}, {9994, "9.99 µs"}, {9995, "10.0 µs"},
		{12_345, "12.3 µs"}, {99_950, "100 µs"}, {999_499, "999 µs"}, {999_500, "1.00 ms"},
		{43_606_000, "43.6 ms"}, {198_000_000, "198 ms"}, {999_999_999, "1.00 s"},
		{4_620_000_000, "4.62 s"}, {71_234_000_000, "71.2 s"}, {3_600_000_000_000, "3600 s"},
	} {
		if got := string(AppendDuration(nil, c.ns)); got != c.want {
			t.Errorf("%d ns is written %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestAppendSeconds(t *testing.T) {
	for ns, want := range map[int64]string{0: "0.000000000", 12: "0.000000012", -12: "-0.000000012", 2_390_000_001: "2.390000001", -1_500_000_000: "-1.500000000"} {
		if got := string(AppendSeconds(nil, ns)); got != want {
			t.Errorf("%d ns is written %q, want %q", ns, got, want)
		}
	}
}
