package rules

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// TestLimitsText holds what a reader sees of limitations.
func TestLimitsText(t *testing.T) {
	for _, test := range []struct {
		gates  Limitations
		limits string
		want   string
	}{
		{nil, "", ""},
		{nil, "Empty chunks do not count.", "Empty chunks do not count."},
		{Limitations{SilentIf(OneDirection)}, "", "Silent where the capture has one direction only."},
		{Limitations{SilentIf(LostSince, NearEnd), LikelyIf(BeganLate)}, "Empty chunks do not count.",
			"Silent where the capture lacks frames since the call or ends soon after. Only likely where the capture began after the connection was set up. Empty chunks do not count."},
		{Limitations{SilentIf(LostSince.From(Server), Disordered).Since("the Send"), DetailIf(Lossy)}, "",
			"Silent where the capture lacks frames of the server since the Send or has frames out of order."},
		{Limitations{SilentIf(Protected), LowerIf(Lossy)}, "",
			"Silent about messages that RPCSEC_GSS protects. Of lower severity where the capture lacks frames of the connection."},
		{Limitations{SilentIf(Unpaired, Uncalled, Protected).In("b"), SilentOrLikelyIf(NothingFollows.From(Requester)).In("acd")}, "",
			"Case b is silent about messages that RPCSEC_GSS protects, and where the capture leaves open which call a reply answers or leaves open whether a message is a call. " +
				"Cases a, c and d are silent, or only likely, where the capture has no later message of the requester that would show a loss."},
		{Limitations{SilentIf(AnyCut, Cut, Protected)}, "",
			"Silent about messages that were captured only in part or that RPCSEC_GSS protects, and where the capture has other messages only in part."},
		{Limitations{SilentIf(OneDirection).Of("a missing answer"), LikelyIf(Cut)}, "",
			"Silent about a missing answer where the capture has one direction only. Only likely about messages that were captured only in part."},
	} {
		if got := limits(test.gates, test.limits); got != test.want {
			t.Errorf("%v:\n%s\nwant\n%s", test.gates, got, test.want)
		}
	}
}

// TestGateSides holds that a limitation knows its end, and which declared one it fits.
func TestGateSides(t *testing.T) {
	for k := range limitationKinds {
		for s := range parties {
			if g := k.From(s); g.Kind() != k || g.Party() != s || g.From(Either) != k || g.String() == "" {
				t.Errorf("gate %d from side %d is %d: gate %d from side %d, %q", k, s, g, g.Kind(), g.Party(), g)
			}
		}
	}
	for _, test := range []struct {
		asked, declared Limitation
		want            bool
	}{
		{LostSince, LostSince, true},
		{LostSince, Lossy, false},
		{NothingFollows.From(Client), NothingFollows, true},
		{NothingFollows.From(Client), NothingFollows.From(Requester), true},
		{NothingFollows.From(Client), NothingFollows.From(Client), true},
		{NothingFollows.From(Client), NothingFollows.From(Server), false},
		{NothingFollows, NothingFollows.From(Server), true},
	} {
		if got := test.asked.Fits(test.declared); got != test.want {
			t.Errorf("%v fits %v: %v", test.asked, test.declared, got)
		}
	}
}

// TestWhoAsked holds that what is asked is noted of the rule, or the Knowledge, whose
// function runs, also where one hands on to the other.
func TestWhoAsked(t *testing.T) {
	ask := func(g Limitation) func(c *Conn, _ *dissect.Message, _ Reporter) {
		return func(c *Conn, _ *dissect.Message, _ Reporter) { c.Limited(g, c.Messages == 4) }
	}
	known := Knowledge{Keeping: KeepsTest, On: []Event{OnMessage(0, func(c *Conn, _ *dissect.Message, _ Reporter) {
		c.Limited(Lossy, false)
		if c.Messages == 4 {
			Raise(c, 0, &doubled{})
		}
		c.Limited(NearEnd, false)
	})}}
	first := &Rule{Rule: finding.Rule{ID: "A-001"}, Check: Check{On: []Event{OnMessage(0, ask(BeganLate))}}}
	second := &Rule{Rule: finding.Rule{ID: "A-002"}, Check: Check{Needs: []Knowledge{known}, On: []Event{
		On(0, func(c *Conn, _ *doubled, _ Reporter) { c.OneDirection() }),
		OnMessage(0, ask(Disordered)),
	}}}
	k := NewChecker([]*Rule{first, second}, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {})
	type note struct {
		by   Asker
		gate Limitation
		shut bool
	}
	var got []note
	k.NoteLimitations(func(by Asker, g Limitation, shut bool) { got = append(got, note{by, g, shut}) })
	play(t, k)
	a, b, x := Asker{Rule: first}, Asker{Rule: second}, Asker{At: KeepsTest}
	each := []note{{a, BeganLate, false}, {x, Lossy, false}, {x, NearEnd, false}, {b, Disordered, false}}
	want := slices.Concat(each, each, each,
		[]note{{a, BeganLate, true}, {x, Lossy, false}, {b, OneDirection, false}, {x, NearEnd, false}, {b, Disordered, true}})
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
