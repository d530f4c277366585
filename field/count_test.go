package field

import "testing"

func TestCounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(AppendCount([]byte("of "), 1, "frame")), "of 1 frame"},
		{string(AppendCount(nil, 0, "RPC")), "0 RPCs"},
		{ByteCount(1), "1 byte"},
		{ByteCount(uint64(4096)), "4096 bytes"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
