package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Reporter is how a rule reports what it found. Each of its methods returns the finding for
// the rule to fill in, with what the event itself shows already there; or nil if the same
// finding was reported on the connection before: then it has been counted.
//
// Letter selects the case, "" for the rule itself. Doubt says which gaps in the capture
// could explain the finding, "" if it is certain. Findings are the same if they have one
// case, direction and severity; one that is certain replaces one that was in doubt.
//
// It is kept small, three words, because it is passed by value to every function of a rule.
type Reporter struct {
	state *reportState
	rule  *Rule
	kind  *kind // nil for a plain finding of the rule
}

// A kind is what tells findings of one case apart.
type kind struct {
	as  finding.Severity // 0 for that of the case
	key any
}

// Key is a Reporter that tells findings of one case apart by something comparable: an
// error code, a program. Of more kinds than mostKinds the others are one.
func (s Reporter) Key(key any) Reporter {
	s.kind = &kind{s.sort().as, key}
	return s
}

// As is a Reporter with another severity than that of rule or case.
func (s Reporter) As(severity finding.Severity) Reporter {
	s.kind = &kind{severity, s.sort().key}
	return s
}

// sort is the kind, whether there is one or not.
func (s Reporter) sort() (k kind) {
	if s.kind != nil {
		k = *s.kind
	}
	return k
}

// Causes are those that the document of the rule names.
func (s Reporter) Causes() []string { return s.rule.Causes }

// Message is about a message, and the RPC that it belongs to.
func (s Reporter) Message(letter string, m *dissect.Message, doubt string) *Finding {
	f := s.findingFor(letter, doubt, m.Frame(), m.Last, direction(m.From), m.RPC())
	if r := m.RPC(); r != nil {
		s.state.note(r, s.rule, letter, f)
	}
	f.about(m.Header.XID)
	if f.isNew() {
		f.XID, f.HasXID = m.Header.XID, m.Length >= 4
		if r := m.RPC(); r != nil {
			f.Call, f.since = name(r), beginning(r)
		}
		return f.With(m.Frames...)
	}
	return nil
}

// RPC is about an RPC, shown by its reply or, if it has none, its call. It is the
// fault of the end that sent that.
func (s Reporter) RPC(letter string, r *dissect.RPC, doubt string) *Finding {
	m := r.Reply
	if m == nil {
		m = r.Call
	}
	return s.Part(letter, r, m, doubt)
}

// Part is about one message of an RPC that is over: its call or its reply.
func (s Reporter) Part(letter string, r *dissect.RPC, m *dissect.Message, doubt string) *Finding {
	f := s.findingFor(letter, doubt, m.Frame(), m.Last, direction(m.From), r)
	s.state.note(r, s.rule, letter, f)
	f.about(r.XID)
	if f.isNew() {
		f.XID, f.HasXID, f.Call, f.since = r.XID, true, name(r), beginning(r)
		return f.With(m.Frames...)
	}
	return nil
}

// Slowest is RPC for a finding about the call that took longest of all that it was reported of, in
// nanoseconds: it is returned, to be filled in anew, whenever one took longer than those before.
func (s Reporter) Slowest(c *Conn, r *dissect.RPC, ns int64, parts *dissect.Parts, doubt string) *Finding {
	const letter = ""
	m := r.Reply
	f := s.findingFor(letter, doubt, m.Frame(), m.Last, direction(m.From), r)
	s.state.note(r, s.rule, letter, f)
	f.about(r.XID)
	if f.Slow.Has(ns) {
		longest, part := parts.Longest()
		f.Slow.Add(finding.SlowCall{
			Call: name(r), XID: r.XID, Took: ns, Part: part, In: c.InPhase(r, longest, parts), Reply: flow.Moment{Ref: m.Frame(), Time: m.Last},
		})
	}
	switch {
	case f.isNew():
		f.Began, f.since = m.Moment(), beginning(r)
	case ns <= f.Took || doubt != "" && f.Doubt == "":
		return nil
	}
	f.Frame, f.Time, f.XID, f.HasXID, f.Call = m.Frame(), m.Last, r.XID, true, name(r)
	f.Frames, f.Evidence, f.Bytes, f.Advice = nil, nil, nil, ""
	return f.With(m.Frames...).Lasted(ns, parts)
}

// Highest is Moment for a finding about the highest of some numbers above a limit: it is returned, to be
// filled in anew, whenever one is higher than those before.
func (s Reporter) Highest(letter string, at flow.Moment, from flow.End, n int64, doubt string) *Finding {
	f := s.findingFor(letter, doubt, at.Ref, at.Time, direction(from), nil)
	switch {
	case f.isNew():
		f.Began = at
	case n <= f.highest || doubt != "" && f.Doubt == "":
		return nil
	}
	f.highest, f.Frame, f.Time = n, at.Ref, at.Time
	f.Frames, f.Evidence, f.Bytes = nil, nil, nil
	return f.With(at.Ref)
}

// Access is about an RDMA operation, at the header that names the memory.
func (s Reporter) Access(letter string, a *dissect.Access, doubt string) *Finding {
	f := s.findingFor(letter, doubt, accessFrame(a), a.Time, direction(a.From), a.RPC)
	if a.RPC != nil {
		s.state.note(a.RPC, s.rule, letter, f)
		f.about(a.RPC.XID)
	}
	if f.isNew() {
		if a.RPC != nil {
			f.XID, f.HasXID, f.Call = a.RPC.XID, true, name(a.RPC)
		}
		return f.At(a.Place).With(a.Frames...)
	}
	return nil
}

// accessFrame is the frame that an RDMA operation is known by.
func accessFrame(a *dissect.Access) flow.Ref {
	if n := len(a.Frames); n > 0 {
		return a.Frames[n-1]
	}
	return a.Place.Ref
}

// Frame is about a frame.
func (s Reporter) Frame(letter string, v *dissect.FrameView, doubt string) *Finding {
	d := undirected
	if v.Verdict.Conn != nil {
		d = direction(v.Verdict.From)
	}
	ref := Ref(v)
	if f := s.findingFor(letter, doubt, ref, v.Frame.Time, d, nil); f.isNew() {
		return f.With(ref)
	}
	return nil
}

// Moment is about something that showed in a frame, by whose fault if from is
// not nil.
func (s Reporter) Moment(letter string, frame flow.Ref, time int64, from *flow.End, doubt string) *Finding {
	d := undirected
	if from != nil {
		d = direction(*from)
	}
	if f := s.findingFor(letter, doubt, frame, time, d, nil); f.isNew() {
		return f.With(frame)
	}
	return nil
}

// Stretch is Moment for what lasted from one moment to another, which shows it: the finding has the stretches
// of all times.
func (s Reporter) Stretch(letter string, from, to flow.Moment, doubt string) *Finding {
	f := s.findingFor(letter, doubt, to.Ref, to.Time, undirected, nil)
	f.Spans(from.Time, to.Time)
	if f.isNew() {
		return f.With(to.Ref)
	}
	return nil
}

// Connection is about the connection as a whole, shown by its first frame.
func (s Reporter) Connection(letter string, doubt string) *Finding {
	c := s.state.conn
	if f := s.findingFor(letter, doubt, c.First, c.FirstTime, undirected, nil); f.isNew() {
		return f.With(c.First)
	}
	return nil
}

// foldKey is what makes findings of one rule the same on a connection.
type foldKey struct {
	letter   string
	severity finding.Severity
	direction
	key any
}

// mostKinds is how many kinds of one case are told apart on a connection.
const mostKinds = 16

// direction is the end that a finding is about.
type direction uint8

const undirected direction = 0xff

// findingFor returns the finding of that key: a fresh one, to be filled in, if it is the
// first or more certain than the one before. It is about r, if that is not nil.
func (s Reporter) findingFor(letter, doubt string, frame flow.Ref, time int64, d direction, r *dissect.RPC) *Finding {
	of := s.sort()
	severity := of.as
	if severity == 0 {
		severity = s.rule.Severity
		if c := s.rule.Case(letter); c != nil {
			severity = c.Severity
		}
	}
	if doubt == "" && s.state.changed.Len() > 0 && s.rule.Family() != transport && s.state.wasChanged(frame, r) {
		doubt = finding.DoubtChanged
	}
	all := &s.state.findings
	key := foldKey{letter, severity, d, of.key}
	f := all.findFinding(s.rule, key)
	if f == nil && of.key != nil && all.kinds(s.rule, key) >= mostKinds {
		key.key = nil
		f = all.findFinding(s.rule, key)
	}
	at, fresh := s.state.turn(), f == nil
	if fresh {
		f = &Finding{Finding: finding.Finding{Rule: &s.rule.Rule, Letter: letter, Severity: severity, Frame: frame, Time: time, Doubt: doubt}, turn: at}
		f.From, f.HasFrom = flow.End(d&1), d != undirected
		f.Connection = s.state.conn
		all.addFinding(s.rule, key, f)
	} else if f.Doubt != "" && doubt == "" {
		// What is certain is worth more than what came first.
		*f = Finding{Finding: finding.Finding{Rule: f.Rule, Letter: letter, Severity: severity, Connection: f.Connection, Frame: frame, Time: time,
			From: f.From, HasFrom: f.HasFrom, Count: f.Count, Repeats: f.Repeats, Stretches: f.Stretches}, turn: f.turn, xids: f.xids}
		fresh = true
	}
	if fresh {
		s.state.capture.noteNewFinding(f, r, at)
	}
	if f.Count++; f.Count > 1 {
		f.Repeat(frame, s.state.capture.repeats)
	}
	f.Last, f.LastTime, f.again = frame, time, at
	f.by, f.byTime = frame, time
	if last, lastTime := s.state.last(); lastTime > time {
		f.by, f.byTime = last, lastTime
	}
	if f.Message == "" {
		f.first, f.firstTime = f.by, f.byTime
	}
	return f
}

// isNew reports whether nothing was filled in so far.
func (f *Finding) isNew() bool { return f.Message == "" && len(f.Frames) == 0 }

// name is what an RPC is called, "" where its call is not known.
func name(r *dissect.RPC) string {
	if r.CallHeader() == nil {
		return ""
	}
	return string(r.AppendName(nil, r.Ops(nil)))
}
