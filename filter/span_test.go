package filter

import (
	"math/rand/v2"
	"net/netip"
	"testing"
)

// TestSpansAgainstBitmap searches random sets of spans and compares with one
// bool a number.
func TestSpansAgainstBitmap(t *testing.T) {
	const size = 50
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		var list []span[uint64]
		var in [size]bool
		for range rnd.IntN(12) {
			lo := rnd.Uint64N(size)
			hi := lo + rnd.Uint64N(min(8, size-lo))
			list = append(list, span[uint64]{lo, hi})
			for i := lo; i <= hi; i++ {
				in[i] = true
			}
		}
		list = normal(list, compareNumbers)
		for i := 1; i < len(list); i++ {
			if list[i-1].hi >= list[i].lo {
				t.Fatalf("seed %d: %v overlaps", seed, list)
			}
		}
		for v := range uint64(size) {
			if got := has(list, v, compareNumbers); got != in[v] {
				t.Fatalf("seed %d: %d in %v is %v", seed, v, list, got)
			}
		}
	}
}

func TestLastOf(t *testing.T) {
	for _, c := range []struct{ prefix, want string }{
		{"0.0.0.0/0", "255.255.255.255"}, {"192.0.2.0/24", "192.0.2.255"}, {"192.0.2.64/26", "192.0.2.127"},
		{"192.0.2.1/32", "192.0.2.1"}, {"128.0.0.0/1", "255.255.255.255"}, {"10.0.0.0/9", "10.127.255.255"},
		{"::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}, {"2001:db8::/33", "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff"},
		{"2001:db8::1/128", "2001:db8::1"}, {"fe80::/10", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	} {
		p := netip.MustParsePrefix(c.prefix)
		got := lastOf(p)
		if got != addr(c.want) || !p.Contains(got) || got.Next().IsValid() && p.Contains(got.Next()) {
			t.Errorf("%s ends at %s, want %s", c.prefix, got, c.want)
		}
	}
}
