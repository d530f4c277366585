package tcp

// awaitSend notes which Send comes next unless one is in a hole.
func (s *direction) awaitSend() {
	if c := s.tc.conn; c != nil && !s.awaited.known && s.queues[0].known && s.queues[0].mo == 0 {
		s.awaited = s.queues[0]
		c.MarkSends(s.end)
	}
}

// addHole notes that the stream has a hole where it showed.
func (s *direction) addHole() {
	if s.tc.conn == nil {
		s.tc.gaps().AddHoles(s.showed) // it has no ends so far
		return
	}
	s.tc.gaps().AddHole(s.end, s.showed)
}
