package live

// DropsOf are the frames that were lost so far on the interface of a capture.Frame.File.
// Any goroutine may ask.
func (s *Source) DropsOf(file int) Drops {
	c := &s.rings[file].counted
	return Drops{Kernel: c.kernel.Load(), Ring: c.ring.Load()}
}
