package field

import "testing"

func TestAppendValue(t *testing.T) {
	opcode := func(v uint64) string { return map[uint64]string{4: "RC SEND Only"}[v] }
	permit := func(v uint64) string { return [...]string{"no", "yes"}[v] }
	for _, c := range []struct {
		name   string
		field  Field
		header string
		want   string
	}{
		{"decimal", Field{Width: 16}, "\x12\xb7", "4791"},
		{"decimal, 64 bits", Field{Width: 64}, "\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{"hexadecimal", Field{Width: 32, Format: Hex}, "\x00\x00\x0c\x82", "0x00000c82"},
		{"hexadecimal, of 24 bits after 8", Field{Bit: 8, Width: 24, Format: Hex}, "\xff\x00\x00\x11\xff", "0x000011"},
		{"hexadecimal, of 5 bits", Field{Bit: 3, Width: 5, Format: Hex}, "\xfe", "0x1e"},
		{"flag", Field{Bit: 1, Width: 1, Format: Flag}, "\x40", "1"},
		{"flag, not set", Field{Bit: 1, Width: 1, Format: Flag}, "\xbf", "0"},
		{"flag with a name", Field{Width: 1, Format: Flag, Enum: permit}, "\x80", "yes (1)"},
		{"named", Field{Width: 8, Format: Hex, Enum: opcode}, "\x04", "RC SEND Only (0x04)"},
		{"named, decimal", Field{Width: 8, Enum: opcode}, "\x04", "RC SEND Only (4)"},
		{"of no name", Field{Width: 8, Format: Hex, Enum: opcode}, "\x1f", "0x1f"},
		{"bytes", Field{Bit: 8, Width: 72, Format: Bytes}, "-\x00\x01\x02\x03\x04\x05\x06\x07\xff-", "0001020304050607ff"},
		{"MAC", Field{Width: 48, Format: MAC}, "\x52\x54\x00\x00\x00\x01", "52:54:00:00:00:01"},
		{"IPv4", Field{Width: 32, Format: IP}, "\xc0\x00\x02\x01", "192.0.2.1"},
		{"IPv6", Field{Width: 128, Format: IP}, "\x20\x01\x0d\xb8" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02", "2001:db8::2"},
		{"GID of an IPv4 address", Field{Width: 128, Format: IP}, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01", "::ffff:192.0.2.1"},
		{"an address of neither", Field{Width: 16, Format: IP}, "\xc0\x00", "c000"},
		{"text", Field{Width: 64, Format: ASCII}, "a \"b\"\n\x1b\xff", `"a \"b\"\n\x1b\xff"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(c.field.AppendValue([]byte("= "), []byte(c.header))); got != "= "+c.want {
				t.Errorf("%s, want = %s", got, c.want)
			}
		})
	}
}

func TestAppendHex(t *testing.T) {
	for _, c := range []struct {
		v      uint64
		digits int
		want   string
	}{
		{0, 1, "0x0"},
		{0, 0, "0x"},
		{0xc82, 8, "0x00000c82"},
		{0xc82, 3, "0xc82"},
		{0xc82, 2, "0xc82"},
		{0x1000, 1, "0x1000"},
		{1<<64 - 1, 16, "0xffffffffffffffff"},
		{1<<64 - 1, 0, "0xffffffffffffffff"},
	} {
		if got := string(AppendHex(nil, c.v, c.digits)); got != c.want {
			t.Errorf("%#x in %d digits: %s, want %s", c.v, c.digits, got, c.want)
		}
	}
}
