package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A reportState is what is reported of a connection: in its Checker, or in CrossConnection, each of which
// has one. They are put together when the connection is over.
type reportState struct {
	conn    *dissect.Connection // nil for the capture
	capture *Capture
	findings
	changed  Ring[flow.Ref] // frames that were changed on their way
	reported map[*dissect.RPC]reportedList
	// nak is the newest one that was told as a consequence, with what was reported.
	nak     nak
	nakText string
	// crossConnection and post, what it looks at, are nil in a Checker; newest is the newest frame of the
	// connection when something of it was published last, at its time.
	crossConnection *CrossConnection
	publication     *Publication
	newest          flow.Ref
	newestTime      int64
}

// On is a Reporter about another connection, in CrossConnection.
func (s Reporter) On(e *ConnRef) Reporter {
	e.publication, s.state = s.state.publication, &e.reportState
	return s
}

// turn is that of what is reported now.
func (s *reportState) turn() turn {
	if s.publication == nil {
		return s.capture.next()
	}
	s.publication.at.n++
	return s.publication.at
}

// last is the newest frame of the connection, at its time.
func (s *reportState) last() (flow.Ref, int64) {
	switch {
	case s.publication != nil:
		return s.newest, s.newestTime
	case s.conn != nil:
		return s.conn.Last, s.conn.LastTime
	}
	return flow.Ref{}, 0
}

// note remembers what was found about an RPC until that is over.
func (s *reportState) note(r *dissect.RPC, rule *Rule, letter string, f *Finding) {
	if f.Severity == finding.Note {
		return
	}
	if s.reported == nil {
		s.reported = make(map[*dissect.RPC]reportedList)
	}
	list := s.reported[r]
	list.note(rule, letter, f)
	s.reported[r] = list
}
