package filter

import (
	"net/netip"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/allocs"
)

// A fixed record is as a caller writes one: a switch over the fields of its set.
type fixed struct {
	op       uint64
	latency  time.Duration
	name     []byte
	fh       []byte
	src, dst netip.Addr
	time     int64
}

func (r *fixed) Values(i int, to *Values) {
	switch i {
	case 0, 1, 4, 8, 9:
		to.Uint(r.op)
	case 2:
		to.Text(r.name)
	case 12:
		to.String("DDP-005")
	case 3:
		to.Bytes(r.fh)
	case 5:
		to.Int(-1)
	case 6:
		to.Duration(r.latency)
	case 7:
		to.Bool(true)
	case 10:
		if to.Addr(r.src); !to.Done() {
			to.Addr(r.dst)
		}
	case 11:
		to.Time(r.time)
	}
}

func newFixed() *fixed {
	return &fixed{
		op: 25, latency: 12 * time.Millisecond, fh: []byte("a file handle of more than 32 octets, as they are"),
		name: []byte("a name of more than thirty-two octets.tmp"), src: addr("192.0.2.1"), dst: addr("2001:db8::1"),
	}
}

// costs are expressions by what they cost: all are true of newFixed.
var costs = []struct{ name, expr string }{
	{"two numbers", `rdma.xid == 25 and rpc.latency > 10ms`},
	{"names", `nfs.op == READ or nfs.status != NFS4_OK`},
	{"booleans", `rpc.complete and not nfs.offset == 1 and frame.time < 2026-01-01`},
	{"set of numbers", `rdma.xid in {1, 3, 5, 7, 9, 11..13, 15, 17, 19, 25, 27}`},
	{"addresses", `ip.addr == 2001:db8::/32`},
	{"set of addresses", `ip.addr in {10.0.0.1, 192.0.2.0/24}`},
	{"text", `nfs.name contains "thirty" and nfs.name >= "a" and finding.rule == "DDP-005"`},
	{"set of text", `nfs.name in {"x", "a name of more than thirty-two octets.tmp"} and finding.rule in {"DDP-005"}`},
	{"octets", `nfs.fh contains 6f:63 and nfs.fh != 00`},
	{"regular expression", `nfs.name matches r"\.tmp$"`},
}

func TestMatchAllocatesNothing(t *testing.T) {
	set := testSet(t)
	r := newFixed()
	if err := set.Check(r); err != nil {
		t.Fatal(err)
	}
	for _, c := range costs {
		f, err := set.Compile(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Match(r) {
			t.Errorf("%s: false", c.expr)
		}
		if raced && c.name == "regular expression" {
			t.Logf("%s: not counted: package regexp keeps its machines in a sync.Pool, which forgets at random under the race detector", c.expr)
			continue
		}
		if n := allocs.Per(100, func() { f.Match(r) }); n != 0 {
			t.Errorf("%s: %v allocations", c.expr, n)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	set := testSet(b)
	r := newFixed()
	for _, c := range costs {
		f, err := set.Compile(c.expr)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.Match(r)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	set := testSet(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := set.Compile(seeds[0]); err != nil {
			b.Fatal(err)
		}
	}
}
