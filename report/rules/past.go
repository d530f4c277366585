package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A PastMessage is what a rule remembers of a message to say something of it later, when
// what might excuse it would have been seen. The zero PastMessage is none.
type PastMessage struct {
	flow.Moment // of its last frame
	From        flow.End
	XID         uint32
	// Bytes are those at fault.
	Bytes []flow.Place
}

// Past is what is to be remembered of a message.
func Past(m *dissect.Message) PastMessage {
	return PastMessage{Moment: m.Moment(), From: m.From, XID: m.Header.XID}
}

// PastPart is Past with bytes at fault, from an offset in the Send on.
func PastPart(m *dissect.Message, offset, length int) PastMessage {
	p := Past(m)
	p.Bytes = m.Place(nil, offset, length)
	return p
}

// Seen reports whether there is one.
func (m *PastMessage) Seen() bool { return m.Ref != flow.Ref{} }

// Past is about a message that was told before, by the fault of its sender.
func (s Reporter) Past(letter string, m *PastMessage, doubt string) *Finding {
	return s.past(letter, m, m.From, doubt)
}

// NoAnswer is about a message that was told before, by the fault of its receiver, which did
// not answer it.
func (s Reporter) NoAnswer(letter string, m *PastMessage, doubt string) *Finding {
	return s.past(letter, m, m.From.Peer(), doubt)
}

func (s Reporter) past(letter string, m *PastMessage, from flow.End, doubt string) *Finding {
	f := s.Moment(letter, m.Ref, m.Time, &from, doubt)
	if f != nil {
		f.XID, f.HasXID, f.Bytes = m.XID, true, slices.Clip(m.Bytes)
	}
	return f
}
