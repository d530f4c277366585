package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verdictOf is the verdict that check prints of captures, as lines.
func verdictOf(t *testing.T, files ...string) (verdict string) {
	t.Helper()
	r := rdmacap(append([]string{"check"}, files...)...)
	text, ok := strings.CutPrefix(r.out, "── verdict\n")
	if !ok {
		t.Fatalf("check %v does not begin with a verdict: %.200s %s", files, r.out, r.err)
	}
	verdict, _, _ = strings.Cut(text, "\n\n")
	return verdict
}

// TestVerdicts holds docs/verdicts.md to what the program says of each capture that ships.
func TestVerdicts(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Verdicts on the sample captures\n\nThe verdict of `rdmacap check` on each capture in `samples/`.\n[samples/README.md](../samples/README.md) says where " +
		"they come from and what is in them.\nA test compares this file with the program; `go test ./cmd/rdmacap -run Verdicts -update`\nregenerates it.\n")
	for _, part := range []struct{ heading, files string }{
		{"## Workloads", "*.pcap.zst"}, {"## Former false alarms", "cases/*.pcap"}, {"## Injected faults", "faults/*.pcap.zst"}, {"## Faults from a blind test", "blind/*.pcap.zst"},
		{"## Reported faults", "field/*.pcap.zst"},
	} {
		files, err := filepath.Glob("../../samples/" + part.files)
		if err != nil || len(files) == 0 {
			t.Fatal(err, "no samples in "+part.files)
		}
		fmt.Fprintf(&b, "\n%s\n", part.heading)
		for _, name := range files {
			short, _, _ := strings.Cut(filepath.Base(name), ".")
			fmt.Fprintf(&b, "\n### %s\n\n%s\n", short, verdictOf(t, name))
		}
	}
	const doc = "../../docs/verdicts.md"
	if *update {
		if err := os.WriteFile(doc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != b.String() {
		t.Errorf("docs/verdicts.md is not what check says: run go test ./cmd/rdmacap -run Verdicts -update, and read the difference. It says\n%s", b.String())
	}
}

// TestVerdictNamesTheRoot holds that the root cause stands first, and nothing that is not
// there is blamed.
func TestVerdictNamesTheRoot(t *testing.T) {
	for name, c := range map[string]struct{ want, never []string }{
		"rxe-loss":      {[]string{"lost frames in both directions before they reached the capture"}, []string{"beyond", "overtaken", "reordered"}},
		"siw-loss":      {[]string{"lost at least 7 frames from the server"}, []string{"beyond"}},
		"siw-basic":     {[]string{"The only finding in 529 RPCs is 39 frames retransmitted after arriving, or before the receiver could miss them", "Nothing shows that the network lost any"}, nil},
		"rxe-basic":     {nil, []string{"network lost at least", "lost frames"}},
		"rxe-krb":       {[]string{"RPCSEC_GSS"}, []string{"network"}},
		"siw-perftest":  {[]string{"Tagged Buffer Error"}, nil},
		"fallback-roce": {[]string{"Nothing wrong was found"}, nil},
	} {
		got := strings.Join(strings.Fields(verdictOf(t, sample(name))), " ")
		for _, text := range c.want {
			if !strings.Contains(got, text) {
				t.Errorf("%s: no %q in the verdict: %s", name, text, got)
			}
		}
		for _, text := range c.never {
			if strings.Contains(got, text) {
				t.Errorf("%s: the verdict has %q: %s", name, text, got)
			}
		}
	}
}

// TestVerdictOfTwoCaptures holds that what a loss cost is not told together with what was retransmitted, and had
// arrived, on another connection of the same hosts: rxe-cb has one such frame.
func TestVerdictOfTwoCaptures(t *testing.T) {
	cost := func(files ...string) string {
		for line := range strings.Lines(verdictOf(t, files...)) {
			if strings.HasPrefix(line, "It cost ") {
				return line
			}
		}
		return ""
	}
	loss, both := cost(sample("rxe-loss")), cost(sample("rxe-loss"), sample("rxe-cb"))
	if !strings.HasPrefix(loss, "It cost 2,202 retransmissions") || both != loss {
		t.Errorf("of rxe-loss check says %q, with rxe-cb %q; the same is wanted", loss, both)
	}
}
