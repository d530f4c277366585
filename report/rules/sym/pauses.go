package sym

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// pauses are the newest times, longer than rules.ShortestPause and in nanoseconds, in which nothing
// moved a connection forward while calls were open.
type pauses = rules.Ring[int64]

const (
	mostPauses  = 32 // that are remembered
	fewPauses   = 8  // say nothing of what is usual
	manyReplies = 64 // without as few pauses say that they are shorter
)

// pausedAt notes the pause that a frame ends, if it is one.
func pausedAt(c *rules.Conn, v *dissect.FrameView) {
	open := openBefore(c, v)
	if m := v.Message; m != nil && m.Role() == dissect.RoleAnswer {
		open++
	}
	if from := newest(c).Time; open > 0 && from != 0 && v.Frame.Time-from > rules.ShortestPause {
		*state.Of(c).pauses.Add(mostPauses) = v.Frame.Time - from
	}
}

// openBefore is how many calls were open before a frame that completed no answer.
func openBefore(c *rules.Conn, v *dissect.FrameView) int {
	open := c.Outstanding(0) + c.Outstanding(1)
	if m := v.Message; m != nil && m.Role() == dissect.RoleCall {
		open--
	}
	return open
}

// answeredBy is the RPC whose call a frame answered, nil if none: it counts no more among the open ones.
func answeredBy(v *dissect.FrameView) *dissect.RPC {
	if m := v.Message; m != nil && m.Role() == dissect.RoleAnswer {
		if r := m.RPC(); r != nil && r.Call != nil {
			return r
		}
	}
	return nil
}

// usualPause is the median of the newest pauses, or rules.ShortestPause where a busy connection has hardly any; not
// ok if too little is known.
func usualPause(c *rules.Conn) (ns int64, ok bool) {
	var list []int64
	if k := state.IfAny(c); k != nil {
		for p := range k.pauses.All() {
			list = append(list, *p)
		}
	}
	if len(list) < fewPauses {
		return rules.ShortestPause, c.RPCs >= manyReplies
	}
	slices.Sort(list)
	return list[len(list)/2], true
}

// recordsClients reports whether an RPC has the server write down which clients it has (RFC 8881, section
// 8.4.2.1), which takes longer than what usually is asked of it.
func recordsClients(r *dissect.RPC) bool {
	switch op, _ := operation(r); op {
	case "DESTROY_CLIENTID", "DESTROY_SESSION":
		return true
	default:
		return identifies(op)
	}
}
