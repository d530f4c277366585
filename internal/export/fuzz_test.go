package export_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"unicode"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// moving are frames of READ and WRITE of three versions of NFS, inline and by chunks.
func moving(over func() *build.Conversation) (list []capture.Frame) {
	c := over()
	c.Connect()
	call, reply := lookup3(1, "dir", "notes", string(fh))
	c.Reply(c.Call(call), reply)
	long := bytes.Repeat([]byte("0123456789abcdef"), 300)
	c.Reply(c.Call(build.NFS3Write(2, fh, 4096, long)), build.NFS3WriteReply(2, uint32(len(long))))
	c.Reply(c.Call(build.NFS3Read(3, fh, 0, uint32(len(long)))), build.NFS3ReadReply(3, long))
	c.Reply(c.Call(build.NFS3Write(4, fh, 8, []byte("short"))), build.NFS3WriteReply(4, 5))
	call, reply = compound(5, putFH("four"), write4(100, "of version 4", 12), read4(0, "more of it"))
	c.Reply(c.Call(call), reply)
	call, reply = compound(6, root, open4("a name"), getFH("four"), read4(40, "and more"))
	c.Reply(c.Call(call), reply)
	c.Disconnect()
	for i, f := range c.Frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

// objectName is what objects may be called.
var objectName = regexp.MustCompile(`^\d{4,}(-[A-Za-z0-9._-]{1,64})?\.(read|write)$`)

// FuzzObjects exports what captures moved that strangers changed. All files stay in the folder,
// each is as the manifest says, and there is no more data in them than in the capture.
func FuzzObjects(f *testing.F) {
	sample := ruletest.Sample(f, "../../samples/rxe-cb.pcap.zst")
	captures := [][]capture.Frame{
		moving(func() *build.Conversation { return build.NewConversation(build.Setup{}) }),
		sample[:min(len(sample), 250)],
	}
	for i := range captures {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), damage.Lose(12))
		f.Add(byte(i), damage.Change(16, 130, 3))
		f.Add(byte(i), damage.Cut(14, 120))
	}
	f.Fuzz(func(t *testing.T, which byte, edits []byte) {
		if len(edits) > 512 {
			return
		}
		list := damage.Edit(captures[int(which)%len(captures)], edits)
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		var table bytes.Buffer
		x, d := sink(t, dir, &table)
		captured := int64(0)
		for i := range list {
			captured += int64(len(list[i].Data))
			d.Frame(&list[i])
		}
		d.Flush()
		if err := x.Finish(d.Summary(), 0); err != nil {
			t.Fatal(err)
		}
		x.Close()
		if i := bytes.IndexFunc(table.Bytes(), func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
			t.Errorf("a control character at %d of %q", i, table.Bytes())
		}
		if beside, err := os.ReadDir(parent); err != nil || len(beside) > 1 {
			t.Errorf("%d files beside the folder, %v", len(beside), err)
		}
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		file := filepath.Join(parent, "table")
		if err := os.WriteFile(file, table.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out := open(t, dir, file)
		data := int64(0)
		for i := range out.objects {
			data += out.asSaid(t, &out.objects[i])
		}
		if data > captured {
			t.Errorf("%d bytes of data were exported from a capture of %d", data, captured)
		}
	})
}

// asSaid holds an object's file against its entry, and returns how many bytes of it are neither
// missing nor zero.
func (x *exported) asSaid(t *testing.T, o *object) (data int64) {
	t.Helper()
	if !objectName.MatchString(o.File) {
		t.Fatalf("an object is called %q", o.File)
	}
	info, err := os.Lstat(filepath.Join(x.dir, o.File))
	if err != nil || !info.Mode().IsRegular() || info.Size() != o.Size {
		t.Fatalf("%s: %v, %d bytes, want %d", o.File, err, info.Size(), o.Size)
	}
	end, missing := int64(-1), int64(0)
	for _, g := range o.Missing {
		if g.Offset <= end || g.Length < 1 || g.Offset+g.Length > o.Size {
			t.Errorf("%s, of %d bytes, misses %v", o.File, o.Size, o.Missing)
		}
		end = g.Offset + g.Length
		missing += g.Length
	}
	if o.Lost < 0 || o.Lost > missing {
		t.Errorf("%s lost %d bytes of %d that are missing", o.File, o.Lost, missing)
	}
	const most = 1 << 20 // a single WRITE makes a file of terabytes
	if o.Size > most {
		return 0
	}
	content := x.bytes(t, o)
	sum := sha256.Sum256(content)
	if o.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%s has the sum %x, and the manifest says %s", o.File, sum, o.SHA256)
	}
	for _, g := range o.Missing {
		if len(bytes.Trim(content[g.Offset:g.Offset+g.Length], "\x00")) > 0 {
			t.Errorf("%s: something stands in what is missing, %v", o.File, g)
		}
	}
	for _, b := range content {
		if b != 0 {
			data++
		}
	}
	return data
}
