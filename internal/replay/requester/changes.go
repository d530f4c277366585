package requester

import (
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// check judges all that is sent. What the survey says of calls comes first: it knows which
// of what they name is going to be replaced.
func (p *Plan) check(surveyed map[*script.Call]effect.Verdict) {
	for i := range p.steps {
		s := &p.steps[i]
		if s.kind != stepSend {
			continue
		}
		v, known := surveyed[s.call]
		if !known {
			v = p.effectOf(s.message, nil)
		}
		p.Effects.Add(v, s.call)
	}
}

// effectOf is what a message may do. Kept is that of effect.Checker.
func (p *Plan) effectOf(m *script.Message, kept func(op int) bool) effect.Verdict {
	v := p.judgement.Message(m, kept)
	for i := range p.Options.Edits {
		if e := &p.Options.Edits[i]; m.Call != nil && m.Call.Marks[e.Mark] && !harmless(e, m) {
			return effect.Verdict{Effect: effect.Changes, By: m.Call.Name + " with " + e.Field + " edited"}
		}
	}
	return v
}

// harmless reports whether a call with another value in a field of its header is still the call
// that was judged: it is with other credits, or with other memory for the server to write to.
// What else is edited may have the server take other bytes for the call.
func harmless(e *Edit, m *script.Message) bool {
	switch e.Field {
	case "rdma.xid", "rdma.credits":
		return true
	case "rdma.handle", "rdma.segment_length", "rdma.offset":
		return len(m.Header.Reads) == 0
	}
	return false
}
