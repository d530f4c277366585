package responder

// Held is how many bytes of Limits.Memory are held.
func (s *Server) Held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}
