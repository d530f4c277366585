package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/listing"
)

// Structures are members of records that have members of their own, for forms that have the other
// members in their own way.
type Structures struct{ j *JSON }

// NewStructures returns those of records of so many captures.
func NewStructures(files int) *Structures {
	return &Structures{NewJSON(nil, false, listing.Options{Files: files})}
}

// Message is the value in JSON of a member of a message's record, nil if it has none. It is to be
// used before the next.
func (s *Structures) Message(name string, m *dissect.Message) []byte {
	return s.of(name, func(b *buffer) { s.j.messageStructure(b, name, m) })
}

// Frame is the same of a frame.
func (s *Structures) Frame(name string, v *dissect.FrameView) []byte {
	return s.of(name, func(b *buffer) { s.j.frameStructure(b, name, v) })
}

func (s *Structures) of(name string, write func(b *buffer)) []byte {
	b := &s.j.j
	b.B = b.B[:0]
	b.Restart()
	write(b)
	return b.B[min(len(b.B), len(name)+len(`"":`)):]
}
