package rules

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A record is what is kept of a connection in these tests: who received what.
type record struct{ lines []string }

const records = ConnSlot[record](KeepsTest)

func wrote(c *Conn, line string) {
	r := records.Of(c)
	r.lines = append(r.lines, line)
}

// A doubled is what the Knowledge of these tests makes out: every second message.
type doubled struct{ messages int64 }

func talking() []Event {
	return []Event{OnMessage(0, func(c *Conn, _ *dissect.Message, _ Reporter) {
		wrote(c, "knowledge")
		if c.Messages%2 == 0 {
			Raise(c, Class(1)<<(c.Messages/2), &doubled{c.Messages})
		}
	})}
}

// said is a rule that notes each message.
func noting(id string, speaks Protocol, need Class, needs ...Knowledge) *Rule {
	return &Rule{Rule: finding.Rule{ID: id, Severity: finding.Note}, Check: Check{Speaks: speaks, Needs: needs, On: []Event{
		OnMessage(need, func(c *Conn, _ *dissect.Message, report Reporter) { wrote(c, report.rule.ID) }),
	}}}
}

// play hands a connection of two calls and their replies to the rules.
func play(t *testing.T, k *Checker) {
	t.Helper()
	d := dissect.New(k, dissect.Options{Accesses: k, Units: true})
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for range 2 {
		c.Reply(c.Call(build.NFS3GetAttr(1, []byte("handle"))), build.NFS3ReadFailed(1, 70))
	}
	c.Disconnect()
	for i, f := range c.Frames {
		d.Frame(&capture.Frame{Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)), Time: f.Time.UnixNano(), Number: int64(i + 1)})
	}
	k.Over()
	d.Flush()
	k.Finish()
}

// TestOrder holds in which order rules receive one event: those that look at all
// connections before the others, each as they are listed, and a Knowledge before the first
// that needs it; whether needs are honoured or not, and whether a rule declares what it
func TestOrder(t *testing.T) {
	k1 := Knowledge{Keeping: KeepsCM, On: talking()}
	k2 := Knowledge{Keeping: KeepsDDP, Needs: []Knowledge{k1}, On: []Event{On(1<<1, func(c *Conn, x *doubled, _ Reporter) { wrote(c, "raised") })}}
	last := noting("D-001", AnyProtocol, 0)
	last.On = append(last.On, On(1<<2, func(c *Conn, x *doubled, report Reporter) {
		if x.messages == 4 {
			wrote(c, "raised to "+report.rule.ID)
		}
	}), OnEnd(func(c *Conn, report Reporter) { wrote(c, "end") }))
	list := []*Rule{
		noting("A-001", RPCRDMA, 0), noting("B-001", AnyProtocol, 0), noting("C-001", AnyProtocol, WithRPCSECGSS, k2), last,
		noting("E-001", Version2, 0), noting("F-001", RPCRDMA, Calling, k1),
	}
	each := func(raised ...string) []string {
		return slices.Concat([]string{"B-001", "knowledge"}, raised, []string{"D-001", "A-001"})
	}
	want := slices.Concat(each(), []string{"F-001"}, each("raised"), each(), []string{"F-001"}, each("raised to D-001"), []string{"end"})
	var got []string
	list = append(list, &Rule{Rule: finding.Rule{ID: "Z-001", Severity: finding.Note}, Check: Check{On: []Event{OnEnd(func(c *Conn, _ Reporter) { got = records.Of(c).lines })}}})
	play(t, NewChecker(list, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {}))
	if !slices.Equal(got, want) {
		t.Errorf("told were\n%q, want\n%q", got, want)
	}
	k := NewChecker(list, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {})
	k.IgnoreNeeds()
	play(t, k)
	plain := []string{"B-001", "knowledge", "C-001", "D-001", "A-001", "E-001", "F-001"}
	if len(got) < len(plain) || !slices.Equal(got[:len(plain)], plain) {
		t.Errorf("with needs ignored told were\n%q, want first\n%q", got, plain)
	}
}

// TestKept holds that nothing is kept before it is asked for.
func TestKept(t *testing.T) {
	c := new(Conn)
	if records.IfAny(c) != nil {
		t.Error("something is kept that nobody asked for")
	}
	records.Of(c).lines = []string{"once"}
	if got := records.IfAny(c); got == nil || len(got.lines) != 1 || got != records.Of(c) {
		t.Errorf("kept is %+v", got)
	}
	if n := testing.AllocsPerRun(100, func() { records.Of(c).lines[0] = "again" }); n > 0 {
		t.Errorf("asking for what is kept allocates %v times", n)
	}
}

// TestTellAllocatesNothing holds that an event costs no memory once its class has come,
// whoever says what it is.
func TestTellAllocatesNothing(t *testing.T) {
	rule := noting("A-001", AnyProtocol, 0)
	count := 0
	rule.On = []Event{
		OnMessage(Calling, func(*Conn, *dissect.Message, Reporter) { count++ }),
		On(0, func(*Conn, *doubled, Reporter) { count++ }),
	}
	k := NewChecker([]*Rule{rule}, DefaultConfig(), nil)
	c := &Conn{Capture: &k.capture, tables: k.tables.speaking(AnyProtocol)}
	m, x := new(dissect.Message), new(doubled)
	n := testing.AllocsPerRun(100, func() {
		c.tables.message.emit(c, &c.reportState, Calling, m)
		c.tables.message.emit(c, &c.reportState, Invalidating, m)
		Raise(c, 0, x)
	})
	if n > 0 || count != 202 {
		t.Errorf("%v allocations, %d calls", n, count)
	}
}

// TestManyClasses holds that classes beyond those that are remembered lose no call.
func TestManyClasses(t *testing.T) {
	var list table[*Conn, int]
	calls := 0
	for bit := range 10 {
		list.addStep(place{}, 1<<bit, func(*Conn, int, Reporter) { calls++ })
	}
	want := 0
	for range 2 {
		for of := range Class(1 << 10) {
			for x := of; x != 0; x &= x - 1 {
				want++
			}
			list.emit(nil, nil, of, 0)
		}
	}
	if calls != want {
		t.Errorf("%d calls, want %d", calls, want)
	}
	if len(list.classes) > mostClasses {
		t.Errorf("%d classes are remembered", len(list.classes))
	}
}
