package values_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// each plays a scene and hands each RPC that is over to do.
func each(t *testing.T, text string, fields []string, do func(c *rules.Conn, r *dissect.RPC)) {
	t.Helper()
	n := 0
	ruletest.Check(t, []*rules.Rule{{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Fields: fields, On: []rules.Event{
		rules.OnRPC(0, func(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) { n++; do(c, r) }),
	}}}}, ruletest.Frames(t, text, scene.RoCE))
	if n == 0 {
		t.Fatal("no RPC")
	}
}

const reads = `
connect
call 1 NFS4 COMPOUND [SEQUENCE PUTFH READ{count=700} GETATTR READ{count=800}]
reply 1
disconnect
`

func TestOperations(t *testing.T) {
	each(t, reads, nil, func(c *rules.Conn, r *dissect.RPC) {
		call, result := values.Walked(c, r.Call), values.Walked(c, r.Reply)
		if call == nil || result == nil {
			t.Fatal("no body")
		}
		first := values.Next(call, 0, numbers.OpRead)
		second := values.Next(call, first+1, numbers.OpRead)
		if first < 0 || second <= first || values.Next(call, second+1, numbers.OpRead) >= 0 {
			t.Fatalf("READ at %d and %d", first, second)
		}
		for i, want := range map[int]int32{first: 2, second: 4} {
			if got := call.Events[i].Index; got != want {
				t.Errorf("the READ at %d is operation %d, not %d", i, got, want)
			}
			at := values.Answer(result, want)
			if at < 0 || result.Events[at].Value != numbers.OpRead {
				t.Fatalf("the answer to operation %d is event %d", want, at)
			}
			if s := values.Status(values.Within(result, at)); s == nil || !s.OK {
				t.Errorf("the status of operation %d is %v", want, s)
			}
		}
		if values.Answer(result, 5) >= 0 {
			t.Error("operation 5 has an answer")
		}
	})
}

func TestField(t *testing.T) {
	const count, attributes = "READ4args.count", "GETATTR4args.attr_request"
	each(t, reads, []string{count, attributes}, func(c *rules.Conn, r *dissect.RPC) {
		b := values.Walked(c, r.Call)
		asked, another := values.FieldOf(count), values.FieldOf(attributes)
		first := values.Next(b, 0, numbers.OpRead)
		second := values.Next(b, first+1, numbers.OpRead)
		for i, want := range map[int]uint64{first: 700, second: 800} {
			events := values.Within(b, i)
			if got := asked.Number(b, events); got != want {
				t.Errorf("count %d, not %d", got, want)
			}
			if e := another.In(b, events); e != nil || another.Number(b, events) != 0 {
				t.Errorf("READ has the attributes %v", e)
			}
			if e := asked.In(b, events); e == nil || !asked.Is(b, e) || another.Is(b, e) {
				t.Errorf("the event of the count is %v", e)
			}
		}
		if n := asked.Number(b, values.Within(b, values.Next(b, 0, numbers.OpGetattr))); n != 0 {
			t.Errorf("GETATTR has a count of %d", n)
		}
	})
}

// A field is found in the bodies of several programs in turn, without looking it up
// each time.
func TestFieldOfSeveralPrograms(t *testing.T) {
	field := values.FieldOf("READ3args.count")
	text := "connect\n"
	for _, call := range []string{"1 NFS3 READ count=5000", "2 NFSACL3 GETACL", "3 NFS3 READ count=6000", "4 NFSACL3 GETACL"} {
		text += "call " + call + "\nreply " + call[:1] + "\n"
	}
	want := map[uint32]uint64{1: 5000, 3: 6000}
	seen := 0
	each(t, text+"disconnect\n", []string{"READ3args.count"}, func(c *rules.Conn, r *dissect.RPC) {
		b := r.Call.Body()
		if b == nil {
			t.Fatal("no body")
		}
		seen++
		if got := field.Number(b, b.Events); got != want[uint32(seen)] {
			t.Errorf("RPC %d: count %d, not %d", seen, got, want[uint32(seen)])
		}
		if seen > 2 {
			if n := allocs.Per(10, func() { field.Number(b, b.Events) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		}
	})
	if seen != 4 {
		t.Errorf("%d RPCs", seen)
	}
}

func TestWalkedNeedsAllBytes(t *testing.T) {
	for _, text := range []string{
		"connect\ncall 1 NFS3 GETATTR\n    append hex(00000000)\nreply 1\ndisconnect\n",
		"connect\ncall 1 NFS3 GETATTR\nreply 1\ndisconnect\nsnap 130\n",
	} {
		each(t, text, nil, func(c *rules.Conn, r *dissect.RPC) {
			if b := values.Walked(c, r.Call); b != nil {
				t.Errorf("a body with %d bytes left, fault %v", b.Left, b.Fault)
			}
		})
	}
}

func TestTypes(t *testing.T) {
	each(t, reads, nil, func(c *rules.Conn, r *dissect.RPC) {
		binding := r.Call.Body().Binding
		args, result := values.Operations(binding.Args), values.Operations(binding.Result)
		if args == nil || result == nil {
			t.Fatal("a COMPOUND has no operations")
		}
		if arm := args.Arm(numbers.OpRead); arm == nil || arm.Type.Name != "READ4args" {
			t.Errorf("the arguments of READ are %+v", arm)
		}
		if arm := args.Arm(9999); arm != nil {
			t.Errorf("the arguments of operation 9999 are %+v", arm)
		}
	})
	each(t, "connect\ncall 1 NFS3 READ\nreply 1\ndisconnect\n", nil, func(c *rules.Conn, r *dissect.RPC) {
		if values.Operations(r.Call.Body().Binding.Args) != nil {
			t.Error("READ of NFS version 3 has operations")
		}
	})
}

func TestNonIdempotent(t *testing.T) {
	for _, x := range []struct {
		version, procedure uint32
		want               string
	}{
		{2, 8, ""}, {2, 9, "CREATE"}, {2, 15, "RMDIR"}, {2, 16, ""},
		{3, 7, ""}, {3, 8, "CREATE"}, {3, 15, "LINK"}, {3, 16, ""}, {4, 9, ""},
	} {
		if got := values.NonIdempotent(x.version, x.procedure); got != x.want {
			t.Errorf("version %d, procedure %d: %q, not %q", x.version, x.procedure, got, x.want)
		}
	}
}

// The file of an operation is the handle that stands before it, and what is looked up from there.
func TestFile(t *testing.T) {
	for text, want := range map[string]string{
		`call 1 NFS3 WRITE file="fh" data=bytes(100)`:                                                                     "0x311737b4",
		`call 1 NFS3 RENAME from.dir="fh" from.name="old" to.dir="other" to.name="new"`:                                   `0x311737b4 "old"`,
		`call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname="a"} OPEN{claim.file="b\x1b"}]`:                 `0x311737b4 "a/b\x1b"`,
		`call 1 NFS4 COMPOUND [SEQUENCE PUTROOTFH LOOKUP{objname="export"} GETFH]`:                                        `root "export"`,
		`call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="other"} SAVEFH PUTFH{object="fh"} RENAME{oldname="a" newname="b"}]`: `0x311737b4 "b"`,
		`call 1 NFS4 COMPOUND [SEQUENCE]`:                                                                                 "",
	} {
		each(t, "connect\n"+text+"\nreply 1\ndisconnect\n", nil, func(_ *rules.Conn, r *dissect.RPC) {
			last := -1
			for _, op := range r.Ops(nil) {
				last = op.Args
			}
			if got := values.File(r.Call.Body(), last); got != want {
				t.Errorf("%s: %s, not %s", text, got, want)
			}
		})
	}
}
