package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A size is the receive buffer size that an end announced.
type size struct {
	bytes uint32
	known bool
	frame flow.Ref // the zero Ref while it is the default
	time  int64
	by    rpcrdma.OptionType
	// from is what it was before, if that is known.
	from    uint32
	changed bool
	// first is the first Send to the end after a raise that is above what it was.
	first flow.Ref
}

// set takes a new value.
func (s *size) set(m *dissect.Message, by rpcrdma.OptionType, x *item) {
	was := *s
	*s = size{bytes: x.value, known: x.decoded, frame: m.Frame(), time: m.Last, by: by}
	s.from, s.changed = was.bytes, was.known && s.known && was.bytes != s.bytes
	if was.known && s.known && !s.changed {
		*s = was // it was announced again
	}
}

// lowered and raised report what its last change was.
func (s *size) lowered() bool { return s.known && s.changed && s.bytes < s.from }
func (s *size) raised() bool  { return s.known && s.changed && s.bytes > s.from }

// change is it as setup.Received knows it.
func (s *size) change() *dissect.Change { return &dissect.Change{Frame: s.frame, Time: s.time} }
