package filter

import "testing"

// matchCases say of three records which ones an expression keeps: r is the READ,
// l the LOOKUP, n the one that has no field.
var matchCases = []struct{ expr, want string }{
	{"", "rln"},
	{" \t\n", "rln"},

	// Comments.
	{"# all", "rln"},
	{"nfs.count # those that read", "r"},
	{"# first\nnot # really\n  # indented\nnfs.count#", "ln"},
	{"nfs.name # == \"x\"\nand nfs.count", "r"},
	{"nfs.name == \"a#b\" or nfs.count # \"", "r"},

	// Presence; a boolean is its value.
	{"nfs.count", "r"},
	{"not nfs.count", "ln"},
	{"nfs.name", "rl"},
	{"nfs.fh and ip.addr and frame.time", "r"},
	{"rpc.complete", "r"},
	{"not rpc.complete", "ln"},
	{"rpc.complete == false", "l"},
	{"rpc.complete == TRUE or rpc.complete == 0", "rl"},
	{"rpc.complete != true", "l"},

	// The spellings of operators.
	{"rdma.xid == 5", "r"}, {"rdma.xid eq 0x5", "r"}, {"rdma.xid any_eq 0b101", "r"},
	{"rdma.xid != 5", "l"}, {"rdma.xid ne 0o5", "l"}, {"rdma.xid all_ne 5", "l"},
	{"rdma.xid < 16", "r"}, {"rdma.xid lt 16", "r"}, {"rdma.xid <= 16", "rl"}, {"rdma.xid le 16", "rl"},
	{"rdma.xid > 5", "l"}, {"rdma.xid GT 5", "l"}, {"rdma.xid >= 5", "rl"}, {"rdma.xid ge 5", "rl"},
	{"rdma.xid==5||rdma.xid==16", "rl"},
	{"rdma.xid>=5&&!rdma.xid==5", "l"},
	{"RDMA.Xid == 5 OR Rdma.XID == 16", "rl"},

	// Several values: one is enough, but != wants all to differ.
	{"nfs.op == READ", "r"},
	{"nfs.op == read", "r"},
	{`nfs.op == "READ"`, "r"},
	{"nfs.op == 25", "r"},
	{"nfs.op == 6", ""},
	{"nfs.op != READ", "l"},
	{"not nfs.op == READ", "ln"},
	{"nfs.status == NFS4_OK", "rl"},
	{"nfs.status != NFS4_OK", ""},
	{"nfs.status !== NFS4_OK", "l"},
	{"nfs.status any_ne NFS4_OK", "l"},
	{"nfs.status === NFS4_OK", "r"},
	{"nfs.status all_eq nfs4_ok", "r"},
	{"all nfs.status == NFS4_OK", "r"},
	{"any nfs.status != NFS4_OK", "l"},
	{"any nfs.status === NFS4_OK", "rl"},
	{"all nfs.status !== NFS4_OK", ""},
	{"all nfs.name matches \"tmp\"", "r"},
	{"all nfs.op in {ACCESS, READ, WRITE}", "r"},
	{"nfs.status > NFS4_OK", "l"},
	{"nfs.status >= NFS4ERR_PERM and nfs.status < 3", "l"},
	{`nfs.op contains "ATTR"`, "l"},
	{`nfs.op matches "^read$"`, "r"},
	{`nfs.op matches "(?-i)^(LOOK|ACC)"`, "rl"},
	{`nfs.op == "not supported"`, ""},

	// Sets.
	{"rdma.xid in {0x1, 0x2..0x9}", "r"},
	{"rdma.xid in {1..4,6..15,16}", "l"},
	{"rdma.xid in {1..9, 3..20, 16}", "rl"},
	{"rdma.xid not in {5}", "ln"}, // not, and so unlike !=
	{"not rdma.xid in {5}", "ln"},
	{"nfs.op in {LOOKUP, 99}", "l"},
	{"nfs.op in {READDIR..WRITE, 10..20}", "l"},
	{`finding.rule in {"DDP-001", "DDP-005"}`, "l"},
	{`nfs.fh in {0100ff, "filehandle"}`, "rl"},
	{"rpc.latency in {1ms..20ms}", "r"},

	// Durations, sizes, signed numbers, times.
	{"rpc.latency > 10ms", "r"},
	{"rpc.latency <= 0.9ms", "l"}, {"rpc.latency == 900us", "l"}, {"rpc.latency == 900µs", "l"},
	{"rpc.latency == 900000ns", "l"}, {"rpc.latency < 1m", "rl"}, {"rpc.latency > 0", "rl"}, {"rpc.latency < -1h", ""},
	{"nfs.count == 4KiB", "r"}, {"nfs.count > 4k", "r"}, {"nfs.count < 0.5MiB", "r"},
	{"nfs.count < 0", ""}, {"nfs.count > 18446744073709551615", ""}, {"nfs.count >= 0", "r"},
	{"nfs.offset == -2", "r"}, {"nfs.offset < -1", "r"}, {"nfs.offset > -9223372036854775808", "r"}, {"nfs.offset < 1k", "r"},
	{"frame.time == 2026-01-31T15:04:05.25Z", "r"},
	{`frame.time == "2026-01-31 15:04:05.250"`, "r"},
	{`frame.time > "2026-01-31 15:04"`, "r"},
	{`frame.time >= 2026-02-01`, ""},
	{"frame.time == 2026-01-31T16:04:05.25+01:00", "r"},
	{`frame.time in {2026-01-31..2026-02-01}`, "r"},

	// Addresses and prefixes.
	{"ip.addr == 192.0.2.1", "r"},
	{"ip.addr == 192.0.2.0/24", "rl"},
	{"ip.addr == 192.0.2.99/24", "rl"},
	{"ip.addr == 192.0.2.64/26", "l"},
	{"ip.addr != 192.0.2.0/24", ""},
	{"ip.addr != 198.51.100.0/24", "rl"},
	{"all ip.addr == 192.0.2.0/24", "r"},
	{"ip.addr == 2001:db8::/32", "l"},
	{"ip.addr == ::ffff:192.0.2.77", "l"},
	{"ip.addr == fe80::7", "l"},
	{"ip.addr == ::ffff:192.0.2.64/122", "l"},
	{"ip.addr == ::/0", "l"}, {"ip.addr == 0.0.0.0/0", "rl"},
	{"ip.addr > 192.0.2.2", "l"}, {"ip.addr < 192.0.2.2", "r"}, {"ip.addr <= 192.0.2.1", "r"}, {"ip.addr >= 192.0.2.77", "l"},
	{"ip.addr < ::ffff", ""}, {"ip.addr > ::", "l"}, {"ip.addr < 0.0.0.0", ""}, {"ip.addr > 255.255.255.255", ""},
	{"ip.addr in {192.0.2.2..192.0.2.50, 10.0.0.0/8}", "r"},
	{"ip.addr in {10.0.0.1, 2001:db8::..2001:db8::ff}", "l"},

	// Text and bytes.
	{`nfs.name == "a.TMP"`, "r"}, {`nfs.name == "a.tmp"`, ""}, {`nfs.name != "dir"`, "r"},
	{`nfs.name matches "\\.tmp$"`, "rl"}, {`nfs.name matches r"\.tmp$"`, "rl"}, {`nfs.name ~ '(?-i)\\.tmp$'`, "l"},
	{`nfs.name contains ".T"`, "r"}, {`nfs.name contains "\x2etmp"`, "l"},
	{`nfs.name >= "b"`, "l"}, {`nfs.name < "b"`, "r"},
	{`finding.rule == "DDP-005"`, "l"},
	{"nfs.fh == 01:00:ff", "r"}, {"nfs.fh == 01-00-FF", "r"}, {"nfs.fh == 0x0100ff", "r"}, {`nfs.fh == "\001\000\xff"`, "r"},
	{"nfs.fh contains ff", "r"}, {"nfs.fh contains 00:ff", "r"}, {`nfs.fh contains "handle"`, "l"},
	{"nfs.fh > 01:00", "rl"}, {"nfs.fh < 01:01", "r"},

	// Precedence: not before and before or.
	{"rpc.complete or nfs.name and nfs.count == 7", "r"},
	{"(rpc.complete or nfs.name) and nfs.count == 7", ""},
	{"not rpc.complete and nfs.name", "l"},
	{"not (rpc.complete and nfs.name)", "ln"},
	{"not not rpc.complete", "r"}, {"!!!rpc.complete", "ln"},
	{"not rpc.complete or rpc.complete", "rln"},
	{"rdma.xid == 16 and nfs.name or rdma.xid == 5 and nfs.count", "rl"},
}

func TestMatch(t *testing.T) {
	set := testSet(t)
	for _, c := range matchCases {
		f, err := set.Compile(c.expr)
		if err != nil {
			t.Errorf("%s:\n%v", c.expr, err)
			continue
		}
		got := ""
		for _, r := range []struct {
			letter string
			record Record
		}{{"r", read}, {"l", lookup}, {"n", nothing}} {
			if f.Match(r.record) {
				got += r.letter
			}
		}
		if got != c.want {
			t.Errorf("%s: keeps %q, want %q", c.expr, got, c.want)
		}
	}
}
