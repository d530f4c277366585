package pipeline

import "github.com/rdmacap/rdmacap/capture"

// A starting source tells when the captures begin.
type starting struct {
	capture.Source
	onStart func(ns int64) // nil once it was told
}

// Next implements capture.Source.
func (s *starting) Next(f *capture.Frame) error {
	err := s.Source.Next(f)
	if s.onStart != nil && err == nil && f.Time != 0 {
		s.onStart(f.Time)
		s.onStart = nil
	}
	return err
}

// Ready implements capture.Ready.
func (s *starting) Ready() bool {
	r, ok := s.Source.(capture.Ready)
	return ok && r.Ready()
}

// Keep implements capture.Keeper.
func (s *starting) Keep(n int) bool {
	k, ok := s.Source.(capture.Keeper)
	return ok && k.Keep(n)
}
