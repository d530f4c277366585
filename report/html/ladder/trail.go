package ladder

const (
	// trailSteps is how many steps are remembered, of all connections.
	trailSteps = 1 << 16
	// trailOctets is how many bytes of frames are.
	trailOctets = 16 << 20
	// dataOctets is how much is kept of a frame that only moves data: its headers.
	// otherOctets is that of all others.
	dataOctets  = 128
	otherOctets = 8 << 10
)

// A Trail is the last frames of all connections, as a ring.
type Trail struct {
	steps  []Step
	next   uint64 // number of the next step, from 1
	octets []byte
	at     uint64 // number of the next byte
}

// New returns a Trail without a frame.
func New() *Trail {
	return &Trail{steps: make([]Step, trailSteps), next: 1, octets: make([]byte, trailOctets)}
}

// add copies the next step, and returns its place and its number.
func (t *Trail) add(x *Step) (s *Step, number uint64) {
	number = t.next
	t.next++
	s = &t.steps[number%trailSteps]
	*s = *x
	return s, number
}

// get is a step by its number, nil if it is forgotten.
func (t *Trail) get(number uint64) *Step {
	if number == 0 || number+trailSteps < t.next || number >= t.next {
		return nil
	}
	return &t.steps[number%trailSteps]
}

// keep copies bytes of a frame, and returns where they are.
func (t *Trail) keep(data []byte) (at uint64) {
	if len(data) == 0 {
		return t.at
	}
	if rest := trailOctets - int(t.at%trailOctets); rest < len(data) {
		t.at += uint64(rest) // a run of bytes is in one piece
	}
	at = t.at
	copy(t.octets[at%trailOctets:], data)
	t.at += uint64(len(data))
	return at
}

// data are the bytes of a step's frame that are still there, nil if they are not.
func (t *Trail) data(s *Step) []byte {
	if s.more != nil && s.more.own != nil {
		return s.more.own
	}
	if s.kept == 0 || s.octets+trailOctets < t.at {
		return nil
	}
	at := s.octets % trailOctets
	return t.octets[at : at+uint64(s.kept)]
}
