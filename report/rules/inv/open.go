package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

// opened reports, with what is in doubt, whether the call of a grant had been sent when the responder sent a
// message: the responder had acknowledged it, or it was captured well before that.
func opened(c *rules.Conn, judge *memory.Checker, g *memory.AdvertisedSegment, m *dissect.Message) (doubt string, is bool) {
	doubt, is = judge.Open(g, false, 2)
	if !is {
		return "", false
	}
	if call := memory.CallOf(g); call != nil {
		switch c.Precedes(&call.Point, &m.Point) {
		case flow.Yes:
			return doubt, true
		case flow.No:
			return "", false
		}
	}
	at := m.Frame()
	return doubt, g.Call.File == at.File && g.Call.Number <= at.Number && judge.Ordered(g.Since, m.First)
}
