package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A saying is what is said of a connection: in its Checker, or in Across, each of which
// has one. They are put together when the connection is over.
type saying struct {
	conn    *dissect.Connection // nil for the capture
	capture *Capture
	findings
	changed Ring[flow.Ref] // frames that were changed on their way
	said    map[*dissect.RPC]saidList
	// nak is the newest one that was told as a consequence, with what was said.
	nak     nak
	nakText string
	// across and post, what it looks at, are nil in a Checker; newest is the newest frame of the
	// connection when something of it was posted last, at its time.
	across     *Across
	post       *Posted
	newest     flow.Ref
	newestTime int64
}

// On is a Say about another connection, in Across.
func (s Say) On(e *Entry) Say {
	e.post, s.of = s.of.post, &e.saying
	return s
}

// turn is that of what is said now.
func (s *saying) turn() turn {
	if s.post == nil {
		return s.capture.next()
	}
	s.post.at.n++
	return s.post.at
}

// last is the newest frame of the connection, at its time.
func (s *saying) last() (flow.Ref, int64) {
	switch {
	case s.post != nil:
		return s.newest, s.newestTime
	case s.conn != nil:
		return s.conn.Last, s.conn.LastTime
	}
	return flow.Ref{}, 0
}

// note remembers what was found about an RPC until that is over.
func (s *saying) note(r *dissect.RPC, rule *Rule, letter string, f *Finding) {
	if f.Severity == finding.Note {
		return
	}
	if s.said == nil {
		s.said = make(map[*dissect.RPC]saidList)
	}
	list := s.said[r]
	list.note(rule, letter, f)
	s.said[r] = list
}
