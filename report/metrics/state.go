package metrics

import "strings"

// state is how capturing goes.
type state struct {
	capturing  bool
	ended      bool
	interfaces []networkInterface
}

// A networkInterface is one that is captured on.
type networkInterface struct {
	name string
	up   bool
	why  string // in words, if it is not
}

// Began says that capturing has begun, on all interfaces if there are any.
func (m *Metrics) Began() {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.capturing = true
	for i := range m.interfaces {
		if x := &m.interfaces[i]; x.why == "" {
			x.up = true
		}
	}
}

// Interface says that an interface is up, or in words why nothing is captured on it.
func (m *Metrics) Interface(name, why string) {
	m.guard.Lock()
	defer m.guard.Unlock()
	for i := range m.interfaces {
		if x := &m.interfaces[i]; x.name == name {
			x.up, x.why = why == "", why
		}
	}
}

// Ended says that no more frames come.
func (m *Metrics) Ended() {
	m.guard.Lock()
	defer m.guard.Unlock()
	m.ended = true
}

// Ready is "" while frames are captured, on every interface; else why they are not.
func (m *Metrics) Ready() string {
	m.guard.Lock()
	defer m.guard.Unlock()
	return m.state.ready()
}

func (s *state) ready() string {
	switch {
	case s.ended:
		return "capturing has ended"
	case !s.capturing:
		return "capturing has not begun"
	}
	var down []string
	for _, x := range s.interfaces {
		if !x.up {
			down = append(down, x.name+": "+x.why)
		}
	}
	return strings.Join(down, "; ")
}
