package filter

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	fields := []string{"nfs.op", "nfs.status", "nfs.count", "rpc.op", "rpc.latency", "rdma.reads.count", "rdma.writes.count", "ip.src", "ip.dst"}
	names := []string{"NFS4_OK", "NFS4ERR_NOENT", "NFS4ERR_NOTDIR", "NFS4ERR_STALE", "NFS4ERR_STALE_STATEID", "READ", "READDIR", "OPEN"}
	for _, c := range []struct {
		word string
		of   []string
		want string
	}{
		{"nfs.opp", fields, "nfs.op"},
		{"NFS.OPP", fields, "nfs.op"},
		{"nfs.sattus", fields, "nfs.status"}, // two letters exchanged
		{"op", fields, "nfs.op rpc.op"},
		{"count", fields, "nfs.count rdma.reads.count rdma.writes.count"},
		{"rpc.status", fields, "nfs.status"},
		{"reads.count", fields, "rdma.reads.count"},
		{"rdma.read.count", fields, "rdma.reads.count"},
		{"latncy", fields, ""},
		{"ip.scr", fields, "ip.src"},
		{"ip", fields, ""},
		{"x", fields, ""},
		{"", fields, ""},
		{strings.Repeat("nfs.op", 11), fields, ""},
		{"NOENT", names, "NFS4ERR_NOENT"},
		{"nfs4err_noent", names, "NFS4ERR_NOENT"},
		{"NFS4ERR_STAEL", names, "NFS4ERR_STALE"},
		{"STATEID", names, "NFS4ERR_STALE_STATEID"},
		{"OP_OPEN", names, "OPEN"},
		{"REED", names, "READ"},
		{"READDIRPLUS", names, "READDIR"},
		{"K", names, ""},
	} {
		if got := strings.Join(nearest(c.word, slices.Values(c.of)), " "); got != c.want {
			t.Errorf("%q is near %q, want %q", c.word, got, c.want)
		}
	}
}

// TestEdits compares with the definition, as a recursion.
func TestEdits(t *testing.T) {
	var slow func(a, b string) int
	slow = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		i, j := len(a)-1, len(b)-1
		cost := 1
		if a[i] == b[j] {
			cost = 0
		}
		d := min(slow(a[:i], b)+1, slow(a, b[:j])+1, slow(a[:i], b[:j])+cost)
		if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
			d = min(d, slow(a[:i-1], b[:j-1])+1)
		}
		return d
	}
	words := []string{"", "a", "ab", "ba", "abc", "acb", "cab", "bcad", "aaaa", "abab", "baba", "dcba"}
	for _, a := range words {
		for _, b := range words {
			if got, want := edits(a, b), slow(a, b); got != want {
				t.Errorf("%q to %q: %d, want %d", a, b, got, want)
			}
		}
	}
}
