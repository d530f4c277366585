package filter

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestNewSet(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields []Field
		want   string
	}{
		{"nothing", nil, ""},
		{"good", []Field{{Name: "a", Kind: Uint}, {Name: "a.b-c_9", Kind: Enum, Names: statuses}}, ""},
		{"twice", []Field{{Name: "a", Kind: Uint}, {Name: "a", Kind: Int}}, "two fields are named a"},
		{"no kind", []Field{{Name: "a"}}, "a has no kind"},
		{"unknown kind", []Field{{Name: "a", Kind: Time + 1}}, "a has no kind"},
		{"no names", []Field{{Name: "a", Kind: Enum}}, "a is an Enum without names"},
		{"a word of the language", []Field{{Name: "and", Kind: Uint}}, `"and" cannot be the name of a field`},
		{"an operator", []Field{{Name: "contains", Kind: Uint}}, `"contains" cannot be the name of a field`},
		{"upper case", []Field{{Name: "A", Kind: Uint}}, `"A" cannot be the name of a field`},
		{"a digit first", []Field{{Name: "9p", Kind: Uint}}, `"9p" cannot be the name of a field`},
		{"a range", []Field{{Name: "a..b", Kind: Uint}}, `"a..b" cannot be the name of a field`},
		{"a dot last", []Field{{Name: "a.", Kind: Uint}}, `"a." cannot be the name of a field`},
		{"no name", []Field{{Kind: Uint}}, `"" cannot be the name of a field`},
		{"two faults", []Field{{Name: "a b", Kind: Uint}, {Name: "c"}}, "\"a b\" cannot be the name of a field\nc has no kind"},
	} {
		set, err := NewSet(c.fields...)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || (set == nil) != (err != nil) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFieldsOfAFilter(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct{ expr, want string }{
		{"", ""},
		{"rdma.xid == 1", "rdma.xid"},
		{"rdma.xid == 1 or not rdma.xid == 2 and rpc.complete or Nfs.Op in {1}", "nfs.op rpc.complete rdma.xid"},
	} {
		f, err := set.Compile(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range f.Fields() {
			names = append(names, set.Fields()[i].Name)
		}
		if got := strings.Join(names, " "); got != c.want || !slices.IsSorted(f.Fields()) || f.String() != c.expr {
			t.Errorf("%s: %s, want %s", f, got, c.want)
		}
	}
}

// mixed gives every field the wrong kind: one number too many kinds.
type mixed struct{}

func (mixed) Values(_ int, to *Values) {
	to.Int(1)
	to.Text(nil)
}

func TestCheck(t *testing.T) {
	set := testSet(t)
	for _, r := range []Record{read, lookup, nothing, newFixed()} {
		if err := set.Check(r); err != nil {
			t.Error(err)
		}
	}
	got := set.Check(mixed{}).Error()
	if want := "field rdma.xid takes a number and was given text in quotes"; !strings.Contains(got, want) {
		t.Errorf("%s\nlacks %s", got, want)
	}
	if n := strings.Count(got, "\n") + 1; n != len(testFields) {
		t.Errorf("%d faults in %d fields:\n%s", n, len(testFields), got)
	}
	// A filter passes over such values.
	for _, expr := range []string{"rdma.xid", "ip.addr != 10.0.0.1", "rpc.complete", `nfs.fh != "a"`} {
		f, err := set.Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		if f.Match(mixed{}) {
			t.Errorf("%s is true of values of another kind", expr)
		}
	}
	var alone Values // as nobody should use it
	alone.Uint(1)
	alone.Text(nil)
	if alone.Done() {
		t.Error("done without a test")
	}
}

// TestElsewhere shows that the caller's word about other levels is the hint.
func TestElsewhere(t *testing.T) {
	set := testSet(t)
	set.Elsewhere = func(name string) string {
		if name == "bth.psn" {
			return "bth.psn is of frames: add --level frame"
		}
		return ""
	}
	for _, c := range []struct{ expr, want string }{
		{"BTH.psn == 1", "bth.psn is of frames: add --level frame"},
		{"nfs.opp == 1", "did you mean nfs.op?"},
	} {
		_, err := set.Compile(c.expr)
		var e *Error
		if !errors.As(err, &e) || e.Hint != c.want {
			t.Errorf("%s: %v, want the hint %s", c.expr, err, c.want)
		}
	}
}

// TestDone shows after which values of a field no further one is wanted.
func TestDone(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct {
		expr string
		want int // values given of 1, 2, 3
	}{
		{"rdma.xid", 1}, {"rdma.xid == 1", 1}, {"rdma.xid == 2", 2}, {"rdma.xid == 9", 3},
		{"rdma.xid != 2", 2}, {"rdma.xid === 1", 2}, {"all rdma.xid > 0", 3}, {"rdma.xid !== 1", 2},
	} {
		f, err := set.Compile(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		var r counting
		f.Match(&r)
		if int(r) != c.want {
			t.Errorf("%s: %d values, want %d", c.expr, r, c.want)
		}
	}
}

type counting int

func (r *counting) Values(_ int, to *Values) {
	for v := uint64(1); v <= 3 && !to.Done(); v++ {
		to.Uint(v)
		*r++
	}
}
