package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// losses are what a connection shows of its Path. They are made with the first frame that
// is retransmitted, asked for again or late.
//
// What a frame means shows later: a PSN that came late was lost and sent again if it comes
// once for each time that it was asked for, and was overtaken if it comes more often; a
// request that is retransmitted was sent in vain if its answer is seen only then.
type losses struct {
	finding.Path
	late  [2]rules.Ring[latePSN] // by the end that sent them
	asked [2]asked               // by the end that asked
	tried [2]tried               // by the end that tried
	wrong [2]rules.Ring[uint32]  // PSNs, or sequence numbers, of what has a wrong check value
	tcp   *segmentsAgain         // nil over InfiniBand
}

// mostWrong is how many frames with a wrong check value are remembered until they are retransmitted.
const mostWrong = 64

// changed notes that a frame was changed on its way.
func (l *losses) changed(from flow.End, number uint32) { *l.wrong[from].Add(mostWrong) = number }

// wasChanged reports whether what is retransmitted was changed on its way the first time.
func (l *losses) wasChanged(from flow.End, number uint32) bool {
	for x := range l.wrong[from].Backward() {
		if *x == number {
			return true
		}
	}
	return false
}

// note takes a frame of InfiniBand that is not just the next one.
func (l *losses) note(c *rules.Conn, v *dissect.FrameView) {
	from, at := v.Verdict.From&1, rules.Moment(v)
	way := &l.Ways[from]
	switch v.Verdict.Note {
	case flow.LostOnWire:
		way.At(at)
		way.Again++
		l.answered(from, v.IB.PSN)
		if l.wasChanged(from, v.IB.PSN) {
			return
		}
		way.Before++
		l.came(c, from, latePSN{at: at, psn: v.IB.PSN, asks: l.asked[from^1].n, open: true})
	case flow.Reordered:
		x := l.came(c, from, latePSN{at: at, psn: v.IB.PSN, asks: l.asked[from^1].n, open: true, moved: true})
		if l.asked[from^1].since(max(x.asks, mostAsked)-mostAsked, x.psn) {
			l.answered(from, x.psn)
			l.overtook(c, from, x)
		}
	case flow.Retransmission:
		way.At(at)
		way.Again++
		if l.overtaken(c, from, v.IB.PSN) {
			return
		}
		if v.IB.OpCode.IsResponse() {
			l.repeated(c, v, from)
		} else {
			l.resent(c, v, from)
		}
	}
}

// reportLate reports all that came late: no more of it comes.
func (l *losses) reportLate(c *rules.Conn) {
	if l.tcp != nil {
		l.tcp.countLeft(c, &l.Path)
	}
	l.unanswered(c)
	for from := range l.late {
		for x := range l.late[from].All() {
			if x.open && !x.moved {
				rules.Raise(c, 0, &lostBefore{at: x.at, from: flow.End(from), psn: x.psn})
			}
			x.open = false
		}
	}
}
