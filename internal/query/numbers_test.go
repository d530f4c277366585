package query

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// TestNumbers holds that each number that is listed of an RPC is one that a filter
// finds, and no other.
func TestNumbers(t *testing.T) {
	sets := newSets(t)
	each := func(do func(*dissect.RPC)) { read(t, "../../samples/rxe-cb.pcap.zst", &told{rpc: do}) }
	if sets.Numbers("rpc.latency") != nil || sets.Numbers("nfs.name") != nil || sets.Numbers("none") != nil {
		t.Error("there are numbers of what has none")
	}
	for _, name := range []string{"nfs.op", "nfs.status", "rpc.program", "rpc.transfer", "rdma.credits", "rdma.reply", "rpc.auth"} {
		list := sets.Numbers(name)
		var n filter.Numbers
		seen := make(map[uint64]bool)
		each(func(r *dissect.RPC) {
			list(r, &n)
			for _, v := range n.List {
				seen[v] = true
			}
		})
		if len(seen) == 0 {
			t.Errorf("%s has no values", name)
		}
		for v := range seen {
			word := fmt.Sprint(v)
			if name == "rdma.reply" {
				word = fmt.Sprint(v == 1)
			}
			q := compile(t, sets, RPCs, name+" == "+word)
			each(func(r *dissect.RPC) {
				list(r, &n)
				if got, want := slices.Contains(n.List, v), q.RPC(r); got != want {
					t.Errorf("%s: %d is listed of RPC 0x%08x: %v; the filter says %v", name, v, r.XID, got, want)
				}
			})
		}
	}
}
