package query

import (
	"hash/crc32"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// TestArguments holds that what is listed of an RPC in one pass is what filters see of
// one field after the other, and that to list it allocates nothing.
func TestArguments(t *testing.T) {
	sets := newSets(t)
	names := []string{"nfs.fh", "nfs.name", "nfs.offset", "nfs.count", "nfs.stateid.seqid"}
	hash := func(data []byte) uint64 { return uint64(crc32.ChecksumIEEE(data)) }
	numbers := func() []filter.Numbers {
		return slices.Repeat([]filter.Numbers{{Text: hash}}, len(names))
	}
	for _, sample := range []string{"rxe-basic", "siw-basic", "rxe-cb", "version2-roce"} {
		record, keys := whole(sets)
		a := sets.Arguments(names...)
		keys = append(keys, a.Keys()...)
		got, want := numbers(), numbers()
		seen, rows := make([]int, len(names)), 0
		read(t, "../../samples/"+sample+".pcap.zst", &told{rpc: func(r *dissect.RPC) {
			a.List(r, got)
			record.row = r
			for i, name := range names {
				field, _ := sets.Set(RPCs).Lookup(name)
				record.Values(field, want[i].Of())
				if !slices.Equal(got[i].List, want[i].List) {
					t.Errorf("%s, RPC 0x%08x: %s is listed as %v, filters see %v", sample, r.XID, name, got[i].List, want[i].List)
				}
				seen[i] += len(got[i].List)
				one := filter.Numbers{Text: hash, Most: 1}
				if record.Values(field, one.Of()); !slices.Equal(one.List, want[i].List[:min(1, len(want[i].List))]) {
					t.Errorf("%s, RPC 0x%08x: one of %s is %v of %v", sample, r.XID, name, one.List, want[i].List)
				}
			}
			if rows++; rows%50 == 0 {
				if n := allocs.Per(5, func() { a.List(r, got) }); n > 0 {
					t.Errorf("%s, RPC 0x%08x: %v allocations", sample, r.XID, n)
				}
			}
		}}, keys...)
		if sample != "version2-roce" && slices.Contains(seen[:4], 0) {
			t.Errorf("%s: there are %v values of %v", sample, seen, names)
		}
	}
}
