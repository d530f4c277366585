package stream

const (
	MaxFree       = maxFree
	MaxFreeOctets = maxFreeOctets
)

// Free is what is kept for parts that will wait: how many, the size of their
// buffers, and what they say of segments.
func (s *Stream[T]) Free() (parts, octets int, from []T) {
	for _, p := range s.waiting.free {
		octets += cap(p.octets)
		from = append(from, p.from)
	}
	return len(s.waiting.free), octets, from
}
