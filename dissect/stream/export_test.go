package stream

const (
	MaxFree      = maxFree
	MaxFreeBytes = maxFreeBytes
)

// Free is what is kept for parts that will wait: how many, the size of their
// buffers, and what they say of segments.
func (s *Stream[T]) Free() (parts, size int, from []T) {
	for _, p := range s.waiting.free {
		size += cap(p.bytes)
		from = append(from, p.from)
	}
	return len(s.waiting.free), size, from
}
