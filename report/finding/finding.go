package finding

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Finding is what a rule says of a connection: once for all that is the same.
type Finding struct {
	Rule *Rule
	// Letter is the case's, "" for the rule itself.
	Letter   string
	Severity Severity
	// Connection is nil for a finding of the whole capture.
	Connection *dissect.Connection
	// Message says what was found here, with its numbers.
	Message string
	// XID is that of the RPC that it is about, if HasXID; Call its name
	// ("NFS4 READ"), "" if that is not known.
	XID    uint32
	HasXID bool
	Call   string
	// Frame is the frame that shows it, at Time; Frames are all that do.
	Frame  flow.Ref
	Frames []flow.Ref
	Time   int64
	// Began is when it was found first, where Frame is that of the worst case; else it is zero.
	Began flow.Moment
	// From is the end that is at fault, or whose message shows it, if HasFrom.
	From    flow.End
	HasFrom bool
	// Evidence are the observed and the expected values.
	Evidence []Evidence
	// Bytes are those at fault.
	Bytes []flow.Place
	// Doubt says what may be missing from the capture that would explain it, "" if the
	// finding is certain.
	Doubt string
	// Advice stands in place of the rule's, if it is not "".
	Advice string
	// Count is how often it was found, the last time in frame Last at LastTime.
	Count    int64
	Last     flow.Ref
	LastTime int64
	// Repeats are the frames in which it was found after the first time, nil where the form shows none.
	Repeats *Repeats
	// Stretches are the stretches of time that it is about, nil of a finding about a moment.
	Stretches *Stretches
	// Consequences are what followed in the same capture.
	Consequences []Consequence
	// Status is that of an operation that was refused, of a finding about that ("NFS4ERR_GRACE"), else "".
	Status string
	// Path is what the connection showed of the network, of a finding about losses: it
	// grows until the connection is over.
	Path *Path
	// Took is how many nanoseconds a call took, of a finding about that, 0 if it is about
	// something else; Resent is how many of these it waited for what was retransmitted, Served
	// how many the responder is shown to have had it.
	Took, Resent, Served int64
	// Slow are the calls that took longest, of a finding about slow calls, the slowest first.
	Slow SlowCalls
	// Ongoing says that it is no finding yet, but what goes on just now: nobody counts it.
	Ongoing bool
	// Instead is the finding that says the same better, nil if none does: see Rule.Replaced.
	Instead *Finding
	// Cause is the finding that explains this one, nil if none does; Effects are
	// those that this one explains.
	Cause   *Finding
	Effects []*Finding
}

// A Consequence is something that followed a finding.
type Consequence struct {
	Frame flow.Ref
	Time  int64
	Text  string
}

// Repeats are frames, in the order in which they came. Few findings have some: in a Finding, they take a pointer.
type Repeats struct{ frames []flow.Ref }

// All are the frames.
func (r *Repeats) All() []flow.Ref {
	if r == nil {
		return nil
	}
	return r.frames
}

// Repeat notes a frame in which f was found again, unless it was there just now or has so many.
func (f *Finding) Repeat(frame flow.Ref, most int) {
	list := f.Repeats.All()
	if n := len(list); n >= most || frame == f.Frame || n > 0 && list[n-1] == frame {
		return
	}
	if f.Repeats == nil {
		f.Repeats = new(Repeats)
	}
	f.Repeats.frames = append(list, frame)
}

// ID is the rule's with the letter: "DDP-005b".
func (f *Finding) ID() string { return f.Rule.ID + f.Letter }

// Title is that of the rule.
func (f *Finding) Title() string { return f.Rule.Title }

// WhatToDo is the advice of the finding, its case or its rule.
func (f *Finding) WhatToDo() string {
	if f.Advice != "" {
		return f.Advice
	}
	if c := f.Rule.Case(f.Letter); c != nil && c.Advice != "" {
		return c.Advice
	}
	return f.Rule.Advice
}

// Usual reports whether it is a note that each connection of Linux peers has.
func (f *Finding) Usual() bool {
	if f.Severity != Note {
		return false
	}
	if c := f.Rule.Case(f.Letter); c != nil {
		return c.Usual
	}
	return f.Rule.Usual
}

// Start is when it was found first.
func (f *Finding) Start() flow.Moment {
	if f.Began.Time != 0 {
		return f.Began
	}
	return flow.Moment{Ref: f.Frame, Time: f.Time}
}

// Worst is the severity of the worst of a finding and its effects.
func (f *Finding) Worst() Severity {
	worst := f.Severity
	for _, e := range f.Effects {
		worst = max(worst, e.Worst())
	}
	return worst
}
