package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// framesThat are the numbers of the frames of a capture that match, as rows list them.
func framesThat(t *testing.T, expr string, args ...string) []string {
	t.Helper()
	out := must(t, append([]string{"read", "-q", "--level", "frame", "--format", "csv", "--columns", "no", "-Y", expr}, args...)...)
	return strings.Fields(out)[1:] // without the heading
}

// TestTrace holds that the XID of an RPC selects the frames that cut copies of it but for setup
// and end of the connection: all that its record names are among them, and those that tshark finds.
func TestTrace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, xid string
		frames    int
	}{
		{"rxe-loss", "0x03cdea83", 554},
		{"siw-loss", "0x486162c0", 389},
		{"siw-basic", "0x581aad11", 7},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			got := framesThat(t, "rpc.xid == "+c.xid, sample(c.file))
			if len(got) != c.frames {
				t.Errorf("%d frames, want %d", len(got), c.frames)
			}
			has := func(what, frame string) {
				if !slices.Contains(got, frame) {
					t.Errorf("frame %s, of %s, is not selected", frame, what)
				}
			}
			for _, x := range recordsFrom(t, "rpc", "read", "-Y", "rpc.xid == "+c.xid, sample(c.file)) {
				for _, n := range x["frames"].([]any) {
					has("the record", fmt.Sprint(n))
				}
			}
			for _, n := range tsharkXID(t, c.file, c.xid) {
				has("tshark", n)
			}

			// What the copy has beyond them is setup and end, over TCP with segments without data that acknowledge those.
			const mark = "tcp.syn or tcp.fin or tcp.rst or bth.destqp == 1 or mpa.rev or rdmap.opcode == Terminate or not bth.opcode and frame.length < 80"
			out := cutFile(t)
			rdmacapCut(t, sample(c.file), "-Y", "rpc.xid == "+c.xid, "-o", out)
			times := func(expr, file string) map[string]int {
				list := strings.Fields(must(t, "read", "-q", "--level", "frame", "--format", "csv", "--columns", "frame.time,length", "--time", "epoch", "-Y", expr, file))[1:]
				n := make(map[string]int)
				for _, at := range list {
					n[at]++
				}
				return n
			}
			beyond := times("frame.number", out)
			for at, n := range times("rpc.xid == "+c.xid, sample(c.file)) {
				if beyond[at] -= n; beyond[at] < 0 {
					t.Errorf("the frame of %s is not copied", at)
				} else if beyond[at] == 0 {
					delete(beyond, at)
				}
			}
			known := times(mark, out)
			for at := range maps.Keys(beyond) {
				if known[at] == 0 {
					t.Errorf("the frame of %s is copied, and neither setup nor end, but not selected", at)
				}
			}
			if len(beyond) == 0 {
				t.Error("no setup was copied: nothing is shown of it")
			}
		})
	}
}

// tsharkXID are the frames that tshark finds by an XID.
func tsharkXID(t *testing.T, file, xid string) []string {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		return nil // not installed: the rest is held all the same
	}
	path := write(t, "whole.pcap", unpacked(t, file))
	text, err := exec.Command(tshark, "-r", path, "-Y", "rpc.xid == "+xid, "-T", "fields", "-e", "frame.number").Output()
	if err != nil || len(text) == 0 {
		t.Fatalf("tshark finds %q: %v", text, err)
	}
	return strings.Fields(string(text))
}

// TestTraceExpressions holds what an XID means as a part of an expression, with any number of
// workers.
func TestTraceExpressions(t *testing.T) {
	t.Parallel()
	const a, b = "0x03cdea83", "0xf2ccea83"
	file := sample("rxe-loss")
	whole := framesThat(t, "rpc.xid == "+a, file)
	noted := framesThat(t, "frame.note", file)
	both := slices.DeleteFunc(slices.Clone(whole), func(n string) bool { return !slices.Contains(noted, n) })
	if len(both) == 0 || len(both) == len(whole) {
		t.Fatalf("%d of %d frames have a note: nothing is shown of it", len(both), len(whole))
	}
	other := framesThat(t, "rpc.xid == "+b, file)
	for _, c := range []struct {
		expr string
		want []string
	}{
		{"rdma.xid == " + a, whole},
		{"rpcordma.xid == " + a, whole},
		{"rpc.xid in {" + a + "}", whole},
		{"rpc.xid == " + a + " && frame.note", both},
		{"frame.note and not rpc.xid != " + a + " and rpc.xid", both},
		{"rpc.xid == " + a + " and not rdma.xid == " + b, slices.DeleteFunc(slices.Clone(whole), func(n string) bool { return slices.Contains(other, n) })},
		{"rpc.xid == 0x12345678", nil},
	} {
		for _, workers := range []string{"1", "3"} {
			if got := framesThat(t, c.expr, "--workers", workers, file); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s workers: %d frames, want %d", c.expr, workers, len(got), len(c.want))
			}
		}
	}
	if n := len(framesThat(t, "not rpc.xid == "+a, file)); n+len(whole) != 5000 {
		t.Errorf("%d frames are not selected, %d are, of 5000", n, len(whole))
	}
	if n := len(framesThat(t, "rpc.xid == "+a, file, file)); n != 2*len(whole) {
		t.Errorf("%d frames in two captures, %d in each", n, len(whole))
	}
	for _, xid := range strings.Fields(must(t, "read", "-q", "--level", "frame", "--format", "csv", "--columns", "rpc.xid", "-Y", "rpc.xid == "+a+" and not rdma.xid == "+b, file))[1:] {
		if xid != a {
			t.Fatalf("a row has the XID %q", xid)
		}
	}
}

// TestTraceOnce holds that where captures cannot be read twice, or too many XIDs are named, frames
// with the header are found, and that this is reported.
func TestTraceOnce(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(sample("rxe-loss"))
	if err != nil {
		t.Fatal(err)
	}
	many := "rpc.xid in {0x03cdea83"
	for i := range mostTraced {
		many += fmt.Sprintf(", %d", i+1)
	}
	for _, c := range []struct{ expr, file, why string }{
		{"rpc.xid == 0x03cdea83", "-", "standard input cannot be read twice"},
		{many + "}", sample("rxe-loss"), "the filter names 17 XIDs; all frames are found for at most 16"},
	} {
		for _, quiet := range []bool{false, true} {
			r := rdmacapReading(bytes.NewReader(data), "read", fmt.Sprintf("-q=%t", quiet), "--level", "frame", "--format", "csv", "--columns", "no", "-Y", c.expr, c.file)
			want := "an XID selects only frames that carry the transport header: " + c.why
			if r.status != exitDone || strings.Fields(r.out)[1] != "4053" || len(strings.Fields(r.out)) != 2 || strings.Contains(r.err, want) == quiet {
				t.Errorf("%s of %s, -q=%t: status %d, %q, %q", c.expr, c.file, quiet, r.status, r.out, r.err)
			}
		}
	}
}
