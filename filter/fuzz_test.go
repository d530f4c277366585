package filter

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/cputime"
)

// seeds use all of the language.
var seeds = []string{
	`nfs.op == READ and rpc.latency > 10ms`,
	`not nfs.status == NFS4_OK or (all nfs.status !== 0x2 && any ip.addr === 192.0.2.0/24)`,
	`rdma.xid in {0x1, 0x2..0x9} || !nfs.count >= 1.5MiB`,
	`nfs.name matches "(?-i)\\.tm[p]$" and nfs.name contains r'\x' or nfs.name ~ "\u00e9\101\x41"`,
	`nfs.fh == 01:00:ff and nfs.fh not in {0100ff, "a"}`,
	`rpc.complete and ip.addr in {2001:db8::1..2001:db8::9} and nfs.offset ge -5`,
	`frame.time > "2026-01-31 15:04:05.25 UTC"`,
}

// FuzzCompile holds every error to what checkError wants, and a filter to what
// its expression says: joined with itself by and, by or, and under two nots, it
// keeps the same records.
func FuzzCompile(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("frame.time#")
	set := testSet(f)
	f.Fuzz(func(t *testing.T, expr string) {
		before := cputime.Used(t)
		a, err := set.Compile(expr)
		checkError(t, expr, err)
		for _, c := range set.Completions(expr) {
			if len(c.Text) < len(expr) {
				t.Errorf("%q is completed to %q", expr, c.Text)
			}
		}
		if err != nil {
			return
		}
		if !slices.IsSorted(a.Fields()) || a.String() != expr {
			t.Errorf("%q: fields %v, written %q", expr, a.Fields(), a)
		}
		group := "(" + expr + "\n)" // it may end in a comment
		if len(a.Fields()) == 0 {   // nothing but spaces
			group = "(rdma.xid or not rdma.xid)"
		}
		for _, same := range []string{group + "and" + group, group + "||" + group, "not !" + group} {
			b, err := set.Compile(same)
			if len(same) > maxExpr || err != nil && err.(*Error).Reason == "nested deeper than 200" {
				continue
			}
			if err != nil {
				t.Fatalf("%q:\n%v", same, err)
			}
			for _, r := range []Record{read, lookup, nothing} {
				if a.Match(r) != b.Match(r) {
					t.Errorf("%q keeps %v: %v, but %q: %v", expr, r, a.Match(r), same, b.Match(r))
				}
			}
		}
		if d := cputime.Used(t) - before; d > 5*time.Second {
			t.Errorf("%d bytes took %v", len(expr), d)
		}
	})
}

// FuzzMatch gives records any bytes, as a capture does: text and bytes are the
// same to a filter whether it gets them as a string or as they lie in a buffer.
func FuzzMatch(f *testing.F) {
	f.Add("a.tmp", uint64(5), int64(-1), []byte{192, 0, 2, 1})
	f.Add("\xff\x00", uint64(1<<63), int64(-1<<63), []byte{})
	set := testSet(f)
	var filters []*Filter
	for _, expr := range seeds {
		filter, err := set.Compile(expr)
		if err != nil {
			f.Fatal(err)
		}
		filters = append(filters, filter)
	}
	name, err := set.Compile(`nfs.name contains "mp"`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string, n uint64, i int64, a []byte) {
		for _, filter := range filters {
			r := anything{s, n, i, a, false}
			asString := filter.Match(&r)
			r.inBuffer = true
			if filter.Match(&r) != asString {
				t.Errorf("%s: %q differs in a buffer", filter, s)
			}
		}
		if got, want := name.Match(&anything{s: s}), bytes.Contains([]byte(s), []byte("mp")); got != want {
			t.Errorf("%q contains mp: %v", s, got)
		}
	})
}

// anything has the same values in every field of a kind.
type anything struct {
	s        string
	n        uint64
	i        int64
	a        []byte
	inBuffer bool
}

func (r *anything) Values(i int, to *Values) {
	switch testFields[i].Kind {
	case Uint, Enum:
		to.Uint(r.n)
		to.Uint(uint64(r.i))
	case Int:
		to.Int(r.i)
	case Duration:
		to.Duration(time.Duration(r.i))
	case Time:
		to.Time(r.i)
	case Bool:
		to.Bool(r.n > 9)
	case String:
		if r.inBuffer {
			to.Text([]byte(r.s))
		} else {
			to.String(r.s)
		}
	case Bytes:
		to.Bytes([]byte(r.s))
	case Address:
		to.Addr(addressOf(r.a))
	}
}
