package nfs_test

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// summaries4 are operations and the lines about them. In a line {id} is how the
// stateid of these tests is shown, {fh} the filehandle "a handle", and {dev} the
// device.
var summaries4 = []struct {
	result bool
	bytes  []any // an operation, or its result
	want   string
}{
	{false, []any{3, 0x2d}, "ACCESS READ|MODIFY|EXTEND|EXECUTE"},
	{true, []any{3, 0, 0x3f, 0x1}, "ACCESS READ"},
	{true, []any{3, 0, 0x3f, 0}, "ACCESS 0x00000000"},
	{false, []any{4, 7, stateid}, "CLOSE {id}"},
	{true, []any{4, 0, stateid}, "CLOSE"},
	{true, []any{4, 10025}, "CLOSE NFS4ERR_BAD_STATEID"},
	{false, []any{5, uint64(4096), 0}, "COMMIT offset 4096 count 0"},
	{true, []any{5, 0, fixed("verifier")}, "COMMIT verifier 0x7665726966696572"},
	{false, []any{6, 5, "../target", "link", 0, ""}, `CREATE LNK "link" to "../target"`},
	{false, []any{6, 2, "dir", 0, ""}, `CREATE DIR "dir"`},
	{true, []any{6, 17}, "CREATE NFS4ERR_EXIST"},
	{false, []any{8, stateid}, "DELEGRETURN {id}"},
	{true, []any{9, 0, bitmap(1, 4), string(encode(1, uint64(300001)))}, "GETATTR REG size 300001"},
	{true, []any{9, 0, bitmap(4), string(encode(uint64(5)))}, "GETATTR size 5"},
	{true, []any{9, 0, bitmap(33), string(encode(0o644))}, "GETATTR"},
	{true, []any{9, 70}, "GETATTR NFS4ERR_STALE"},
	{true, []any{10, 0, "a handle"}, "GETFH {fh}"},
	{false, []any{12, 2, false, uint64(10), uint64(20), false, stateid, 1}, "LOCK WRITE_LT offset 10 length 20"},
	{true, []any{12, 0, stateid}, "LOCK stateid {id}"},
	{true, []any{12, 10010, uint64(0), uint64(99), 1, uint64(7), "owner"}, "LOCK NFS4ERR_DENIED by READ_LT offset 0 length 99"},
	{true, []any{13, 10010, uint64(0), uint64(99), 1, uint64(7), "owner"}, "LOCKT NFS4ERR_DENIED by READ_LT offset 0 length 99"},
	{false, []any{15, "file"}, `LOOKUP "file"`},
	{true, []any{15, 2}, "LOOKUP NFS4ERR_NOENT"},
	{false, []any{18, 0, 3, 0, uint64(1), "owner", 1, 0, 0, "", 0, "file"}, `OPEN "file" BOTH, create UNCHECKED4`},
	{false, []any{18, 0, 1, 3, uint64(1), "owner", 0, 0, "file"}, `OPEN "file" READ, deny BOTH`},
	{false, []any{18, 0, 0x401, 0, uint64(1), "owner", 0, 4}, "OPEN READ|WANT_NO_DELEG, claim FH"},
	{false, []any{18, 0, 0x302, 0, uint64(1), "owner", 0, 2, stateid, "file"}, `OPEN "file" WRITE|WANT_ANY_DELEG, claim DELEGATE_CUR`},
	{true, []any{18, 0, stateid, true, uint64(1), uint64(2), 6, 0, 0}, "OPEN stateid {id}, CONFIRM|LOCKTYPE_POSIX"},
	{true, []any{18, 0, stateid, true, uint64(1), uint64(2), 0, 0, 2, stateid, false, 1, uint64(0), 0, 0, 0, "who"}, "OPEN stateid {id}, WRITE delegation"},
	{true, []any{18, 10013}, "OPEN NFS4ERR_GRACE"},
	{false, []any{22, "a handle"}, "PUTFH {fh}"},
	{true, []any{22, 0}, "PUTFH"},
	{true, []any{22, 10001}, "PUTFH NFS4ERR_BADHANDLE"},
	{false, []any{25, stateid, uint64(65536), 32768}, "READ {id} offset 65536 count 32768"},
	{true, []any{25, 0, true, "four"}, "READ 4 bytes, eof"},
	{true, []any{25, 0, false, "four"}, "READ 4 bytes"},
	{false, []any{26, uint64(9), fixed("verifier"), 4096, 8192, 0}, "READDIR cookie 9 maxcount 8192"},
	{true, []any{26, 0, fixed("verifier"), true, uint64(1), "a", 0, "", true, uint64(2), "b", 0, "", false, true}, "READDIR 2 entries, eof"},
	{true, []any{27, 0, "../target"}, `READLINK "../target"`},
	{false, []any{29, "old", "new"}, `RENAME "old" to "new"`},
	{true, []any{33, 0, 2, 6, "oid", 0, 1, 1}, "SECINFO 2 flavors"},
	{false, []any{34, stateid, bitmap(4), string(encode(uint64(0)))}, "SETATTR SIZE size 0"},
	{false, []any{34, stateid, bitmap(33), string(encode(0o600))}, "SETATTR MODE"},
	{true, []any{34, 13, 0}, "SETATTR NFS4ERR_ACCESS"},
	{true, []any{35, 10017, "tcp", "192.0.2.1.8.1"}, "SETCLIENTID NFS4ERR_CLID_INUSE by \"tcp\" \"192.0.2.1.8.1\""},
	{false, []any{38, stateid, uint64(0), 2, "data"}, "WRITE {id} offset 0, 4 bytes FILE_SYNC4"},
	{true, []any{38, 0, 4, 0, fixed("verifier")}, "WRITE 4 bytes UNSTABLE4"},
	{true, []any{42, 0, uint64(0xabc), 1, 0x80020000, 0, uint64(1), "major", "scope", 0}, "EXCHANGE_ID client 0x0000000000000abc USE_PNFS_MDS|CONFIRMED_R"},
	{false, []any{43, uint64(1), 1, 2, 0, 4096, 8192, 0, 8, 64, 0, 0, 4096, 4096, 0, 2, 16, 0, 0x40000000, 1, 1, 0, "host", 0, 0, 0},
		"CREATE_SESSION client 0x0000000000000001 seq 1 CONN_BACK_CHAN, 64 slots, request 4096 response 8192 cached 0; back 16 slots, program 0x40000000"},
	{false, []any{50, false, 4, 2, uint64(0), uint64(4096), uint64(1), stateid, 65536}, "LAYOUTGET FLEX_FILES RW offset 0 length 4096"},
	{true, []any{50, 0, false, stateid, 1, uint64(0), uint64(8192), 1, 4, "?"}, "LAYOUTGET FLEX_FILES READ offset 0 length 8192, stateid {id}"},
	{true, []any{50, 10058, true}, "LAYOUTGET NFS4ERR_LAYOUTTRYLATER"},
	{false, []any{51, false, 4, 3, 1, uint64(0), uint64(8192), stateid, ""}, "LAYOUTRETURN FLEX_FILES ANY FILE offset 0 length 8192"},
	{false, []any{51, false, 4, 3, 3}, "LAYOUTRETURN FLEX_FILES ANY ALL"},
	{false, []any{52, 1}, "SECINFO_NO_NAME PARENT"},
	{false, []any{53, device, 17, 3, 4, true}, "SEQUENCE slot 3 seq 17, cache"},
	{true, []any{53, 0, device, 17, 3, 4, 4, 0x201}, "SEQUENCE slot 3 seq 17, CB_PATH_DOWN|CB_PATH_DOWN_SESSION"},
	{true, []any{53, 10063}, "SEQUENCE NFS4ERR_SEQ_MISORDERED"},
	{false, []any{47, device, 1, 4096, 0}, "GETDEVICEINFO NFSV4_1_FILES device {dev}"},
	{true, []any{47, 0, 4, string(encode(1, "tcp", "192.0.2.1.8.1", 0)), 0}, `GETDEVICEINFO "192.0.2.1.8.1"`},
	{true, []any{47, 0, 1, string(encode(0, 1, 1, "tcp", "192.0.2.1.8.1")), 0}, `GETDEVICEINFO "192.0.2.1.8.1"`},
	{true, []any{47, 10005, 700}, "GETDEVICEINFO NFS4ERR_TOOSMALL, needs 700 bytes"},
	{false, []any{60, stateid, stateid, uint64(1), uint64(2), uint64(3), true, true, 0}, "COPY offset 1 to offset 2 count 3, synchronous"},
	{true, []any{60, 0, 0, uint64(3), 2, fixed("verifier"), true, true}, "COPY 3 bytes FILE_SYNC4"},
	{true, []any{68, 0, true, 2, 1, uint64(0), uint64(4096), 0, uint64(4096), "four"}, "READ_PLUS 2 segments, 4 bytes, eof"},
	{false, []any{69, stateid, uint64(5), 1}, "SEEK {id} next HOLE from offset 5"},
	{false, []any{73, 1, "user.x", "value"}, `SETXATTR "user.x" CREATE 5 bytes`},
	{true, []any{72, 10095}, "GETXATTR NFS4ERR_NOXATTR"},
	{false, []any{99}, "99"},
}

// TestSummaries holds the lines about operations against what they should be.
func TestSummaries(t *testing.T) {
	plan := plan(t)
	proc := plan.Spec.Procedure(rpc.ProgramNFS, 4, 1)
	crc := func(s fixed) string { return fmt.Sprintf("0x%08x", crc32.ChecksumIEEE([]byte(s))) }
	names := strings.NewReplacer("{id}", "2:"+crc(stateid[4:]), "{fh}", crc("a handle"), "{dev}", crc(device))
	var w walk.Walker
	for _, s := range summaries4 {
		route, data := plan.Args(proc), encode("", 2, 1, s.bytes)
		if s.result {
			route, data = plan.Result(proc), encode(s.bytes[1], "", 1, s.bytes)
		}
		w.Walk(route, data, walk.Reduction{})
		if unknown := s.want == "99"; w.Fault.Bad() != unknown || !unknown && w.Consumed != len(data) {
			t.Errorf("%s: %d of %d bytes, fault: %v", s.want, w.Consumed, len(data), w.Fault)
		}
		if got, want := string(view.AppendSummary(nil, &w)), names.Replace(s.want); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// TestSummaryOfCompound has several operations, of which the last failed, and a
// COMPOUND that failed before the first.
func TestSummaryOfCompound(t *testing.T) {
	plan := plan(t)
	proc := plan.Spec.Procedure(rpc.ProgramNFS, 4, 1)
	for _, c := range []struct {
		route *walk.Route
		data  []byte
		want  string
	}{
		{plan.Args(proc), encode("tag", 1, 3, 53, device, 1, 0, 0, false, 24, 15, "file"), `SEQUENCE slot 0 seq 1; PUTROOTFH; LOOKUP "file"`},
		{plan.Result(proc), encode(2, "tag", 3, 53, 0, device, 1, 0, 0, 0, 0, 24, 0, 15, 2), "SEQUENCE slot 0 seq 1; PUTROOTFH; LOOKUP NFS4ERR_NOENT"},
		{plan.Result(proc), encode(10021, "", 0), "NFS4ERR_MINOR_VERS_MISMATCH"},
	} {
		var w walk.Walker
		w.Walk(c.route, c.data, walk.Reduction{})
		if got := string(view.AppendSummary(nil, &w)); got != c.want || w.Fault.Bad() {
			t.Errorf("got %s, %v\nwant %s", got, w.Fault, c.want)
		}
	}
}
