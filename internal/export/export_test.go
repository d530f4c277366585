package export_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/export"
)

// An exported is what is in the folder in the end.
type exported struct {
	dir     string
	objects []object
	table   string
}

// An object is an entry of the manifest, as its readers know it.
type object struct {
	File       string
	Handle     string
	Name       string
	Connection int
	Direction  string
	Size       int64
	Missing    []gap
	Lost       int64
	SHA256     string
}

type gap struct{ Offset, Length int64 }

// sink makes an Objects that writes into a new folder, and a Dissector for it.
func sink(t *testing.T, dir string, table io.Writer) (*export.Objects, *dissect.Dissector) {
	t.Helper()
	bindings, err := export.Bindings()
	if err != nil {
		t.Fatal(err)
	}
	x, err := export.New(dir, table, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x, dissect.New(x, dissect.Options{Bindings: bindings, Data: x})
}

// exportFrames exports what a built conversation moved.
func exportFrames(t *testing.T, frames build.Frames) *exported {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	table, err := os.Create(filepath.Join(t.TempDir(), "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	x, d := sink(t, dir, table)
	feed(d, frames)
	if err := x.Finish(d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, table.Name())
}

// feed dissects a built conversation.
func feed(d *dissect.Dissector, frames build.Frames) {
	for i, f := range frames {
		d.Frame(&capture.Frame{
			Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length),
		})
	}
	d.Flush()
}

// open reads the manifest, and holds that there is no file that it does not name.
func open(t *testing.T, dir, table string) *exported {
	t.Helper()
	x := &exported{dir: dir}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	x.table = string(text)
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(manifest, &x.objects); err != nil {
		t.Fatalf("%v in %s", err, manifest)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(x.objects)+1 {
		t.Errorf("%d files, want %d objects and the manifest", len(entries), len(x.objects))
	}
	return x
}

// bytes are those of an object's file.
func (x *exported) bytes(t *testing.T, o *object) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(x.dir, o.File))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// only is the only object; there is no other.
func (x *exported) only(t *testing.T) *object {
	t.Helper()
	if len(x.objects) != 1 {
		t.Fatalf("%d objects, want one: %+v", len(x.objects), x.objects)
	}
	return &x.objects[0]
}

// holds checks an object's bytes and gaps.
func (x *exported) holds(t *testing.T, o *object, data string, missing ...gap) {
	t.Helper()
	if got := string(x.bytes(t, o)); got != data {
		t.Errorf("%s holds %.80q (%d bytes), want %.80q (%d bytes)", o.File, got, len(got), data, len(data))
	}
	if len(missing) == 0 {
		missing = []gap{}
	}
	if !reflect.DeepEqual(o.Missing, missing) {
		t.Errorf("%s misses %v, want %v", o.File, o.Missing, missing)
	}
}
