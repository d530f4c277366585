package rocev2

import "testing"

// TestNamesOfValues has values of header fields with what the details view says of them.
func TestNamesOfValues(t *testing.T) {
	for _, c := range []struct {
		name func(uint64) string
		v    uint64
		want string
	}{
		{nameSyndrome, 0x1f, "ACK, no credit count"},
		{nameSyndrome, 0x00, "ACK, credit count 0"},
		{nameSyndrome, 0x09, "ACK, credit count 24"},
		{nameSyndrome, 0x2e, "RNR NAK, 1.28 ms"},
		{nameSyndrome, 0x60, "NAK: PSN sequence error"},
		{namePKey, 0xffff, "full member of the default partition"},
		{namePKey, 0x7fff, "limited member of the default partition"},
		{namePKey, 0x8001, "full member"},
		{namePKey, 0x0001, "limited member"},
	} {
		if got := c.name(c.v); got != c.want {
			t.Errorf("0x%x: %q, want %q", c.v, got, c.want)
		}
	}
}
