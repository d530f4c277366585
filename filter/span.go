package filter

import (
	"cmp"
	"net/netip"
	"slices"
)

// A span is all values from lo to hi, both included. Every comparison of
// numbers and of addresses is a question of being in a span of some.
type span[T any] struct{ lo, hi T }

// normal sorts spans and joins those that overlap, so that they can be searched.
func normal[T any](list []span[T], compare func(a, b T) int) []span[T] {
	slices.SortFunc(list, func(a, b span[T]) int { return compare(a.lo, b.lo) })
	kept := list[:0]
	for _, s := range list {
		if n := len(kept); n > 0 && compare(s.lo, kept[n-1].hi) <= 0 {
			if compare(s.hi, kept[n-1].hi) > 0 {
				kept[n-1].hi = s.hi
			}
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// has reports whether one of the spans, which are normal, has the value.
func has[T any](list []span[T], v T, compare func(a, b T) int) bool {
	_, found := slices.BinarySearchFunc(list, v, func(s span[T], v T) int {
		switch {
		case compare(s.hi, v) < 0:
			return -1
		case compare(s.lo, v) > 0:
			return 1
		}
		return 0
	})
	return found
}

// numberSpans are the keys for which the comparison with key holds: one span
// or none.
func numberSpans(op operator, key uint64) []span[uint64] {
	const last = 1<<64 - 1
	switch op {
	case less:
		if key == 0 {
			return nil
		}
		return []span[uint64]{{0, key - 1}}
	case lessEqual:
		return []span[uint64]{{0, key}}
	case greater:
		if key == last {
			return nil
		}
		return []span[uint64]{{key + 1, last}}
	case greaterEqual:
		return []span[uint64]{{key, last}}
	}
	return []span[uint64]{{key, key}}
}

func compareNumbers(a, b uint64) int { return cmp.Compare(a, b) }

// addressSpans are the addresses for which the comparison with those of a span
// holds. Addresses are in an order only within their family, so an IPv6 address
// is neither less nor greater than an IPv4 one.
func addressSpans(op operator, to span[netip.Addr]) []span[netip.Addr] {
	first, last := netip.IPv4Unspecified(), netip.AddrFrom4([4]byte{255, 255, 255, 255})
	if !to.lo.Is4() {
		first = netip.IPv6Unspecified()
		last = lastOf(netip.PrefixFrom(first, 0))
	}
	switch op {
	case less:
		last = to.lo.Prev()
	case lessEqual:
		last = to.hi
	case greater:
		first = to.hi.Next()
	case greaterEqual:
		first = to.lo
	default:
		return []span[netip.Addr]{to}
	}
	if !first.IsValid() || !last.IsValid() { // nothing is less than the first
		return nil
	}
	return []span[netip.Addr]{{first, last}}
}

func compareAddresses(a, b netip.Addr) int { return a.Compare(b) }

// lastOf is the last address of a prefix.
func lastOf(p netip.Prefix) netip.Addr {
	data := p.Addr().AsSlice()
	for i := range data {
		host := min(max(8*(i+1)-p.Bits(), 0), 8) // bits of this byte that are free
		data[i] |= byte(1<<host - 1)
	}
	a, _ := netip.AddrFromSlice(data)
	return a
}
