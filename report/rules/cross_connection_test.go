package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A recordedCrossConnection message is published in these tests.
type recordedCrossConnection struct {
	about  *About
	number int64
}

// total is where CrossConnection sums up the numbers.
const total = CrossSlot[int64](KeepsTest)

// TestAcross holds that what is reported of what was published stands where it was published, that it
// has the same consequences as what is reported at once, and that a connection is known in CrossConnection
// when it is over and not before; whenever CrossConnection is told.
func TestAcross(t *testing.T) {
	both := &Rule{Rule: finding.Rule{ID: "A-001", Severity: finding.Warning, Cases: []finding.Case{{Letter: "b", Severity: finding.Warning}, {Letter: "c", Severity: finding.Note}}}, Check: Check{On: []Event{
		OnMessage(0, func(c *Conn, m *dissect.Message, report Reporter) {
			report.Key(c.Messages).Message("", m, "").Messagef("at once %d", c.Messages)
			Publish(c, recordedCrossConnection{c.AboutMessage(m), c.Messages})
		}),
		OnPublished(func(e *ConnRef, x *recordedCrossConnection, report Reporter) {
			if e.Conn() != nil {
				t.Error("a connection is known before the connection has ended")
			}
			*total.Of(e.CrossConnection) += x.number
			report.Key(x.number).About("b", x.about, "").Messagef("posted %d", x.number)
		}),
		OnOver(func(e *ConnRef, c *Conn, report Reporter) {
			if e.Conn() != c || c.Messages != 4 {
				t.Errorf("over is %v, with %d messages", c, c.Messages)
			}
			report.Connection("c", "").Messagef("over, and all is %d", *total.Of(e.CrossConnection))
		}),
	}}}
	last := &Rule{Rule: finding.Rule{ID: "B-001", Severity: finding.Note}, Check: Check{On: []Event{
		OnMessage(0, func(c *Conn, m *dissect.Message, report Reporter) {
			report.Key(c.Messages).Message("", m, "").Messagef("behind %d", c.Messages)
		}),
		OnEnd(func(_ *Conn, report Reporter) { report.Connection("", "").Messagef("the end") }),
	}}}
	var want []string
	for n := range 4 {
		want = append(want, fmt.Sprintf("at once %d", n+1), fmt.Sprintf("posted %d", n+1), fmt.Sprintf("behind %d", n+1))
	}
	want = append(want, "over, and all is 10", "the end")
	for _, every := range []int{0, 3, -1} {
		var got []string
		var list []*finding.Finding
		k := NewChecker([]*Rule{both, last}, DefaultConfig(), func(c *dissect.Connection, found []*finding.Finding) { list = append(list, found...) })
		if every != 0 {
			k.Delay(every)
		}
		play(t, k)
		for _, f := range list {
			got = append(got, f.Message)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("told every %d frames, said were\n%q, want\n%q", every, got, want)
		}
		followed := 0
		for i := 0; i < 12; i += 3 {
			if !slices.Equal(list[i].Consequences, list[i+1].Consequences) || list[i].Frame != list[i+1].Frame || list[i].Call != list[i+1].Call ||
				!slices.Equal(list[i].Frames, list[i+1].Frames) || list[i].XID != list[i+1].XID {
				t.Errorf("told every %d frames, %+v is not the same as %+v", every, list[i+1], list[i])
			}
			followed += len(list[i].Consequences)
		}
		if followed == 0 {
			t.Error("nothing followed")
		}
	}
}
