package size_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

// asked plays a call and hands its RPC, when that is over, to do.
func asked(t *testing.T, call string, do func(r *dissect.RPC)) {
	t.Helper()
	seen := 0
	ruletest.Check(t, []*rules.Rule{{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Fields: size.Fields(), On: []rules.Event{
		rules.OnRPC(0, func(_ *rules.Conn, r *dissect.RPC, _ rules.Reporter) { seen++; do(r) }),
	}}}}, ruletest.Frames(t, "connect\n"+call+"\ndisconnect\n", scene.RoCE))
	if seen != 1 {
		t.Fatalf("%d RPCs", seen)
	}
}

// The longest results of NFS version 3, by hand from RFC 1813.
func TestMost(t *testing.T) {
	for _, test := range []struct {
		call string
		want uint64 // 0: no limit
	}{
		{"NFS3 NULL", 0},
		{"NFS3 GETATTR", 88},
		{"NFS3 SETATTR", 120},
		{"NFS3 LOOKUP", 248},
		{"NFS3 ACCESS", 96},
		{"NFS3 WRITE data=bytes(8)", 136},
		{"NFS3 CREATE", 280},
		{"NFS3 REMOVE", 120},
		{"NFS3 RENAME", 236},
		{"NFS3 LINK", 208},
		{"NFS3 READDIR count=8192", 8196},
		{"NFS3 READDIR count=10", 104},
		{"NFS3 READDIRPLUS maxcount=32768", 32772},
		{"NFS3 FSSTAT", 144},
		{"NFS3 FSINFO", 140},
		{"NFS3 PATHCONF", 116},
		{"NFS3 COMMIT", 128},
		{"NFS3 READLINK", 0},
		{"NFS3 READ count=100", 0},
		// The status, the tag and its length, the count; each result with its number
		// and status: SEQUENCE 36 more, ACCESS 8.
		{`NFS4 COMPOUND tag="abcde" [SEQUENCE PUTFH ACCESS]`, 4 + 4 + 8 + 4 + (8 + 36) + 8 + (8 + 8)},
		{"NFS4 COMPOUND [PUTFH GETATTR{attr_request=[SIZE]}]", 0},
		{"NFS4 COMPOUND [PUTFH READDIR{maxcount=100}]", 0},
	} {
		t.Run(test.call, func(t *testing.T) {
			e := size.New()
			asked(t, "call 1 "+test.call, func(r *dissect.RPC) {
				most, known := e.Most(r.CallHeader(), r)
				if known != (test.want > 0 || test.call == "NFS3 NULL") || known && most != test.want {
					t.Errorf("%d bytes, known %v; not %d", most, known, test.want)
				}
			})
		})
	}
}

func TestLeast(t *testing.T) {
	for _, test := range []struct {
		call, unbounded string
		want            uint64
	}{
		{"NFS3 GETATTR", "", 0},
		{"NFS3 READ count=5000", "", 5104},
		{"NFS3 READ count=5000; write 0x801 5000", "", 0},
		{"NFS3 READ count=5000; write 0x801 0", "", 5104},
		{"NFS3 READDIR count=8192", "", 8192},
		{"NFS3 READDIRPLUS dircount=512 maxcount=32768", "", 32768},
		{"NFS4 COMPOUND [PUTFH READ{count=700} READ{count=800}]; write 0x801 700", "", 800},
		{"NFS4 COMPOUND [PUTFH READDIR{maxcount=4000} LISTXATTRS{maxcount=500}]", "", 4500},
		{"NFS4 COMPOUND [PUTFH GETATTR{attr_request=[SIZE MODE]}]", "", 0},
		{"NFS4 COMPOUND [PUTFH GETATTR{attr_request=[SIZE FS_LOCATIONS]}]", "the attribute fs_locations", 0},
		{`NFS4 COMPOUND [PUTFH GETXATTR]`, "an extended attribute", 0},
		{"NFSACL3 GETACL", "an ACL", 0},
		{"MOUNT3 EXPORT", "", 0},
	} {
		t.Run(test.call, func(t *testing.T) {
			e := size.New()
			asked(t, "call 1 "+test.call, func(r *dissect.RPC) {
				least, unbounded := e.Least(r.CallHeader(), r)
				if least != test.want || unbounded != test.unbounded {
					t.Errorf("%d bytes and %q; not %d and %q", least, unbounded, test.want, test.unbounded)
				}
			})
		})
	}
}

func TestItem(t *testing.T) {
	for _, test := range []struct {
		call  string
		chunk int
		want  uint64
		known bool
	}{
		{"NFS3 READ count=5000", 0, 5000, true},
		{"NFS3 READ count=5000", 1, 5000, false},
		{"NFS3 READLINK", 0, 0, false},
		{"NFS3 READDIR count=8192", 0, 0, false},
		{"NFS2 READ count=5000", 0, 0, false},
		{"NFS4 COMPOUND [PUTFH READ{count=700} READ{count=800}]", 1, 800, true},
		{"NFS4 COMPOUND [PUTFH READLINK READ{count=800}]", 0, 0, false},
		{"NFS4 COMPOUND [PUTFH READLINK READ{count=800}]", 1, 800, true},
		{"NFS4 COMPOUND [PUTFH READ_PLUS{count=900} READ{count=800}]", 0, 900, true},
		{"NFS4 COMPOUND [PUTFH READ_PLUS{count=900} READ{count=800}]", 1, 900, false},
		{"NFS4 COMPOUND [PUTFH GETATTR]", 0, 0, false},
	} {
		t.Run(test.call, func(t *testing.T) {
			e := size.New()
			asked(t, "call 1 "+test.call, func(r *dissect.RPC) {
				length, known := e.Item(r.CallHeader(), r, test.chunk)
				if known != test.known || known && length != test.want {
					t.Errorf("chunk %d: %d bytes, known %v; not %d, %v", test.chunk, length, known, test.want, test.known)
				}
			})
		})
	}
}

// What is estimated for each RPC costs no memory once the types are known.
func TestEstimatesAllocateNothing(t *testing.T) {
	e := size.New()
	asked(t, "call 1 NFS4 COMPOUND [SEQUENCE PUTFH ACCESS READDIR{maxcount=100}]", func(r *dissect.RPC) {
		h := r.CallHeader()
		e.Most(h, r)
		if n := testing.AllocsPerRun(100, func() { e.Most(h, r); e.Least(h, r); e.Item(h, r, 0) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
