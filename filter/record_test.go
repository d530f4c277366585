package filter

import (
	"net/netip"
	"testing"
	"time"
)

// operations are names as an Enum has them: READ is of two versions.
func operations(yield func(string, uint64) bool) {
	for _, o := range []struct {
		name  string
		value uint64
	}{
		{"ACCESS", 3}, {"COMMIT", 5}, {"GETATTR", 9}, {"LOOKUP", 15}, {"READ", 6}, {"READ", 25},
		{"READDIR", 26}, {"WRITE", 38}, {"SETATTR", 34}, {"not supported", 99},
	} {
		if !yield(o.name, o.value) {
			return
		}
	}
}

func statuses(yield func(string, uint64) bool) {
	_ = yield("NFS4_OK", 0) && yield("NFS4ERR_PERM", 1) && yield("NFS4ERR_NOENT", 2) && yield("NFS4ERR_STALE", 70)
}

// testFields are one or two fields of each kind.
var testFields = []Field{
	{Name: "nfs.op", Kind: Enum, Names: operations, Doc: "operation"},
	{Name: "nfs.status", Kind: Enum, Names: statuses, Doc: "its"},
	{Name: "nfs.name", Kind: String, Doc: "file name"},
	{Name: "nfs.fh", Kind: Bytes, Doc: "file handle"},
	{Name: "nfs.count", Kind: Uint, Doc: "bytes"},
	{Name: "nfs.offset", Kind: Int, Doc: "offset"},
	{Name: "rpc.latency", Kind: Duration, Doc: "from call to reply"},
	{Name: "rpc.complete", Kind: Bool, Doc: "all of it is in the capture"},
	{Name: "rdma.xid", Kind: Uint, Doc: "transaction"},
	{Name: "rdma.reads.count", Kind: Uint, Doc: "read chunks"},
	{Name: "ip.addr", Kind: Address, Doc: "either address"},
	{Name: "frame.time", Kind: Time, Doc: "when it was captured"},
	{Name: "finding.rule", Kind: String, Doc: "rule"},
}

func testSet(tb testing.TB) *Set {
	tb.Helper()
	s, err := NewSet(testFields...)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// A told record has the values that a test gives it, by the field's name.
type told map[string][]any

func (r told) Values(i int, to *Values) {
	for _, v := range r[testFields[i].Name] {
		give(to, v)
	}
}

// give gives a value by the method of its Go type.
func give(to *Values, v any) {
	switch v := v.(type) {
	case int:
		to.Uint(uint64(v))
	case uint64:
		to.Uint(v)
	case int64:
		to.Int(v)
	case time.Duration:
		to.Duration(v)
	case bool:
		to.Bool(v)
	case string:
		to.String(v)
	case []byte:
		to.Bytes(v)
	case netip.Addr:
		to.Addr(v)
	case time.Time:
		to.Time(v.UnixNano())
	}
}

// values is a list of what one field has.
func values(v ...any) []any { return v }

func addr(s string) netip.Addr { return netip.MustParseAddr(s) }

var (
	read = told{
		"nfs.op":           values(3, 25), // ACCESS, READ
		"nfs.status":       values(0, 0),
		"nfs.name":         values("a.TMP"),
		"nfs.fh":           values([]byte{0x01, 0x00, 0xff}),
		"nfs.count":        values(4096),
		"nfs.offset":       values(int64(-2)),
		"rpc.latency":      values(12 * time.Millisecond),
		"rpc.complete":     values(true),
		"rdma.xid":         values(0x5),
		"rdma.reads.count": values(0),
		"ip.addr":          values(addr("192.0.2.1"), addr("192.0.2.2")),
		"frame.time":       values(time.Date(2026, 1, 31, 15, 4, 5, 250e6, time.UTC)),
	}
	lookup = told{
		"nfs.op":       values(15, 9), // LOOKUP, GETATTR
		"nfs.status":   values(0, 2),
		"nfs.name":     values("dir", "b.tmp"),
		"nfs.fh":       values([]byte("filehandle")),
		"rpc.latency":  values(900 * time.Microsecond),
		"rpc.complete": values(false),
		"rdma.xid":     values(0x10),
		"ip.addr":      values(addr("2001:db8::1"), addr("::ffff:192.0.2.77"), addr("fe80::7%eth0")),
		"finding.rule": values("DDP-005"),
	}
	nothing = told{}
)

// addressOf is the address of 4 or 16 bytes, of others none.
func addressOf(b []byte) netip.Addr {
	a, _ := netip.AddrFromSlice(b)
	return a
}
