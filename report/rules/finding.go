package rules

import (
	"fmt"
	"slices"
	"strings"

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
	// Octets are those at fault.
	Octets []flow.Place
	// Doubt says what may be missing from the capture that would explain it, "" if the
	// finding is certain.
	Doubt string
	// Advice stands in place of the rule's, if it is not "".
	Advice string
	// Count is how often it was found, the last time in frame Last at LastTime.
	Count    int64
	Last     flow.Ref
	LastTime int64
	// Consequences are what followed in the same capture.
	Consequences []Consequence
	// Status is that of an operation that was refused, of a finding about that ("NFS4ERR_GRACE"), else "".
	Status string
	// Path is what the connection showed of the network, of a finding about losses: it
	// grows until the connection is over.
	Path *Path
	// Took is how many nanoseconds a call took, of a finding about that, 0 if it is about
	// something else; Resent is how many of these it waited for what was sent again, Served
	// how many the responder is shown to have had it.
	Took, Resent, Served int64
	// Cause is the finding that explains this one, nil if none does; Effects are
	// those that this one explains.
	Cause   *Finding
	Effects []*Finding

	highest     int64    // of the numbers that it was said of, see Say.Highest
	turn, again turn     // when it was said first, and last
	xids        []uint32 // of the RPCs that it was said of, the first mostXIDs
	// first and by are the newest frames of the connection when it was said first
	// and last, at their times: what came until then may explain it.
	first, by         flow.Ref
	firstTime, byTime int64
	// since is the first frame of the RPC that it was first said of, if HasXID and
	// the call was captured.
	since flow.Ref
}

// beginning is the first frame of an RPC, none if its call is not in the capture.
func beginning(r *dissect.RPC) (first flow.Ref) {
	if r.Call != nil {
		first = r.Call.Frames[0]
	}
	return first
}

// mostXIDs is how many RPCs a finding remembers that it was said of.
const mostXIDs = 16

// about notes the RPC that a finding is said of.
func (f *Finding) about(xid uint32) {
	f.Also(xid)
}

// Also adds another RPC that is meant: what explains that one's trouble may explain this.
func (f *Finding) Also(xid uint32) *Finding {
	if n := len(f.xids); n < mostXIDs && (n == 0 || f.xids[n-1] != xid) {
		f.xids = append(f.xids, xid)
	}
	return f
}

// shares reports whether two findings were said of one RPC, as far as they
// remember.
func (f *Finding) shares(g *Finding) bool {
	return g.HasXID && f.means(g.XID) || slices.ContainsFunc(g.xids, f.means)
}

// means reports whether a finding was said of an RPC, as far as it remembers.
func (f *Finding) means(xid uint32) bool {
	return f.HasXID && f.XID == xid || slices.Contains(f.xids, xid)
}

// Evidence is a value by its name. Observed and Expected are what a person may
// compare: numbers, strings or booleans; Expected is nil where nothing certain
// was to be expected.
type Evidence struct {
	Name               string
	Observed, Expected any
}

// Key is the name in records: that of a duration or a size, which are numbers, ends in its unit.
func (e *Evidence) Key() string {
	unit := ""
	switch e.Observed.(type) {
	case Nanoseconds:
		unit = "_ns"
	case int, int64, uint16, uint32, uint64:
		if !isSize(e.Name) {
			return e.Name
		}
		unit = "_bytes"
	default:
		return e.Name
	}
	if e.Name == "bytes" {
		return "bytes"
	}
	name := strings.TrimPrefix(strings.TrimPrefix(e.Name, "bytes "), "of the ")
	return strings.ReplaceAll(name, " ", "_") + unit
}

// isSize reports whether the value of such a name is a number of octets.
func isSize(name string) bool {
	switch name {
	case "bytes", "length", "Send length", "segment length", "inline threshold", "client to server", "server to client", "Reply chunk",
		"longest reply", "longest Send", "longest of them", "longest transport header", "margin", "limit before",
		"XCHAR_RBSIZ", "rdma_length_needed", "Receive Size", "PD_Length", "ULPDU_Length there", "path MTU":
		return true
	}
	for _, begin := range [...]string{"bytes ", "length of ", "room ", "ca_maxrequestsize", "ca_maxresponsesize"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// A Consequence is something that followed a finding.
type Consequence struct {
	Frame flow.Ref
	Time  int64
	Text  string
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

// Sayf sets the message.
func (f *Finding) Sayf(format string, args ...any) *Finding {
	f.Message = fmt.Sprintf(format, args...)
	return f
}

// See adds evidence: what was observed, and what was expected or nil.
func (f *Finding) See(name string, observed, expected any) *Finding {
	f.Evidence = append(f.Evidence, Evidence{name, observed, expected})
	return f
}

// In marks octets of a message as those at fault, from an offset in its Send on.
func (f *Finding) In(m *dissect.Message, offset, length int) *Finding {
	f.Octets = m.Place(f.Octets, offset, length)
	return f
}

// Start is when it was found first.
func (f *Finding) Start() flow.Moment {
	if f.Began.Time != 0 {
		return f.Began
	}
	return flow.Moment{Ref: f.Frame, Time: f.Time}
}

// AtOnce says that it was there with the frame that shows it, though it is said later: what came behind
// that frame does not explain it.
func (f *Finding) AtOnce() *Finding {
	f.first, f.firstTime, f.by, f.byTime = f.Frame, f.Time, f.Frame, f.Time
	return f
}

// Lasted sets what the finding's call took, in nanoseconds, and which parts of that decide
// who is asked about it.
func (f *Finding) Lasted(ns int64, parts *dissect.Parts) *Finding {
	f.Took = ns
	f.Resent, _ = parts.Of(dissect.PhaseRetransmission)
	f.Served, _ = parts.Of(dissect.PhaseServer)
	return f
}

// At marks octets of a frame as those at fault.
func (f *Finding) At(p flow.Place) *Finding {
	if p.Length > 0 {
		f.Octets = append(f.Octets, p)
	}
	return f
}

// With adds frames that belong to what is shown.
func (f *Finding) With(frames ...flow.Ref) *Finding {
	for _, r := range frames {
		if n := len(f.Frames); n == 0 || f.Frames[n-1] != r {
			f.Frames = append(f.Frames, r)
		}
	}
	return f
}

// Advise sets what to do in this case.
func (f *Finding) Advise(format string, args ...any) *Finding {
	f.Advice = fmt.Sprintf(format, args...)
	return f
}
