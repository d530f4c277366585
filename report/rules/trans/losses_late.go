package trans

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostLate is how many PSNs are remembered that came late, as more may have been asked
// for at once; of more the oldest were lost.
const mostLate = 256

// latePSN is a frame that came late, and was taken for one that was lost and sent again.
type latePSN struct {
	at   flow.Moment
	psn  uint32
	asks uint32 // how often its receiver had asked for anything by then
	open bool
	// moved says that it was not sent again: it was overtaken on its way, or by other frames of the capture.
	moved bool
}

// A lostBefore is a frame that was lost before it reached the capture, or is shown to be overtaken: Raise
// reports it when that is sure.
type lostBefore struct {
	at    flow.Moment
	from  flow.End
	psn   uint32
	moved bool // it was overtaken
}

// onLostBefore calls do for each frame that was lost before it reached the capture.
func onLostBefore(do func(c *rules.Conn, x *lostBefore, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// came remembers a frame that came late.
func (l *losses) came(c *rules.Conn, from flow.End, late latePSN) *latePSN {
	x := l.late[from].Add(mostLate)
	if x.open && !x.moved {
		rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn})
	}
	*x = late
	return x
}

// overtook counts a frame that is shown to be overtaken, and that its receiver asked for.
func (l *losses) overtook(c *rules.Conn, from flow.End, x *latePSN) {
	x.open = false
	l.Ways[from].Overtaken++
	l.Ways[from].At(x.at)
	rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn, moved: true})
}

// overtaken looks for a frame that came late, which comes once more. If nobody asked for it in
// between, this is what was asked for, and the other was on its way all the time.
func (l *losses) overtaken(c *rules.Conn, from flow.End, psn uint32) bool {
	for x := range l.late[from].Backward() {
		if !x.open || x.psn != psn {
			continue
		}
		if x.moved {
			l.answered(from, psn)
			l.overtook(c, from, x)
			return true
		}
		x.open = false
		if l.asked[from^1].since(x.asks, psn) {
			rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn})
			return false
		}
		l.Ways[from].Before--
		l.Ways[from].Overtaken++
		return true
	}
	return false
}
