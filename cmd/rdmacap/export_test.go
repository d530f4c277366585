package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestExportObjects holds the command's output, its manifest against the
// contract, and that a second run into the same folder is refused.
func TestExportObjects(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	out := must(t, "export", "objects", sample("rxe-ipv6"), "-o", dir)
	want := `    size  missing  lost  direction      handle  file
       6        0     0       read  0x5be978fb  0001-small.read
       6        0     0      write  0x5be978fb  0001-small.write
    3000        0     0       read  0x6c7f193a  0002-mid.read
    3000        0     0      write  0x6c7f193a  0002-mid.write
  300001        0     0       read  0x7aa5426a  0003-big.read
  300001        0     0      write  0x7aa5426a  0003-big.write
6 objects
`
	if out != want {
		t.Errorf("the table is\n%s\nwant\n%s", out, want)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []map[string]any
	if err := json.Unmarshal(manifest, &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var members []string
		for name := range e {
			members = append(members, name)
		}
		slices.Sort(members)
		if !reflect.DeepEqual(members, []string{"connection", "direction", "file", "handle", "lost", "missing", "name", "sha256", "size"}) {
			t.Errorf("an entry has %v", members)
		}
		if info, err := os.Stat(filepath.Join(dir, e["file"].(string))); err != nil || float64(info.Size()) != e["size"] {
			t.Errorf("%v: %v, %v", e, info, err)
		}
	}
	if len(entries) != 6 {
		t.Errorf("%d entries", len(entries))
	}
	again := rdmacap("export", "objects", sample("rxe-ipv6"), "-o", dir)
	if again.status != exitUnusable || again.out != "" || again.err != "rdmacap: "+dir+" is not empty: objects need a new or empty directory\n" {
		t.Errorf("a second time: %+v", again)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "manifest.json")); err != nil || string(after) != string(manifest) {
		t.Error("a second time changed the manifest")
	}
}

// TestExportQuiet holds that -q leaves standard output empty, and that a capture
// without RPCs gives an empty manifest.
func TestExportQuiet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if out := must(t, "export", "objects", "-q", "-o", dir, sample("rxe-perftest")); out != "" {
		t.Errorf("standard output: %q", out)
	}
	if manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json")); err != nil || string(manifest) != "[\n]\n" {
		t.Errorf("the manifest is %q, %v", manifest, err)
	}
}

// TestExportMisuse holds what is reported of command lines that cannot be used, and
// that no folder is left behind then.
func TestExportMisuse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct{ line, says string }{
		{"export objects -o " + dir, "rdmacap: objects needs a capture file, or - for standard input"},
		{"export objects " + sample("rxe-cb"), "rdmacap: objects needs -o DIR, a directory to write to"},
		{"export pictures", `rdmacap: unknown command "pictures"; it is objects, parquet`},
		{"export objects none.pcap -o " + dir, "rdmacap: none.pcap: cannot be opened"},
		{"export objects " + sample("rxe-cb") + " -o " + filepath.Join(sample("rxe-cb"), "x"), "rdmacap: "},
	} {
		r := rdmacap(strings.Fields(c.line)...)
		if r.status != exitUnusable || r.out != "" || !strings.HasPrefix(r.err, c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", c.line, r, c.says)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Fatalf("%s: the folder is there", c.line)
		}
	}
}

// TestExportCutCapture holds that a capture which ends amid a record is exported
// as far as it goes.
func TestExportCutCapture(t *testing.T) {
	whole := unpacked(t, "rxe-ipv6")
	path := write(t, "cut.pcap", whole[:len(whole)/2])
	dir := filepath.Join(t.TempDir(), "out")
	r := rdmacap("export", "objects", path, "-o", dir)
	if r.status != exitDone || !strings.Contains(r.err, "rdmacap: warning: ") || !strings.Contains(r.out, "0001-small.write") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err != nil {
		t.Error(err)
	}
}
