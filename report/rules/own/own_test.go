package own_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
	"github.com/rdmacap/rdmacap/report/rules/document"
	"github.com/rdmacap/rdmacap/report/rules/own"
	"github.com/rdmacap/rdmacap/report/rules/own/trial"
)

func sets(tb testing.TB) *query.Sets {
	tb.Helper()
	s, err := query.NewSets()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestExamples tries the rules of the guide.
func TestExamples(t *testing.T) {
	t.Parallel()
	list, err := own.Load("../../../docs/examples/rules", catalogue.All(), sets(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 2 {
		t.Errorf("%d rules", len(list))
	}
	try(t, list)
}

// try plays the samples of rules.
func try(t *testing.T, list []own.Rule) {
	t.Helper()
	for _, r := range list {
		played, faults := trial.Rule(r)
		for _, err := range faults {
			t.Error(err)
		}
		if played == 0 {
			t.Errorf("%s has no samples", r.ID)
		}
	}
}

const prose = "\n== meaning\nIt means.\n\n== advice\nDo.\n"

// TestConditions tries conditions of each kind by their samples.
func TestConditions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ conditions, samples string }{
		{"when message: rdma.credits == 0", `
== fires: no credits
call 1 NFS3 NULL
reply 1
    credits 0
    want SITE-001
== silent: some
call 1 NFS3 NULL
reply 1
`},
		{"when frame: rdma.credits == 0 and direction == to_client", `
== fires (RoCE): no credits
call 1 NFS3 NULL
reply 1
    credits 0
    want SITE-001 frame
== silent: none asked for
call 1 NFS3 NULL
    credits 0
reply 1
`},
		{"when connection: threshold.to_server < 4096 and connection.captured", `
== fires: the default
connect client=none server=none
call 1 NFS3 NULL
reply 1
want SITE-001
== silent: more
connect client=4096/4096 server=4096/4096
call 1 NFS3 NULL
reply 1
== silent (no connect): nobody knows
call 1 NFS3 NULL
reply 1
call 2 NFS3 NULL
reply 2
`},
		{"when rpc: rpc.procedure == WRITE\nmust follow rpc within 5s: rpc.procedure == COMMIT", `
== fires: nothing is committed
call 1 NFS3 WRITE file="fh" count=8 data=bytes(8)
    want SITE-001
reply 1 count=8
wait 10s
call 2 NFS3 GETATTR
reply 2
== fires: late
call 1 NFS3 WRITE file="fh" count=8 data=bytes(8)
    want SITE-001
reply 1 count=8
wait 6s
call 2 NFS3 COMMIT file="fh"
reply 2
wait 3s
call 3 NFS3 NULL
reply 3
== silent: in time
call 1 NFS3 WRITE file="fh" count=8 data=bytes(8)
reply 1 count=8
wait 4s
call 2 NFS3 COMMIT file="fh"
reply 2
wait 10s
call 3 NFS3 NULL
reply 3
== silent: the capture ends
call 1 NFS3 WRITE file="fh" count=8 data=bytes(8)
reply 1 count=8
wait 4s
call 2 NFS3 NULL
reply 2
== silent: it may be missing
call 1 NFS3 WRITE file="fh" count=8 data=bytes(8)
reply 1 count=8
call 2 NFS3 NULL
    drop
reply 2
wait 10s
call 3 NFS3 NULL
reply 3
`},
		{"when rpc: rpc.procedure == REMOVE\nmust not follow rpc within 1s: rpc.procedure == CREATE", `
== fires: replaced
call 1 NFS3 REMOVE name="a"
reply 1
call 2 NFS3 CREATE name="a"
    want SITE-001
reply 2
== silent: later
call 1 NFS3 REMOVE name="a"
reply 1
wait 2s
call 2 NFS3 CREATE name="a"
reply 2
== silent: before
call 2 NFS3 CREATE name="a"
reply 2
call 1 NFS3 REMOVE name="a"
reply 1
`},
	} {
		r, err := own.New("t.rule", "id: SITE-001\ntitle: a title\nseverity: error\n"+test.conditions+"\n"+prose+test.samples, sets(t))
		if err != nil {
			t.Error(err)
			continue
		}
		try(t, []own.Rule{r})
	}
}

// TestErrors holds that what is wrong is reported with its place.
func TestErrors(t *testing.T) {
	t.Parallel()
	const head = "id: SITE-001\ntitle: a title\nseverity: error\n"
	for _, test := range []struct {
		text, want string
		line, col  int
	}{
		{head + prose, "no when", 1, 0},
		{head + "when rpcs: rpc.xid\n" + prose, "not one of rpc", 4, 1},
		{head + "when rpc:   rpc.axid\n" + prose, "rpc.axid", 4, 13},
		{head + "when rpc: rpc.xid == 1\n   and rpc.axid\n" + prose, "rpc.axid", 5, 8},
		{head + "when rpc: rpc.xid\nwhen frame: ip.addr\n" + prose, "one when", 5, 1},
		{head + "when connection: conn\n" + prose, "conn", 4, 18},
		{head + "when connection: port\nmust follow rpc within 1s: rpc.xid\n" + prose, "nothing can follow", 1, 0},
		{head + "when rpc: rpc.xid\nmust follow rpc: rpc.xid\n" + prose, "write it as", 5, 1},
		{head + "when rpc: rpc.xid\nmust follow rpc within 2h: rpc.xid\n" + prose, "at most an hour", 5, 1},
		{head + "when rpc: rpc.xid\nmust follow rpc within -1s: rpc.xid\n" + prose, "write it as", 5, 1},
		{head + "when rpc: rpc.xid\nmust follow connection within 1s: port\n" + prose, "can follow", 5, 1},
		{head + "when rpc: rpc.xid\nmust follow rpc within 1s: rpc.xid\nmust not follow rpc within 1s: rpc.xid\n" + prose, "one must", 6, 1},
		{head + "when rpc: connection == 1\n" + prose, "their numbers only", 4, 11},
		{head + "wen rpc: rpc.xid\n" + prose, "unknown key", 4, 1},
		{head + "when rpc: rpc.xid\n", "== meaning", 1, 0},
		{head + "case a (note): x\nwhen rpc: rpc.xid\n" + prose, "no cases", 1, 0},
		{head + "when rpc: rpc.xid\n" + prose + "\x1b[2J", "does not print", 11, 1},
		{head + "when rpc: rpc.xid\n" + prose + "== fires: x\n\u202e", "does not print", 12, 1},
		{head + "when rpc: rpc.xid\n" + prose + "== fires (x): x\ny", "not one of", 11, 11},
	} {
		_, err := own.New("t.rule", test.text, sets(t))
		var e *document.Error
		if !errors.As(err, &e) || !strings.Contains(e.Reason, test.want) || e.Line != test.line || e.Column != test.col {
			t.Errorf("%q: %v, want %d:%d: %s", test.text, err, test.line, test.col, test.want)
		}
	}
}

// TestLoad holds what a folder may have.
func TestLoad(t *testing.T) {
	t.Parallel()
	rule := func(id, more string) string {
		return "id: " + id + "\ntitle: a title\nseverity: error\nwhen rpc: rpc.xid\n" + more + prose
	}
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{nil, "has no files *.rule"},
		{map[string]string{"a.rule": rule("SITE-001", ""), "b.rule": rule("SITE-002", "causes: SITE-001, DDP-005b\n"), "c.txt": "x"}, ""},
		{map[string]string{"a.rule": rule("SITE-001", ""), "b.rule": rule("SITE-001", "")}, "is in"},
		{map[string]string{"a.rule": rule("DDP-900", "")}, "rdmacap's own"},
		{map[string]string{"a.rule": rule("SITE-001", "causes: SITE-009\n")}, "no other rule"},
		{map[string]string{"a.rule": rule("SITE-001", "causes: SITE-001\n")}, "no other rule"},
		{map[string]string{"a.rule": strings.Repeat("#\n", 40<<10)}, "at most 64 KiB"},
	} {
		dir := filepath.Join(t.TempDir(), "[a*")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range test.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := own.Load(dir, catalogue.All(), sets(t))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v: %v, want %q", test.files, err, test.want)
		}
	}
}

// FuzzNew makes rules of anything: nothing panics, and what a rule is asked about does not
// either.
func FuzzNew(f *testing.F) {
	f.Add("id: SITE-001\ntitle: a\nseverity: note\nwhen message: rdma.credits\nmust not follow rpc within 1s: rpc.xid\n" + prose + "== fires: x\ncall 1 NFS3 NULL\nreply 1\n")
	f.Add("id: SITE-001\ntitle: a\nseverity: note\nwhen connection: port == 20049\n" + prose)
	s := sets(f)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := own.New("t.rule", text, s)
		if err != nil {
			return
		}
		trial.Rule(r)
	})
}
