package finding_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// slowOn is a slow call on a connection.
func slowOn(connection int, took int64) *finding.Finding {
	return &finding.Finding{
		Rule: &finding.Rule{ID: "SYM-002"}, Severity: finding.Warning, Connection: &dissect.Connection{Conn: &flow.Conn{ID: connection}},
		Message: fmt.Sprintf("NFS3 READ took %d ms", took), Took: took, Count: 1, Time: int64(connection),
	}
}

// of is a finding of a rule, in words that no other has.
func of(rule string, s finding.Severity, message string) *finding.Finding {
	return &finding.Finding{Rule: &finding.Rule{ID: rule}, Severity: s, Message: message, Count: 1}
}

func add(d *finding.Digest[string], f *finding.Finding, place string, shows bool) *finding.Alike[string] {
	return d.Add(f, place, shows, func(string) string { return f.Message })
}

// TestDigestMerges holds that findings that differ in their numbers are one, with the words of the worst and the
// places of some of the others, and that what does not say the same, or explains something else, is another.
func TestDigestMerges(t *testing.T) {
	d := finding.Digest[string]{Room: 100, Places: 3}
	for i, took := range []int64{5, 9, 7, 8, 6, 4} {
		add(&d, slowOn(i+1, took), fmt.Sprint(i+1), true)
	}
	with := slowOn(7, 3)
	with.Effects = []*finding.Finding{of("SYM-001", finding.Warning, "a stall")}
	add(&d, with, "7", true)
	certain := slowOn(8, 1)
	certain.Doubt = "frames are missing"
	add(&d, certain, "8", true)
	list := d.Sorted()
	if len(list) != 3 {
		t.Fatalf("%d say something of their own, want 3", len(list))
	}
	x := list[0]
	if x.Value != "NFS3 READ took 9 ms" || x.Place != "2" || !slices.Equal(x.Places, []string{"1", "3", "4"}) || x.N != 6 || x.Connections != 6 {
		t.Errorf("%q at %s, %d on %d connections, others at %q", x.Value, x.Place, x.N, x.Connections, x.Places)
	}
	add(&d, slowOn(9, 2), "", true)
	add(&d, slowOn(9, 1), "", true)
	if x.N != 8 || x.Connections != 7 {
		t.Errorf("%d on %d connections, want 8 on 7", x.N, x.Connections)
	}
}

// TestDigestShows holds that the worst does not take the place of one that shows more than words, and that what
// shows more takes the place of what does not.
func TestDigestShows(t *testing.T) {
	d := finding.Digest[string]{Room: 100, Places: 3}
	x := add(&d, slowOn(1, 5), "1", false)
	add(&d, slowOn(2, 4), "2", true)
	add(&d, slowOn(3, 9), "3", false)
	if x.Value != "NFS3 READ took 4 ms" || x.Place != "2" || !slices.Equal(x.Places, []string{"1", "3"}) {
		t.Errorf("%q at %s, others at %q", x.Value, x.Place, x.Places)
	}
	add(&d, slowOn(4, 9), "4", true)
	if add(&d, slowOn(5, 10), "5", true); x.Place != "5" {
		t.Errorf("the worst is said to be at %s", x.Place)
	}
}

// TestDigestOrder holds that what hurts most comes first and stays where there is no room for all, that what is left
// out is counted by severity, and that it does not come in another order in another run.
func TestDigestOrder(t *testing.T) {
	run := func() (kept []string, d *finding.Digest[string]) {
		d = &finding.Digest[string]{Room: 4}
		for i := range 8 {
			add(d, of("HDR-001", finding.Severity(i%3+1), "case "+string(rune('a'+i))), "", true)
		}
		for _, x := range d.Sorted() {
			kept = append(kept, x.Value)
		}
		return kept, d
	}
	kept, d := run()
	if !slices.Equal(kept, []string{"case c", "case f", "case b", "case e"}) {
		t.Errorf("kept are %q", kept)
	}
	if d.LeftOut[finding.Note] != 3 || d.LeftOut[finding.Warning] != 1 || d.LeftOut[finding.Error] != 0 {
		t.Errorf("left out are %v", d.LeftOut)
	}
	for range 20 {
		if again, _ := run(); !slices.Equal(again, kept) {
			t.Fatalf("%q at first, %q then", kept, again)
		}
	}
	if x := add(d, of("HDR-001", finding.Note, "one more"), "", true); x != nil {
		t.Error("a note took the place of a warning")
	}
}

// TestDigestRoom holds that places of others take room too: what becomes too large for it goes.
func TestDigestRoom(t *testing.T) {
	d := finding.Digest[string]{Room: 50, Places: 10, Size: func(x *finding.Alike[string]) int64 { return int64(len(x.Value) + 10*len(x.Places)) }}
	add(&d, slowOn(1, 5), "", true)
	add(&d, of("HDR-001", finding.Error, "wrong"), "", true)
	for i := range 3 {
		add(&d, slowOn(i+2, 1), "", true)
	}
	list := d.Sorted()
	if len(list) != 1 || list[0].Value != "wrong" || d.LeftOut[finding.Warning] != 4 {
		t.Errorf("%d are left, %v left out", len(list), d.LeftOut)
	}
}
