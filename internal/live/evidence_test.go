package live

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// sample is the path of a capture that ships.
func sample(name string) string { return "../../samples/" + name + ".pcap.zst" }

// bindings are those of NFS, which report what the rules read.
func bindings(list []*rules.Rule) (*dissect.Bindings, error) {
	b, err := dissect.NewBindings()
	if err != nil {
		return nil, err
	}
	return b, b.AskKnown(rules.Fields(list)...)
}

// TestEvidenceOfAPart: where the frames around a finding do not show it, the live finding stands
// on its frame, and the page says so.
func TestEvidenceOfAPart(t *testing.T) {
	const frame = 100
	data := shipped.Whole(t, "version2-roce")
	end := 24
	var record []byte
	for range frame {
		n := 16 + int(data[end+8]) + int(data[end+9])<<8
		record, end = data[end:end+n], end+n
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "frames.pcap")
	if err := os.WriteFile(path, slices.Concat(data[:24], record), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := capture.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var x capture.Frame
	if err := f.Next(&x); err != nil {
		t.Fatal(err)
	}
	list := catalogue.All()
	e := Evidence{
		Check: check.Options{Rules: list, Config: rules.DefaultConfig()}, Names: []string{"mirror0"},
		Bindings: func() (*dissect.Bindings, error) { return bindings(list) }, Made: func() time.Time { return time.Unix(1_000_000_000, 0) },
	}
	if e.Check.Selection, err = finding.Select(rules.Texts(list), ""); err != nil {
		t.Fatal(err)
	}
	if err := e.Make(&keep.Clip{
		Dir: dir, Name: "it", Capture: path, Missing: []string{"the rest is missing"}, Frames: 1,
		Triggers: []keep.Trigger{{Rule: "DDP-001", Severity: "error", Message: "it is wrong", Connection: 7, Frame: 4711, Time: x.Time}},
	}); err != nil {
		t.Fatal(err)
	}
	annotated, err := capture.Open(filepath.Join(dir, "it.pcapng"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer annotated.Close()
	want := "DDP-001 error: it is wrong; found by rdmacap live in frame 4711 of mirror0 on connection 7 at 20"
	if err := annotated.Next(&x); err != nil || len(x.Comments()) != 1 || !strings.HasPrefix(x.Comments()[0], want) {
		t.Errorf("%v: %q", err, x.Comments())
	}
	page, err := os.ReadFile(filepath.Join(dir, "it.html"))
	if err != nil || !strings.Contains(string(page), "these frames do not show everything that led to the finding of rdmacap live: "+want) ||
		!strings.Contains(string(page), "2001-09-09T01:46:40Z") || !strings.Contains(string(page), "Not everything could be read: the rest is missing.") {
		t.Errorf("%v: a page of %d bytes does not say so", err, len(page))
	}
}
