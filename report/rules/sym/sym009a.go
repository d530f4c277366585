package sym

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
)

// A departure is the end of a connection amid work, as SYM-009 told of it.
type departure struct {
	at    flow.Moment
	how   string
	open  int
	doubt string
	// refused counts the connections that were tried since, and did not come about.
	refused int
	// back says that the client connected again.
	back bool
}

// over009 looks for the connection after one that ended amid work.
func over009(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	p := historySlot.Of(e.CrossConnection).pasts.Of(pasts.PeersOf(c))
	if p == nil {
		return
	}
	if p.left.at.Time != 0 && p.left.at.Time <= c.FirstTime && !p.left.back {
		p.left.follow(e, c, report)
	}
	if k := state.IfAny(c); k != nil && k.departed != nil {
		p.left = *k.departed
	}
}

func (d *departure) follow(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	if !c.Established {
		d.refused++
		return
	}
	d.back = true
	k := state.IfAny(c)
	if c.BeganLate() || c.Disordered() || k == nil {
		return
	}
	letter := "a"
	if k.resumed != nil && k.resumed.lost() {
		letter = "b"
	}
	f := report.Moment(letter, c.First, c.FirstTime, nil, d.doubt)
	if f == nil {
		return
	}
	f.AtOnce()
	silence := c.FirstTime - d.at.Time
	how := strings.Replace(d.how, " ended", " had ended", 1)
	if rest, own := strings.CutPrefix(how, "the client "); own {
		how = "it " + rest
	}
	f.Messagef("the client connected again %s after %s", rules.Duration(silence), how)
	if d.open > 0 {
		f.Message += fmt.Sprintf(" with %s unanswered", field.Counted(d.open, "call"))
	}
	f.See("silence until the next connection", finding.Nanoseconds(silence), nil)
	if d.refused > 0 {
		f.Message += fmt.Sprintf(", at attempt %d", d.refused+1)
		f.See("attempts before that failed", d.refused, nil)
	}
	f.See("end of the connection before", e.FrameName(d.at.Ref), nil).With(d.at.Ref)
	if letter == "b" {
		k.resumed.report(e, c.FirstTime, f)
	}
}
