package export_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/export"
)

// TestHostileNames holds that no name leads out of the folder, replaces another
// object, or means anything to a shell; and that the manifest has it all the same.
func TestHostileNames(t *testing.T) {
	names := []string{
		"../../etc/passwd", "/absolute", "..", ".", "", "-rf", "manifest.json", "a\x00b", "a\nb", "\x1b[31mred",
		"$(reboot)", "same", "same", strings.Repeat("long", 64), "\xff\xfe", "naïve", "a b;c|d",
	}
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for i, name := range names {
		xid, handle := uint32(2*i+1), fmt.Sprintf("handle %d", i)
		call, reply := lookup3(xid, "dir", name, handle)
		c.Reply(c.Call(call), reply)
		c.Reply(c.Call(build.NFS3Read(xid+1, []byte(handle), 0, 10)), build.NFS3ReadReply(xid+1, []byte(name+"!")))
	}
	c.Disconnect()
	x := exportFrames(t, c.Frames)
	if len(x.objects) != len(names) {
		t.Fatalf("%d objects, want %d", len(x.objects), len(names))
	}
	plain := regexp.MustCompile(`^\d{4}(-[A-Za-z0-9._-]{1,64})?\.read$`)
	seen := map[string]bool{}
	for i := range x.objects {
		o := &x.objects[i]
		if !plain.MatchString(o.File) || seen[o.File] {
			t.Errorf("%q became %q", names[i], o.File)
		}
		seen[o.File] = true
		x.holds(t, o, names[i]+"!")
		want := strings.ToValidUTF8(names[i], "\ufffd\ufffd")
		if names[i] == "." || names[i] == ".." {
			want = "" // these are not the file's name
		}
		if o.Name != want {
			t.Errorf("the name %q is %q in the manifest", names[i], o.Name)
		}
	}
	for _, r := range x.table {
		if r != '\n' && (r < ' ' || r == 0x7f) {
			t.Errorf("the table has the character %U", r)
		}
	}
}

// TestHostileHandles holds that handles are told apart by server, and that there
// may be more objects than files can be open.
func TestHostileHandles(t *testing.T) {
	const files = 150
	c := build.NewConversation(build.Setup{})
	c.Connect()
	xid := uint32(0)
	for round := range 2 {
		for i := range files {
			xid++
			handle, data := fmt.Appendf(nil, "handle %d", i), fmt.Appendf(nil, "%04d", i)
			c.Reply(c.Call(build.NFS3Write(xid, handle, uint64(round*4), data)), build.NFS3WriteReply(xid, 4))
		}
	}
	c.Disconnect()
	other := build.NewConversation(build.Setup{
		Server: build.Host{Addr: build.ClientIPv4.Next().Next().Next(), QPN: 0x77}, Client: build.Host{QPN: 0x78, Port: 0x999},
	})
	other.Connect()
	other.Reply(other.Call(build.NFS3Write(1, []byte("handle 0"), 0, []byte("other"))), build.NFS3WriteReply(1, 5))
	other.Disconnect()
	x := exportFrames(t, c.Frames.And(other.Frames))
	if len(x.objects) != files+1 {
		t.Fatalf("%d objects, want %d", len(x.objects), files+1)
	}
	for i := range files {
		x.holds(t, &x.objects[i], fmt.Sprintf("%04d%04d", i, i))
	}
	x.holds(t, &x.objects[files], "other")
	if c := x.objects[files].Connection; c != 2 {
		t.Errorf("the other server's is of connection %d", c)
	}
}

// TestFolder holds that nothing is ever overwritten: the folder is new or empty.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	x, err := export.New(dir, io.Discard, export.Options{})
	if err != nil {
		t.Fatalf("an empty folder: %v", err)
	}
	x.Close()
	deep := filepath.Join(dir, "a", "b")
	if x, err = export.New(deep, io.Discard, export.Options{}); err != nil {
		t.Fatalf("a new folder: %v", err)
	}
	x.Close()
	if _, err := os.Stat(deep); !os.IsNotExist(err) {
		t.Error("a folder was made for nothing, and left there")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, file} {
		if _, err := export.New(path, io.Discard, export.Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "precious" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// TestFolderGone holds that an error with a file ends the export: it is told, and
// there is no manifest that would say that all is well.
func TestFolderGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	x, d := sink(t, dir, io.Discard)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	c := build.NewConversation(build.Setup{})
	c.Connect()
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 10)), build.NFS3ReadReply(1, []byte("data")))
	c.Reply(c.Call(build.NFS3Read(2, fh, 4, 10)), build.NFS3ReadReply(2, []byte("more")))
	c.Disconnect()
	feed(d, c.Frames)
	err := x.Finish(d.Summary(), 0)
	if err == nil || x.Err() != err || !strings.Contains(err.Error(), "0001.read") {
		t.Errorf("Finish: %v, Err: %v", err, x.Err())
	}
}
