package ladder

const (
	// trailSteps is how many steps are remembered, of all connections.
	trailSteps = 1 << 16
	// trailBytes is how many bytes of frames are.
	trailBytes = 16 << 20
	// dataBytes is how much is kept of a frame that only moves data: its headers.
	// otherBytes is that of all others.
	dataBytes  = 128
	otherBytes = 8 << 10
)

// A RecentFrames is the last frames of all connections, as a ring.
type RecentFrames struct {
	steps []Step
	next  uint64 // number of the next step, from 1
	bytes []byte
	at    uint64 // number of the next byte
}

// New returns a Trail without a frame.
func New() *RecentFrames {
	return &RecentFrames{steps: make([]Step, trailSteps), next: 1, bytes: make([]byte, trailBytes)}
}

// keepStep copies the next step, and returns its place and its number.
func (t *RecentFrames) keepStep(x *Step) (s *Step, number uint64) {
	number = t.next
	t.next++
	s = &t.steps[number%trailSteps]
	*s = *x
	return s, number
}

// get is a step by its number, nil if it is forgotten.
func (t *RecentFrames) get(number uint64) *Step {
	if number == 0 || number+trailSteps < t.next || number >= t.next {
		return nil
	}
	return &t.steps[number%trailSteps]
}

// store copies bytes of a frame, and returns where they are.
func (t *RecentFrames) store(data []byte) (at uint64) {
	if len(data) == 0 {
		return t.at
	}
	if rest := trailBytes - int(t.at%trailBytes); rest < len(data) {
		t.at += uint64(rest) // a run of bytes is in one piece
	}
	at = t.at
	copy(t.bytes[at%trailBytes:], data)
	t.at += uint64(len(data))
	return at
}

// data are the bytes of a step's frame that are still there, nil if they are not.
func (t *RecentFrames) data(s *Step) []byte {
	if s.more != nil && s.more.own != nil {
		return s.more.own
	}
	if s.kept == 0 || s.bytes+trailBytes < t.at {
		return nil
	}
	at := s.bytes % trailBytes
	return t.bytes[at : at+uint64(s.kept)]
}
