package link

import (
	"net/netip"
	"testing"
)

func TestAddr(t *testing.T) {
	mapped := hexBytes("00000000000000000000ffffc0000201")
	tests := []struct {
		name  string
		addr  Addr
		text  string
		ip    netip.Addr
		valid bool
	}{
		{"none", Addr{}, "?", netip.Addr{}, false},
		{"IPv4", AddrIPv4([]byte{192, 0, 2, 1}), "192.0.2.1", netip.MustParseAddr("192.0.2.1"), true},
		{"IPv6", AddrIPv6(hexBytes("20010db8000000000000000000000001")), "2001:db8::1", netip.MustParseAddr("2001:db8::1"), true},
		{"GID of an IPv4 address", AddrIPv6(mapped), "192.0.2.1", netip.MustParseAddr("192.0.2.1"), true},
		{"no GID of IPv4", AddrIPv6(hexBytes("00000000000000000001ffffc0000201")), "::1:ffff:c000:201", netip.MustParseAddr("::1:ffff:c000:201"), true},
		{"all zero", AddrIPv6(make([]byte, 16)), "::", netip.IPv6Unspecified(), true},
		{"LID", AddrLID(0x12), "LID 0x0012", netip.Addr{}, true},
		{"LID of four digits", AddrLID(0xC0DE), "LID 0xc0de", netip.Addr{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.addr.String(); got != tt.text {
				t.Errorf("String is %q, want %q", got, tt.text)
			}
			if got := tt.addr.IP(); got != tt.ip {
				t.Errorf("IP is %v, want %v", got, tt.ip)
			}
			if got := tt.addr.IsValid(); got != tt.valid {
				t.Errorf("IsValid is %v, want %v", got, tt.valid)
			}
			if got := string(tt.addr.AppendTo([]byte("to "))); got != "to "+tt.text {
				t.Errorf("AppendTo gives %q", got)
			}
		})
	}
}

// TestAddrComparable holds addresses that are the same to be one map key.
func TestAddrComparable(t *testing.T) {
	a := AddrIPv4([]byte{192, 0, 2, 1})
	if b := AddrIPv6(hexBytes("00000000000000000000ffffc0000201")); a != b {
		t.Errorf("%v and %v differ", a, b)
	}
	if AddrLID(0x0A00) == AddrIPv4([]byte{0, 0, 10, 0}) {
		t.Error("a LID equals an IPv4 address")
	}
}

func TestAddrLess(t *testing.T) {
	order := []Addr{
		{},
		AddrIPv4([]byte{10, 0, 0, 2}),
		AddrIPv4([]byte{192, 0, 2, 1}),
		AddrIPv6(make([]byte, 16)),
		AddrIPv6(hexBytes("20010db8000000000000000000000001")),
		AddrLID(1),
		AddrLID(0x100),
	}
	for i, a := range order {
		for j, b := range order {
			if got := a.Less(b); got != (i < j) {
				t.Errorf("%v less than %v: %v", a, b, got)
			}
		}
	}
}
