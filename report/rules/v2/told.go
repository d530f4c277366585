package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A told is a message of the negotiation, the zero told none.
type told struct {
	from  flow.End
	xid   uint32
	frame flow.Ref
	time  int64
	place flow.Place
}

func toldOf(m *dissect.Message, offset int) told {
	return told{m.From, m.Header.XID, m.Frame(), m.Last, wordAt(m, offset)}
}

func (t *told) is() bool { return t.frame != flow.Ref{} }

// before reports whether the message was captured before another.
func (t *told) before(m *dissect.Message) bool { return t.is() && t.frame.Compare(m.Frame()) < 0 }

// moment begins a finding about the message.
func (t *told) moment(say rules.Say, letter string) *rules.Finding {
	f := say.Moment(letter, t.frame, t.time, &t.from, "")
	if f != nil {
		f.XID, f.HasXID = t.xid, true
		f.At(t.place)
	}
	return f
}
