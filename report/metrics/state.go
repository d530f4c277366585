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
