package finding

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// TestKindOfWay holds what is reported of one direction to what its frames prove.
func TestKindOfWay(t *testing.T) {
	for _, tt := range []struct {
		name  string
		there Way // to the server
		back  Way
		want  [2]string // of each direction, "" if nothing
	}{
		{"lost, and a few of them twice", Way{Before: 9, Overtaken: 2}, Way{}, [2]string{"lost at least 9 frames", ""}},
		{"overtaken", Way{Before: 3, Overtaken: 154}, Way{}, [2]string{"Nothing shows that any of them was lost", ""}},
		{"overtaken, many of them for several NAKs", Way{}, Way{Before: 137, Overtaken: 72}, [2]string{"", "137 more arrived late too, either retransmitted after a loss or overtaken"}},
		{"responses that are asked for again together with what was overtaken", Way{Behind: 1}, Way{Before: 137, Overtaken: 72}, [2]string{"", "overtaken"}},
		{"what was sent again since its acknowledgement was changed", Way{Behind: 1, Unsure: 1, Tries: 2}, Way{Changed: 4}, [2]string{"", "4 frames"}},
		{"what was asked for again, and frames that were changed", Way{Behind: 3}, Way{Changed: 4}, [2]string{"beyond", "4 frames"}},
		{"responses to copies of requests", Way{Behind: 1}, Way{Copies: 9}, [2]string{"", ""}},
		{"responses that are asked for again", Way{Behind: 4}, Way{Before: 2}, [2]string{"beyond the capture", "lost at least 2 frames"}},
	} {
		n := network{ways: [2]Way{tt.there, tt.back}}
		for to, want := range tt.want {
			if got := strings.ReplaceAll(n.did(to), "\u00a0", " "); got != want && (want == "" || !strings.Contains(got, want)) {
				t.Errorf("%s, direction %d: %q, want %q", tt.name, to, got, want)
			}
		}
	}
}

// TestChangedExplainsDoubts holds that what is in doubt, near frames that were changed, is taken for their effect, and
// what is certain is not.
func TestChangedExplainsDoubts(t *testing.T) {
	first := flow.Moment{Time: 1e18}
	n := network{ways: [2]Way{{Changed: 3, First: first, Last: first}, {}}, slowest: new(oneCase)}
	rule := &Rule{ID: "RPC-002"}
	x := oneCase{caseKey: caseKey{rowKey: rowKey{id: "RPC-002a"}}, rule: rule, first: first, last: first.Time}
	if !n.explains(&x) {
		t.Error("a doubt is not explained")
	}
	if x.certain = true; n.explains(&x) {
		t.Error("what is certain is explained")
	}
	x.certain = false
	if x.last = 1e17; n.explains(&x) {
		t.Error("what was long before is explained")
	}
}

// TestOnlyLarge holds when it is reported that only large frames are lost.
func TestOnlyLarge(t *testing.T) {
	way := Way{Behind: 4, Smallest: 596, Largest: 596, SmallPassed: 3}
	as := func(change func(w *Way)) Way {
		w := way
		change(&w)
		return w
	}
	for _, tt := range []struct {
		name        string
		way         Way
		connections int64
		mtu         int
		want        string
	}{
		{"one frame on each of several connections", way, 4, 1024, "All of them carry 596 bytes;"},
		{"as large as the path MTU", as(func(w *Way) { w.Smallest, w.Largest, w.SmallPassed = 1024, 1024, 1 }), 1, 1024, "1,024 bytes, the path MTU in use;"},
		{"none was answered", as(func(w *Way) { w.Unsure, w.Tries = 4, 3 }), 4, 0, "nothing answered them"},
		{"on one connection", way, 1, 1024, ""},
		{"as large ones passed", as(func(w *Way) { w.LargePassed = 1 }), 4, 1024, ""},
		{"nothing passed", as(func(w *Way) { w.SmallPassed = 0 }), 4, 1024, ""},
		{"small ones are lost too", as(func(w *Way) { w.Smallest = 80 }), 4, 1024, ""},
		{"two times", as(func(w *Way) { w.Behind = 2 }), 4, 1024, ""},
	} {
		n := network{ways: [2]Way{tt.way, {}}, connections: tt.connections, mtu: tt.mtu}
		got, large := n.did(toServer), strings.Contains(n.advice(), "smaller MTU")
		if !strings.Contains(got, tt.want) || large != (tt.want != "") || large != strings.Contains(got, "All of them carry") {
			t.Errorf("%s: %q, %q", tt.name, got, n.advice())
		}
	}
}
