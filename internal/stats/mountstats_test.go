package stats_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/stats"
)

// counted is what the Linux client counts of an operation: calls, bytes of the
// RPC messages, errors.
type counted struct {
	calls, sent, received, errors int64
}

func (c *counted) add(d counted) {
	c.calls += d.calls
	c.sent += d.sent
	c.received += d.received
	c.errors += d.errors
}

// rowOf is the row in which the calls are that the client makes for one of its
// own procedures of NFS version 4: the operation that says what their COMPOUNDs
// are for. Those that are not here have the row of their name.
var rowOf = map[string]string{
	"FSINFO":         "GETATTR", // PUTFH, GETATTR
	"GET_LEASE_TIME": "GETATTR", // PUTROOTFH, GETATTR
	"LOOKUP_ROOT":    "GETATTR", // PUTROOTFH, GETFH, GETATTR
	"PATHCONF":       "GETATTR", // PUTFH, GETATTR
	"SERVER_CAPS":    "GETATTR", // PUTFH, GETATTR
	"STATFS":         "GETATTR", // PUTFH, GETATTR
	"SYMLINK":        "CREATE",  // PUTFH, CREATE, GETFH, GETATTR
	"OPEN_NOATTR":    "OPEN",    // PUTFH, OPEN, ACCESS, GETATTR
}

// TestMountstats holds what is counted of each connection against what the
// kernel counted of its mount: calls, bytes of the RPC messages, errors.
func TestMountstats(t *testing.T) {
	for _, c := range []struct {
		sample, version string
		connection      int
		// later are the calls that came after the kernel's counts were read, at the
		// unmount: the last of the connection.
		later map[string]counted
	}{
		{sample: "rxe-basic", version: "3", connection: 1},
		{sample: "rxe-basic", version: "4.0", connection: 2, later: map[string]counted{"NFS4 RENEW": {1, 92, 44, 0}}},
		{sample: "rxe-basic", version: "4.1", connection: 3, later: goodbye},
		{sample: "rxe-basic", version: "4.2", connection: 4, later: goodbye},
		{sample: "siw-basic", version: "3", connection: 1},
		{sample: "siw-basic", version: "4.0", connection: 2},
		{sample: "siw-basic", version: "4.1", connection: 3, later: goodbye},
		{sample: "siw-basic", version: "4.2", connection: 4, later: goodbye},
	} {
		t.Run(c.sample+" "+c.version, func(t *testing.T) {
			want := readMountstats(t, c.sample, c.version)
			for name, d := range c.later {
				row := want[name]
				row.add(d)
				want[name] = row
			}
			g := sample(t, c.sample)
			if len(g.list) != 4 {
				t.Fatalf("%d connections, want one a mount", len(g.list))
			}
			e := g.list[c.connection-1]
			for name, o := range e.rows {
				if strings.HasPrefix(name, "NFSACL") {
					continue // of another program, which these counts leave out
				}
				got := counted{o.Calls, int64(o.CallBytes), int64(o.ReplyBytes), o.Errors.Total}
				if got != want[name] {
					t.Errorf("%s: %+v, the kernel counted %+v", name, got, want[name])
				}
				delete(want, name)
			}
			for name, d := range want {
				t.Errorf("%s has no row, the kernel counted %+v", name, d)
			}
			names := g.order[e.id]
			for _, name := range names[len(names)-len(c.later):] {
				if _, last := c.later[name]; !last {
					t.Errorf("%s is among the last RPCs, want %v", name, c.later)
				}
			}
		})
	}
}

var goodbye = map[string]counted{
	"NFS4 DESTROY_SESSION":  {1, 100, 44, 0},
	"NFS4 DESTROY_CLIENTID": {1, 92, 44, 0},
}

// readMountstats reads the kernel's counts, by row.
func readMountstats(t *testing.T, name, version string) map[string]counted {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name+".mountstats."+version))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := make(map[string]counted)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var procedure string
		var c counted
		if _, err := fmt.Sscan(lines.Text(), &procedure, &c.calls, &c.sent, &c.received, &c.errors); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		row := procedure
		if as := rowOf[procedure]; as != "" && version != "3" {
			row = as
		}
		row = "NFS" + version[:1] + " " + row
		sum := all[row]
		sum.add(c)
		all[row] = sum
	}
	if len(all) < 10 {
		t.Fatalf("%d rows of mountstats", len(all))
	}
	return all
}

// TestTotals holds that the totals are the sums of the connections.
func TestTotals(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-cb", "rxe-krb", "rxe-loss", "siw-basic", "siw-loss", "siw-perftest"} {
		g := sample(t, name)
		totals := byName(t, g.Totals.Rows())
		sums := make(map[string]counted)
		latencies := make(map[string]int64)
		for _, e := range g.list {
			for name, o := range e.rows {
				c := sums[name]
				c.add(counted{o.Calls, int64(o.CallBytes), int64(o.ReplyBytes), o.Errors.Total})
				sums[name] = c
				latencies[name] += o.Latency.Count
			}
		}
		if len(sums) != len(totals) || g.Totals.Others != nil {
			t.Errorf("%s: %d operations in all, the connections have %d", name, len(totals), len(sums))
		}
		for op, o := range totals {
			if got := (counted{o.Calls, int64(o.CallBytes), int64(o.ReplyBytes), o.Errors.Total}); got != sums[op] {
				t.Errorf("%s: %s is %+v in all, %+v by connection", name, op, got, sums[op])
			}
			if o.Latency.Count != latencies[op] {
				t.Errorf("%s: %s has %d latencies in all, %d by connection", name, op, o.Latency.Count, latencies[op])
			}
		}
		if !slices.IsSortedFunc(g.Totals.Rows(), func(a, b *stats.Operation) int { return int(b.Calls - a.Calls) }) {
			t.Errorf("%s: the operations most called do not come first", name)
		}
	}
}
