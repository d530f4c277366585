package main

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// TestReportVerdict holds that the page begins with the root cause, and that findings show the
// numbers by which the table of rules names them.
func TestReportVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"rxe-loss":      "lost frames in both directions before they reached the capture",
		"version2-roce": "(HDR-003b: frame",
	} {
		p := reported(t, "--rules", "TRANS,HDR-003", sample(name))
		verdict := blocks.Text(p.Find("p", "verdict")[0])
		if !strings.Contains(verdict, want) {
			t.Errorf("%s: the verdict %q lacks %q", name, verdict, want)
		}
		for _, a := range p.Find("article", "finding") {
			id := blocks.Attr(a, "id")
			if heading, _, _ := strings.Cut(strings.TrimSpace(blocks.Text(a)), "\n"); !strings.HasSuffix(heading, strings.ReplaceAll(id, "-", " ")) {
				t.Errorf("%s: the heading of %s is %q", name, id, heading)
			}
		}
	}
}

// TestReportWithoutRoom holds that what had no room is not said to be nothing.
func TestReportWithoutRoom(t *testing.T) {
	words := func(p *blocks.Page) string { return blocks.Text(p.Find("main", "")[0]) }
	small := words(reported(t, "--max-size", "100kB", sample("rxe-acl")))
	for _, want := range []string{"The findings did not fit", "The connections did not fit", "The list has none of the 1859 RPCs", "1 warning, with what it explains, did not fit"} {
		if !strings.Contains(small, want) {
			t.Errorf("of what had no room it does not say %q", want)
		}
	}
	for _, never := range []string{"Nothing wrong was found", "No connection was found"} {
		if strings.Contains(small, never) {
			t.Errorf("of what had no room it says %q", never)
		}
	}
	for _, size := range []string{"100kB", "300kB"} {
		p := reported(t, "--max-size", size, sample("rxe-acl"))
		ids := make(map[string]bool)
		for n := range p.Root.Descendants() {
			ids["#"+blocks.Attr(n, "id")] = true
		}
		for _, a := range p.Find("a", "") {
			if to := blocks.Attr(a, "href"); strings.HasPrefix(to, "#finding-") && !ids[to] {
				t.Errorf("of %s a link leads to %s, which is not there", size, to)
			}
		}
	}
	if some := words(reported(t, "--rules", "V2", sample("rxe-acl"))); !strings.Contains(some, "The selected rules found nothing wrong.") {
		t.Error("it does not say that only some rules were asked")
	}
	if none := words(reported(t, sample("rxe-perftest"))); strings.Contains(none, "The selected rules") {
		t.Error("it says that rules were chosen")
	}
}

// TestReportVersion2 holds that what the ends of a connection of version 2 announced are
// facts of their own, and that the sizes of version 1 are not said to hold there.
func TestReportVersion2(t *testing.T) {
	for name, version2 := range map[string]bool{"version2-roce": true, "fallback-roce": false} {
		p := reported(t, sample(name))
		c := blocks.Text(p.Find("section", "connection")[0])
		if strings.Contains(c, `\n`) {
			t.Errorf("%s: it has lines in a line", name)
		}
		if strings.Contains(blocks.Text(p.Find("section", "")[1]), "1 bytes") {
			t.Errorf("%s: it says 1 bytes", name)
		}
		for _, want := range []string{"Announced by the client", "Announced by the server"} {
			if strings.Contains(c, want) != version2 {
				t.Errorf("%s: whether it says %q is wrong", name, want)
			}
		}
		if !strings.Contains(c, "RPC-over-RDMA version 2 tried") {
			t.Errorf("%s: it does not say how the version was agreed on", name)
		}
		if version2 && strings.Contains(c, "1024 by default") {
			t.Errorf("%s: it says that 1024 bytes are the default", name)
		}
	}
}
