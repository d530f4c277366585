package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// cutFile is a file for what a test cuts.
func cutFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "cut.pcapng")
}

// recordsFrom are the records of a kind that a command prints of a capture.
func recordsFrom(t *testing.T, kind string, args ...string) (list []map[string]any) {
	t.Helper()
	r := rdmacap(append(args, "-q", "--format", "ndjson")...)
	if r.status == exitUnusable {
		t.Fatalf("%q: %s", args, r.err)
	}
	for line := range strings.Lines(r.out) {
		if x := decode(t, line).(map[string]any); x["type"] == kind {
			list = append(list, x)
		}
	}
	return list
}

// sameRPC are the members of a record of an RPC that do not depend on what else was captured.
func sameRPC(x map[string]any) map[string]any {
	same := make(map[string]any)
	for _, name := range []string{"xid", "reverse", "procedure_name", "status", "nfs_status", "ops", "summary", "latency_ns", "rdma_read_bytes", "rdma_write_bytes", "complete"} {
		same[name] = x[name]
	}
	same["frames"] = len(x["frames"].([]any))
	for _, message := range []string{"call", "reply"} {
		if m, is := x[message].(map[string]any); is {
			same[message] = []any{m["length"], m["rpc_length"], m["transfer"], m["time"]}
		}
	}
	return same
}

// TestCutRPC holds that what is cut of one RPC has the same row, shows what was found about it, and
// shows nothing that the whole capture does not.
func TestCutRPC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		xids []string
		lost []string // rules that need what was left out
	}{
		{"rxe-basic", []string{"0xb82d105d", "0xd22d105d", "0xe22d105d", "0xeaff09fe"}, nil},
		{"rxe-loss", []string{"0x03cdea83", "0xf2ccea83", "0xf3ccea83"}, nil},
		{"siw-basic", []string{"0x581aad11", "0x701aad11", "0xc54ccb27", "0x4177a3fc", "0xba486388"}, nil},
		{"siw-loss", nil, nil},
		{"version2-roce", []string{"0x00000003", "0x00000006", "0x00000008"}, []string{"THRESH-007", "THRESH-011"}},
		{"version2-iwarp", []string{"0x00000007"}, []string{"THRESH-008a"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			whole := recordsFrom(t, "rpc", "read", sample(c.file))
			found := recordsFrom(t, "finding", "check", "--all", sample(c.file))
			known := make(map[any]bool)
			for _, f := range found {
				known[f["rule"]] = true
			}
			if c.xids == nil {
				for i := 0; i < len(whole); i += len(whole) / 4 {
					c.xids = append(c.xids, whole[i]["xid"].(string))
				}
			}
			for _, xid := range c.xids {
				at := slices.IndexFunc(whole, func(x map[string]any) bool { return x["xid"] == xid })
				if at < 0 {
					t.Fatalf("there is no RPC %s", xid)
				}
				out := cutFile(t)
				rdmacapCut(t, sample(c.file), "-Y", "rpc.xid == "+xid, "--connection", fmt.Sprint(whole[at]["connection"]), "-o", out)
				rpcs := recordsFrom(t, "rpc", "read", out)
				if len(rpcs) != 1 {
					t.Errorf("%s: the cut file has %d RPCs", xid, len(rpcs))
					continue
				}
				if got, want := sameRPC(rpcs[0]), sameRPC(whole[at]); !reflect.DeepEqual(got, want) {
					t.Errorf("%s:\n%v, want\n%v", xid, got, want)
				}
				shown := make(map[any]bool)
				for _, f := range recordsFrom(t, "finding", "check", "--all", out) {
					if shown[f["rule"]] = true; !known[f["rule"]] {
						t.Errorf("%s: new: %v: %v", xid, f["rule"], f["message"])
					}
				}
				for _, f := range found {
					if f["xid"] == xid && f["connection"] == whole[at]["connection"] && !shown[f["rule"]] && !slices.Contains(c.lost, f["rule"].(string)) {
						t.Errorf("%s: not found any more: %v: %v", xid, f["rule"], f["message"])
					}
				}
			}
		})
	}
}

// rdmacapCut cuts, which says one line of what it did, and returns that.
func rdmacapCut(t *testing.T, args ...string) string {
	t.Helper()
	r := rdmacap(append([]string{"cut"}, args...)...)
	if r.status != exitDone || r.out != "" || !strings.HasPrefix(r.err, "cut: ") {
		t.Fatalf("cut %q: status %d, %q, %q", args, r.status, r.out, r.err)
	}
	return r.err
}

// TestCutConnection holds that a connection that is cut whole has its rows and findings.
func TestCutConnection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, connection string }{{"rxe-cb", "2"}, {"siw-cb", "1"}, {"rxe-acl", "1"}, {"version2-roce", "1"}} {
		out := cutFile(t)
		said := rdmacapCut(t, sample(c.file), "--connection", c.connection, "-o", out)
		whole := recordsFrom(t, "rpc", "read", "--connection", c.connection, sample(c.file))
		got := recordsFrom(t, "rpc", "read", out)
		if len(whole) == 0 || len(got) != len(whole) || !strings.Contains(said, fmt.Sprintf("(%d RPCs, all of 1 connection)", len(whole))) {
			t.Errorf("%s: %d RPCs, want %d; %s", c.file, len(got), len(whole), said)
			continue
		}
		for i := range got {
			if got, want := sameRPC(got[i]), sameRPC(whole[i]); !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n%v, want\n%v", c.file, got, want)
			}
		}
		rules := func(list []map[string]any) (names []string) {
			for _, f := range list {
				if fmt.Sprint(f["connection"]) != "<nil>" {
					names = append(names, fmt.Sprint(f["rule"], f["severity"], f["count"], f["certainty"]))
				}
			}
			slices.Sort(names)
			return names
		}
		before := rules(recordsFrom(t, "finding", "check", "--all", "--connection", c.connection, sample(c.file)))
		after := rules(recordsFrom(t, "finding", "check", "--all", out))
		if !slices.Equal(before, after) {
			t.Errorf("%s: findings\n%v, want\n%v", c.file, after, before)
		}
	}
}

// TestCutTshark holds that tshark reads what is cut, and finds as many frames, their lengths, times
// and comments in it.
func TestCutTshark(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed: nothing is compared with it")
	}
	out := cutFile(t)
	for _, snap := range []string{"", "headers"} {
		said := rdmacapCut(t, sample("rxe-loss"), "-Y", "rpc.xid == 0x03cdea83", "--snap", snap, "-o", out, "--force")
		text, err := exec.Command(tshark, "-r", out, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len").Output()
		if err != nil {
			t.Fatal(err)
		}
		frames, bytes, captured := 0, 0, 0
		for line := range strings.Lines(string(text)) {
			var at string
			var length, kept int
			if _, err := fmt.Sscan(line, &at, &length, &kept); err != nil || !strings.HasPrefix(at, "1795225") {
				t.Fatalf("%q: %v", line, err)
			}
			frames, bytes, captured = frames+1, bytes+length, captured+kept
		}
		if !strings.HasPrefix(said, fmt.Sprintf("cut: %d of 5000 frames (1 RPC on 1 connection) written to ", frames)) || bytes < 500_000 {
			t.Errorf("tshark finds %d frames of %d bytes; %s", frames, bytes, said)
		}
		if want := fmt.Sprintf("cut: %d bytes of file data left out", bytes-captured); snap != "" && !strings.Contains(said, want) || snap == "" && bytes != captured {
			t.Errorf("%d bytes of %d; %s", captured, bytes, said)
		}
	}
}

// TestCutSnap holds that no file data are left in what is cut with headers only, and that rows say
// the same all the same, but that something is not there.
func TestCutSnap(t *testing.T) {
	t.Parallel()
	for file, xids := range map[string][]string{"rxe-basic": {"0xd22d105d", "0xe22d105d", "0xca2d105d"}, "siw-basic": {"0x581aad11"}} {
		for _, xid := range xids {
			whole, short := cutFile(t), cutFile(t)
			rdmacapCut(t, sample(file), "-Y", "rpc.xid == "+xid, "-o", whole)
			said := rdmacapCut(t, sample(file), "-Y", "rpc.xid == "+xid, "--snap", "headers", "-o", short)
			a, b := recordsFrom(t, "rpc", "read", whole)[0], recordsFrom(t, "rpc", "read", short)[0]
			for _, name := range []string{"xid", "status", "nfs_status", "summary", "latency_ns", "rdma_read_bytes", "rdma_write_bytes", "ops"} {
				if !reflect.DeepEqual(a[name], b[name]) {
					t.Errorf("%s: %s: %v, want %v", xid, name, b[name], a[name])
				}
			}
			if n := strings.Count(said, " bytes of file data left out of "); n != 1 {
				t.Errorf("%s", said)
			}
			for _, f := range recordsFrom(t, "finding", "check", "--all", short) {
				if strings.HasPrefix(f["rule"].(string), "DDP") || f["severity"] == "error" {
					t.Errorf("%s: %v: %v", xid, f["rule"], f["message"])
				}
			}
			if file == "siw-basic" {
				continue // nothing moved but a whole reply, which has headers
			}
			if strings.Contains(said, "cut: 0 bytes") || b["complete"] != false {
				t.Errorf("%s: complete %v; %s", xid, b["complete"], said)
			}
		}
	}
}

// TestCutSeveral holds that of several captures one file comes, in the order of time, in which
// each frame keeps the interface of its file; and that what is cut of that is the same.
func TestCutSeveral(t *testing.T) {
	t.Parallel()
	out, again := cutFile(t), cutFile(t)
	rdmacapCut(t, sample("rxe-cb"), sample("siw-cb"), "-Y", "nfs.op == READ or nfs.op == OPEN", "-o", out)
	frames := recordsFrom(t, "frame", "read", "--level", "frame", out)
	seen := make(map[string]int)
	before := ""
	for _, f := range frames {
		at := f["time"].(string)
		if at < before {
			t.Fatalf("%s after %s", at, before)
		}
		before = at
		seen[fmt.Sprint(f["interface"])]++
	}
	if len(frames) == 0 {
		t.Fatal("nothing was cut")
	}
	want := recordsFrom(t, "rpc", "read", "-Y", "nfs.op == READ or nfs.op == OPEN", sample("rxe-cb"), sample("siw-cb"))
	if got := recordsFrom(t, "rpc", "read", out); len(got) != len(want) || len(got) == 0 {
		t.Errorf("%d RPCs, want %d", len(got), len(want))
	}
	rdmacapCut(t, out, "-Y", "nfs.op == READ or nfs.op == OPEN", "-o", again)
	if got := recordsFrom(t, "frame", "read", "--level", "frame", again); len(got) != len(frames) {
		t.Errorf("%d frames are cut of %d that were", len(got), len(frames))
	}
}

// TestCutRefusal holds that a version whose refusal alone is in the capture has no number: only the message that tried it has.
func TestCutRefusal(t *testing.T) {
	t.Parallel()
	out := cutFile(t)
	rdmacapCut(t, sample("field/err-vers-for-good-calls"), "-Y", "rpc.xid == 0x8d3f21a0", "-o", out)
	r := rdmacap("read", out)
	if !strings.Contains(r.out, "the RPC-over-RDMA version tried first is not in the capture, refused (versions 1 to 1)") || strings.Contains(r.out, "version 0") {
		t.Errorf("%s%s", r.out, r.err)
	}
	if records := must(t, "read", "--format", "ndjson", out); !strings.Contains(records, `"negotiation":{"tried":null,"refused":true,`) {
		t.Errorf("records name a version:\n%s", records)
	}
}
