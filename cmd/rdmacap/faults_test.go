package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// faulty is what the first lines of check have to say of captures with one injected fault each, and
// what they must not: the words for other causes.
var faulty = map[string]struct{ want, never []string }{
	"loss3-both":        {[]string{"lost frames in both directions before they reached the capture"}, []string{"beyond", "in the server", "overt", "reordered"}},
	"burst3s-after-tap": {[]string{"from the client 10.0.2.1 to the server 10.0.2.2 was sent 3 times in 4.70 s", "lost beyond the capture"}, []string{"in the server", "before they reached"}},
	"mtu-blackhole":     {[]string{"All of them carry 4,096 bytes, the path MTU in use", "Look for a smaller MTU"}, []string{"in the server", "before they reached"}},
	"reorder":           {[]string{"from the client 10.0.2.1 to the server 10.0.2.2 were reordered", "Nothing shows that any of them was lost"}, []string{"network lost", "which were lost"}},
	"siw-delay200":      {[]string{"their acknowledgements took up to 202 ms", "Look for what delays frames"}, []string{"of it in the server"}},
	"siw-linkdown":      {[]string{"was sent 9 times in 26.8 s", "Look for a link, port or host that was down"}, []string{"26.8 s of it in the server", "stuck in storage"}},
	"stall4s":           {[]string{"there was no progress for 3.83 s while NFS3 CREATE was open", "the server had acknowledged it and did not answer", "storage"}, []string{"network lost", "frame was sent"}},
	"restart-grace":     {[]string{"The NFS service of the server 10.0.2.2 was restarted", "NFS4ERR_GRACE", "rejected a new one"}, []string{"network lost"}},
	"nospc":             {[]string{"WRITE failed 7 times", "the file system is full"}, []string{"network lost", "in the server"}},
	"credits4":          {[]string{"Nothing wrong was found"}, []string{"warning", "error in"}},
	"healthy-rxe-v3":    {[]string{"Nothing wrong was found"}, []string{"warning", "error in"}},

	"rxe-link-down":   {[]string{"was sent 7 times in 13.7 s, and nothing answered it", "Look for a link, port or host that was down"}, []string{"in the server", "storage", "were read"}},
	"rxe-read-only":   {[]string{"OPEN failed 11 times", "the file system is read-only"}, []string{"network lost", "in the server"}},
	"rxe-unreachable": {[]string{"The client's REQ was sent 6 times in 32.0 s before an answer was captured"}, []string{"network lost", "rejected"}},
	"rxe-version":     {[]string{"The client sent a message of version 72"}, []string{"network lost"}},
	"siw-refused":     {[]string{"reset the TCP connection requested to port 20501", "nobody listens there"}, []string{"network lost"}},
	"siw-unreachable": {[]string{"SYN was sent 6 times in 31.4 s before an answer was captured"}, []string{"network lost", "in the server"}},
}

// TestFaultsAreNamed holds that the cause that was injected stands on the first screen, 24 lines, no other is named there,
// and no rule about peers accuses one.
func TestFaultsAreNamed(t *testing.T) {
	type fault struct{ Name, Injected, dir string }
	var all []fault
	for _, part := range []string{"faults", "blind"} {
		dir := filepath.Join("..", "..", "samples", part)
		text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var manifest []fault
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		for _, m := range manifest {
			m.dir = dir
			all = append(all, m)
		}
	}
	if len(all) != len(faulty) {
		t.Fatalf("%d faults in the manifests, %d here", len(all), len(faulty))
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			c, known := faulty[m.Name]
			if !known {
				t.Fatalf("nothing is expected of it: %s", m.Injected)
			}
			r := rdmacap("check", filepath.Join(m.dir, m.Name+".pcap.zst"))
			if r.status != exitDone && !strings.Contains(m.Injected, "version") && !strings.Contains(m.Injected, "nobody listens") {
				t.Errorf("an error is found, or said: %d, %q", r.status, r.err)
			}
			first := firstLines(r.out, 24)
			for _, want := range c.want {
				if !strings.Contains(strings.ToLower(first), strings.ToLower(want)) {
					t.Errorf("%s was injected; no %q in\n%s", m.Injected, want, first)
				}
			}
			for _, never := range c.never {
				if strings.Contains(first, never) {
					t.Errorf("%s was injected; it says %q:\n%s", m.Injected, never, first)
				}
			}
		})
	}
}

// TestReorderedIsNotLost holds that frames that others overtook are not called lost in rows and counts either, and that
// lost ones are.
func TestReorderedIsNotLost(t *testing.T) {
	for name, lost := range map[string]bool{"reorder": false, "loss3-both": true} {
		path := filepath.Join("..", "..", "samples", "faults", name+".pcap.zst")
		rows := rdmacap("read", "--level", "frame", path).out
		if strings.Contains(rows, "lost on the wire") != lost {
			t.Errorf("%s: rows say that frames were lost: %t", name, !lost)
		}
		var summary struct {
			Lost int64 `json:"lost_on_wire"`
		}
		records := strings.Split(strings.TrimSpace(rdmacap("check", "--format", "ndjson", path).out), "\n")
		if err := json.Unmarshal([]byte(records[len(records)-1]), &summary); err != nil || (summary.Lost > 0) != lost {
			t.Errorf("%s: %d frames are counted as lost, %v", name, summary.Lost, err)
		}
	}
}

// firstLines are the first n lines of a text, unbroken and without what draws the tree.
func firstLines(text string, n int) string {
	lines := strings.SplitAfterN(text, "\n", n+1)
	lines = lines[:min(n, len(lines))]
	return strings.Join(strings.Fields(strings.NewReplacer("│", "", "├──", "", "└──", "", "\u00a0", " ").Replace(strings.Join(lines, ""))), " ")
}

// TestManyConnectionsSayItOnce holds that what is found on each of 240 connections is told once.
func TestManyConnectionsSayItOnce(t *testing.T) {
	var text strings.Builder
	for i := range 240 {
		fmt.Fprintf(&text, "connect C%d clientaddr=192.0.2.%d\ncall %d NFS3 READ file=\"fh\" count=300\n    write 0x100 300\n    replychunk 0x200 4000\nreply %d data=bytes(300)\ndisconnect\n", i, i%200+10, i, i)
	}
	played, err := scene.Play(text.String(), scene.RoCE)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "many.pcap")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(played.WritePcap(to), to.Close()); err != nil {
		t.Fatal(err)
	}
	r := rdmacap("check", "--all", path)
	if n := strings.Count(r.out, "\n"); r.status != exitDone || n > 100 {
		t.Errorf("%d lines, exit status %d", n, r.status)
	}
	if n := strings.Count(r.out, "THRESH-008a  Needless"); n != 1 || !strings.Contains(r.out, "and 233 more") {
		t.Errorf("the note is told %d times", n)
	}
}
