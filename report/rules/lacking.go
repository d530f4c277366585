package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// nearHole is how many frames from a hole what was missing may still be what is judged by.
const nearHole = 16

// LostNear reports whether frames that an end sent around another frame are missing.
func (c *Conn) LostNear(e flow.End, around flow.Ref) bool {
	h := c.LastSendHoleOf(e).Ref
	return c.Limited(LostAround.From(c.party(e)), h.Number != 0 && (h.File != around.File || max(h.Number-around.Number, around.Number-h.Number) < nearHole))
}

// Accounted reports whether what the frames of an end were that are missing so far, one here
// and there, is as good as known: as many answers came without a call, or calls of its peer
// before the last of them have no answer. Own are the answers without a call that are judged
// themselves. Anything else is hardly missing besides.
func (c *Conn) Accounted(e flow.End, own int64) bool {
	holes := c.SendHolesOf(e)
	if holes == 0 {
		return false
	}
	known := c.order.orphans[e&1] + c.Unanswered[e.Peer()&1]
	if known-own < holes {
		hole := c.LastSendHoleOf(e).Ref
		c.EachOpen(func(r *dissect.RPC) {
			if r.Requester != e && r.Call != nil && behind(hole, r.Call.Frame()) {
				known++
			}
		})
	}
	return c.AccountedBy(e, known-own)
}

// AccountedCalls is Accounted where that an answer is missing excuses what is judged. Own are the answers without a
// call whose call may be what is looked for.
func (c *Conn) AccountedCalls(e flow.End, own int64) bool {
	return c.AccountedBy(e, c.order.orphans[e&1]-own)
}

// AccountedBy is Accounted where so many of the messages that an end sent are known to be
// missing.
func (c *Conn) AccountedBy(e flow.End, known int64) bool {
	holes := c.SendHolesOf(e)
	return holes > 0 && known >= holes && !c.GapOf(e) && c.LostInCapture <= c.Holes && !c.disordered()
}

// Known is how many messages of an end are missing so far at most for all that those of its
// peer show: calls that were answered, and answers to calls.
func (c *Conn) Known(e flow.End) int64 {
	known := c.order.orphans[e&1] + c.Unanswered[e.Peer()&1]
	c.EachOpen(func(r *dissect.RPC) {
		if r.Requester != e && r.Call != nil {
			known++
		}
	})
	return known
}

// Lacking is why what an end is not known to have sent around a frame may be missing from
// the capture, "" if that has all of the connection. It is not ok where that it is missing
// explains as much as that it was not sent: where frames of the end are missing around
// there, or anywhere if it is a call, unless they are Accounted, where only the other direction
// was captured, or all only from shortly before on, or out of order, and for a call also where
// others are shown to be of before the capture began. Own are the answers without a call that are
// judged, 0 if no call is.
func (c *Conn) Lacking(e flow.End, around flow.Ref, own int64) (doubt string, ok bool) {
	one := c.OneDirection() // may be that of the end
	if c.JustBegun(around) || c.Disordered() || one && (own > 0 || c.order.firstOf[e&1].Number == 0) {
		return "", false
	}
	late := c.BeganLate()
	if late && own > 0 && c.order.orphans[e&1] > own {
		return "", false
	}
	if near := c.LostNear(e, around); (near || own > 0 && (c.SendHolesOf(e) > 0 || c.GapOf(e))) && !c.Accounted(e, own) {
		return "", false
	}
	switch {
	case one:
		doubt = finding.DoubtOneWay
	case late:
		doubt = finding.DoubtLate
	case !c.WholeSoFar():
		doubt = finding.DoubtLoss
	}
	return doubt, true
}
