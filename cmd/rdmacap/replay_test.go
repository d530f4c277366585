package main

import (
	"bytes"
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// TestReplayDryRun holds what a replay says that it would do.
func TestReplayDryRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
	}{
		{"replay-dry-run-rxe-basic.txt", []string{sample("rxe-basic"), "--connection", "3"}},
		{"replay-dry-run-all-rxe-basic.txt", []string{sample("rxe-basic"), "--connection", "all", "--select", "nfs.op == REMOVE", "--max-calls", "3"}},
		{"replay-dry-run-siw-cb.txt", []string{sample("siw-cb"), "--pace", "asap", "--inline-receive", "8192"}},
		{"replay-dry-run-rxe-loss.txt", []string{sample("rxe-loss"), "--pace", "2x", "--max-calls", "100"}},
		{"replay-dry-run-bind-rxe-basic.txt", []string{sample("rxe-basic"), "--bind", "--oversize", "--edit", "rpc.xid == 0xb92d105d : rdma.credits = 0"}},
		{"replay-dry-run-format-json-rxe-thresh.txt", []string{sample("rxe-thresh"), "--format", "ndjson"}},
		{"replay-dry-run-select-rxe-basic.txt", []string{sample("rxe-basic"), "--select", "nfs.op == READ", "--honor-credits=false"}},
	} {
		r := rdmacap(append([]string{"replay", "--to", "192.0.2.1", "--dry-run"}, c.args...)...)
		if r.status != exitDone {
			t.Errorf("%s: status %d, %s", c.name, r.status, r.err)
		}
		golden(t, c.name, r.out)
	}
}

// TestReplayRefused holds what is reported where nothing is replayed.
func TestReplayRefused(t *testing.T) {
	t.Parallel()
	basic := sample("rxe-basic")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{basic}, "replay needs --to HOST[:PORT]"},
		{[]string{basic, "--to", "192.0.2.1"}, "the replay would, or may, change files on 192.0.2.1 or state of the captured client: --dry-run lists the calls, and --yes sends them"},
		{[]string{basic, "--to", "192.0.2.1:x", "--yes"}, `--to: "x" is not a port`},
		{[]string{basic, "--to", "192.0.2.1", "--pace", "fast"}, `--pace: unknown value "fast"`},
		{[]string{basic, "--to", "192.0.2.1", "--inline-send", "1000"}, "--inline-send: private data can announce multiples of 1024 bytes"},
		{[]string{basic, "--to", "192.0.2.1", "--max-calls", "0"}, "--max-calls must be at least 1"},
		{[]string{basic, "--to", "192.0.2.1", "--memory", "1MiB"}, "need more than 1 MiB of memory"},
		{[]string{basic, "--to", "192.0.2.1", "--max-registered", "x"}, "--max-registered"},
		{[]string{basic, "--to", "192.0.2.1", "--format", "xml"}, `--format: unknown format "xml"`},
		{[]string{basic, "--to", "192.0.2.1", "--connection", "9"}, "connection 9 carries no RPC-over-RDMA that can be read: there is connection 1"},
		{[]string{basic, "--to", "192.0.2.1", "--select", "nfs.nothing"}, "--select: "},
		{[]string{basic, "--to", "192.0.2.1", "--connection", "3", "--bind", "--export", "/scratch", "--dry-run"}, "--export /scratch has no effect: the capture starts at the root of the server's tree"},
		{[]string{basic, "--to", "192.0.2.1", "--bind", "--export", "a=/scratch"}, "\"a\" is not a handle in hex"},
		{[]string{basic, "--to", "192.0.2.1", "--bind", "--export", "/a", "--export", "/b"}, "--export: at most one PATH can be without a handle"},
		{[]string{basic, "--to", "192.0.2.1", "--bind", "--export", ""}, "--export: a path is missing"},
		{[]string{basic, "--listen", ":20049", "--connection", "all"}, "--connection all cannot be combined with --listen: it needs --to without --verbatim"},
		{[]string{basic, "--to", "192.0.2.1", "--connection", "all", "--oversize"}, "--honor-credits=false and --oversize apply to one connection"},
		{[]string{basic, "--to", "192.0.2.1", "--connection", "all", "--memory", "1MiB"}, "need more than 1 MiB of memory"},
		{[]string{basic, "--to", "192.0.2.1", "--select", "frame.number > 100000"}, "there is no call of the client to replay"},
		{[]string{basic, "--to", "192.0.2.1", "--edit", "rdma.credits = 0"}, "write it as in"},
		{[]string{basic, "--to", "192.0.2.1", "--edit", "rpc.xid == 1 : rdma.nothing = 0"}, "rdma.nothing is not a field of the transport header"},
		{[]string{basic, "--to", "192.0.2.1", "--edit", "rpc.xid == 1 : rdma.credits = 0x100000000"}, "rdma.credits has 32 bits"},
		{[]string{basic, "--to", "192.0.2.1", "--edit", "rpc.xid == 1 : rdma.credits = 0"}, "--edit matches no call that is sent (rdma.credits = 0)"},
		{[]string{basic, "--to", "192.0.2.1", "--edit", "rpc.xid = : rdma.credits = 0"}, "--edit: "},
		{[]string{basic, "--to", "192.0.2.1", "--ignore", "nfs3.fattr3.size,nfs4.server_owner4.so_majr_id"}, "did you mean nfs4.server_owner4.so_major_id?"},
		{[]string{basic, "--to", "192.0.2.1", "--ignore", "rpc.xid"}, "--ignore: rpc.xid is not a field of a reply that is compared"},
		{[]string{sample("rxe-krb"), "--to", "192.0.2.1"}, "the call uses RPCSEC_GSS"},
		{[]string{sample("version2-roce"), "--to", "192.0.2.1"}, "RPC-over-RDMA version 2"},
		{[]string{sample("rxe-perftest"), "--to", "192.0.2.1"}, "no connection in the capture carries RPC-over-RDMA"},
		{[]string{"no such file", "--to", "192.0.2.1"}, "no such file"},
	} {
		if r := rdmacap(append([]string{"replay"}, c.args...)...); r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, c.want) {
			t.Errorf("replay %q: status %d, %q, standard error\n%q, want\n%q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}

// TestReplayNobody holds that a server that is not there is reported, and the exit status.
func TestReplayNobody(t *testing.T) {
	t.Parallel()
	f := fabric.New(fabric.SoftRoCE())
	var out, errs bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &out, err: &errs}
	status := execute(context.Background(), newReplay(s, f), []string{sample("rxe-cb"), "--to", "192.0.2.1", "--yes"}, s)
	if status != exitUnusable || out.Len() != 0 || errs.Len() == 0 || f.Left() != 0 {
		t.Errorf("status %d, %q, %q, %d left", status, &out, &errs, f.Left())
	}
}

// TestParseEdit takes edits apart.
func TestParseEdit(t *testing.T) {
	t.Parallel()
	sets, err := query.NewSets()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		filter string
		edit   wire.Edit
	}{
		"rpc.xid == 0x1a2b3c4d : rdma.credits = 0": {"rpc.xid == 0x1a2b3c4d", wire.Edit{Field: "rdma.credits", Nth: -1}},
		"nfs.op == READ : rdma.handle[1] = 0x10":   {"nfs.op == READ", wire.Edit{Field: "rdma.handle", Nth: 1, Value: 16}},
		"frame.number == 3 : rdma.proc=RDMA_DONE":  {"frame.number == 3", wire.Edit{Field: "rdma.proc", Nth: -1, Value: uint64(rpcrdma.RDMADone)}},
	} {
		if filter, edit, err := parseEdit(sets, text); err != nil || filter != want.filter || edit != want.edit {
			t.Errorf("%s: %q, %+v, %v", text, filter, edit, err)
		}
	}
}

// TestResolve reads servers.
func TestResolve(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"192.0.2.1": "192.0.2.1:20049", "192.0.2.1:2049": "192.0.2.1:2049",
		"[2001:db8::1]:9": "[2001:db8::1]:9", "[2001:db8::1]": "[2001:db8::1]:20049", "2001:db8::1": "[2001:db8::1]:20049",
	} {
		if got, err := resolve(t.Context(), text); err != nil || got != netip.MustParseAddrPort(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// TestReplayDocumented holds that docs/json.md names every member of a plan's record. Those of a
// result have a test beside them.
func TestReplayDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	memberNames(decode(t, must(t, "replay", sample("rxe-cb"), "--to", "192.0.2.1", "--dry-run", "--format", "ndjson")), names)
	if len(names) < 15 {
		t.Errorf("only %d names were found", len(names))
	}
	for name := range names {
		if !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("docs/json.md does not name %s", name)
		}
	}
}
