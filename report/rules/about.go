package rules

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// About is what a finding will be about that CrossConnection says of what was published (Say.About): a
// copy of what Say takes from a message, an RPC or a frame. What else is known by then,
// bytes or evidence, may be added to it as to the finding.
type About struct {
	Finding
	direction direction
	message   bool         // it has an XID, or could have
	rpc       *dissect.RPC // distinguished from others, not looked at
	many      bool         // see AboutOneOfMany
	over      bool         // the RPC is, and came to outcome
	outcome   outcome
}

// AboutMessage is a message, and the RPC that it belongs to, for Say.About.
func (c *Conn) AboutMessage(m *dissect.Message) *About {
	noteAbout(m.Connection)
	a := aboutMessage(m, m.RPC())
	a.XID, a.HasXID = m.Header.XID, m.Length >= 4
	if r := m.RPC(); r != nil {
		if c.mentioned == nil {
			c.mentioned = make(map[*dissect.RPC]struct{})
		}
		c.mentioned[r] = struct{}{}
	}
	return a
}

// AboutRPC is an RPC that is over, shown by its reply or, if it has none, its call, for
// Say.About.
func AboutRPC(r *dissect.RPC) *About {
	if r.Unreplied() {
		return AboutPart(r, r.Call)
	}
	return AboutPart(r, cmp.Or(r.Reply, r.Untaken))
}

// AboutPart is one message of an RPC that is over, for Say.About.
func AboutPart(r *dissect.RPC, m *dissect.Message) *About {
	noteAbout(m.Connection)
	a := aboutMessage(m, r)
	a.XID, a.HasXID = r.XID, true
	a.over, a.outcome = true, outcomeOf(r)
	return a
}

// AboutOneOfMany is AboutPart for a rule that posts nearly every RPC, to say something of very
// few: what shows it is then gathered as for a finding about no RPC (News.Many).
func AboutOneOfMany(r *dissect.RPC, m *dissect.Message) *About {
	a := aboutMessage(m, r)
	a.XID, a.HasXID = r.XID, true
	a.over, a.outcome, a.many = true, outcomeOf(r), true
	return a
}

func aboutMessage(m *dissect.Message, r *dissect.RPC) *About {
	a := &About{direction: direction(m.From), message: true, rpc: r}
	a.Frame, a.Time, a.Frames = m.Frame(), m.Last, slices.Clone(m.Frames)
	if r != nil {
		a.Call, a.since = name(r), beginning(r)
	}
	return a
}

// AboutFrame is a frame, for Say.About.
func AboutFrame(v *dissect.FrameView) *About {
	noteAbout(v.Connection)
	a := &About{direction: undirected}
	a.Frame, a.Time, a.Frames = Ref(v), v.Frame.Time, []flow.Ref{Ref(v)}
	if v.Verdict.Conn != nil {
		a.direction = direction(v.Verdict.From)
	}
	return a
}

// noteAbout counts what CrossConnection may report something about.
func noteAbout(c *dissect.Connection) {
	if c == nil {
		return
	}
	if of, ok := c.User.(*Conn); ok {
		of.Capture.abouts++
	}
}

// About is about what was copied when something was published.
func (s Reporter) About(letter string, a *About, doubt string) *Finding {
	f := s.findingFor(letter, doubt, a.Frame, a.Time, a.direction, a.rpc)
	if n := len(s.state.capture.newFindings); a.many && n > 0 && s.state.capture.newFindings[n-1].Finding == &f.Finding {
		s.state.capture.newFindings[n-1].Many = true
	}
	switch {
	case a.over:
		s.state.crossConnection.checkedList(a.rpc).note(s.rule, letter, f)
	case a.rpc != nil:
		s.state.note(a.rpc, s.rule, letter, f)
	}
	if a.message {
		f.about(a.XID)
	}
	if !f.isNew() {
		return nil
	}
	f.XID, f.HasXID, f.Call, f.since = a.XID, a.HasXID, a.Call, a.since
	f.Message, f.Evidence, f.Bytes, f.Advice = a.Message, a.Evidence, a.Bytes, a.Advice
	if a.over {
		s.state.outcome(&a.outcome, []Reported{{Finding: f}})
	}
	return f.With(a.Frames...)
}
