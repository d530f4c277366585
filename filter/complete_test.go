package filter

import (
	"strings"
	"testing"
)

func TestCompletions(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct{ prefix, want string }{
		{"nfs.", "nfs.op|nfs.status|nfs.name|nfs.fh|nfs.count|nfs.offset"},
		{"NFS.c", "nfs.count"},
		{"n", "nfs.op|nfs.status|nfs.name|nfs.fh|nfs.count|nfs.offset|not"},
		{"rdma.xid == 1 and rp", "rdma.xid == 1 and rpc.latency|rdma.xid == 1 and rpc.complete"},
		{"!(rp", "!(rpc.latency|!(rpc.complete"},
		{"all nfs.st", "all nfs.status"},
		{"zzz", ""},
		{"nfs.op ", "nfs.op ==|nfs.op !=|nfs.op <|nfs.op <=|nfs.op >|nfs.op >=|nfs.op contains|nfs.op matches|nfs.op in|nfs.op and|nfs.op or"},
		{"rpc.complete ", "rpc.complete ==|rpc.complete !=|rpc.complete in|rpc.complete and|rpc.complete or"},
		{"nfs.fh c", "nfs.fh contains"},
		{"rdma.xid m", ""},
		{"nfs.op == ", "nfs.op == ACCESS|nfs.op == COMMIT|nfs.op == GETATTR|nfs.op == LOOKUP|nfs.op == READ|nfs.op == READDIR|" +
			"nfs.op == WRITE|nfs.op == SETATTR|nfs.op == \"not supported\""},
		{"nfs.op == re", "nfs.op == READ|nfs.op == READDIR"},
		{"nfs.op==RE", "nfs.op==READ|nfs.op==READDIR"},
		{"nfs.op i", "nfs.op in"},
		{"nfs.op contains ", ""},
		{`nfs.op contains "a" `, `nfs.op contains "a" and|nfs.op contains "a" or`},
		{"nfs.op in ", "nfs.op in {"},
		{"nfs.op in {L", "nfs.op in {LOOKUP"},
		{"nfs.op in {LOOKUP, re", "nfs.op in {LOOKUP, READ|nfs.op in {LOOKUP, READDIR"},
		{"nfs.op not in {3..W", "nfs.op not in {3..WRITE"},
		{"nfs.op in {LOOKUP ", "nfs.op in {LOOKUP }"},
		{"nfs.op in {LOOKUP} ", "nfs.op in {LOOKUP} and|nfs.op in {LOOKUP} or"},
		{"rpc.complete == t", "rpc.complete == true"},
		{"rdma.xid == ", ""},
		{"rdma.xid == 5 a", "rdma.xid == 5 and"},
		{"(rdma.xid == 5) o", "(rdma.xid == 5) or"},
		{`nfs.name == "a" and rdma.`, `nfs.name == "a" and rdma.xid|nfs.name == "a" and rdma.reads.count`},
		{`nfs.name == "a`, ""},
		{"rdma.xid 5 ", ""},
		{"5 ", ""},
		{"rdma.xid in 5 ", ""},
		{"rdma.xid in {5 6 ", ""},
		{"rdma.xid == ( ", ""},
		{strings.Repeat(" ", maxExpr+1), ""},
	} {
		var got []string
		for _, one := range set.Completions(c.prefix) {
			got = append(got, one.Text)
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%.40q: %s\nwant %s", c.prefix, got, c.want)
		}
	}
	if c := set.Completions("rpc.l"); len(c) != 1 || c[0].Doc != "from call to reply" {
		t.Errorf("rpc.l: %+v", c)
	}
}

// TestWhatIsOfferedCompiles completes fields, and values of those that have
// names, and compiles what came of it.
func TestWhatIsOfferedCompiles(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct {
		prefix string
		n      int
	}{
		{"nfs.", 6}, {"r", 4}, {"rdma.xid == 5 or not i", 1}, {"nfs.op == ", 9}, {"all nfs.status != ", 4}, {"rpc.complete==", 2},
	} {
		offered := set.Completions(c.prefix)
		if len(offered) != c.n {
			t.Errorf("%s: %v, want %d", c.prefix, offered, c.n)
		}
		for _, one := range offered {
			if _, err := set.Compile(one.Text); err != nil {
				t.Errorf("%v", err)
			}
		}
	}
}
