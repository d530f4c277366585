package keep

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
)

// start is when the tests' frames begin.
const start = 1_700_000_000_000_000_000

// frame is the n-th of a source, of some bytes, at a time after start.
func frame(n uint32, size int, after time.Duration) capture.Frame {
	data := make([]byte, max(4, size))
	binary.BigEndian.PutUint32(data, n)
	return capture.Frame{Data: data, Time: start + int64(after), Number: int64(n) + 1, Length: int32(len(data)) + 10, Link: link.TypeEthernet}
}

// A list is a source of frames.
type list struct{ frames []capture.Frame }

func (l *list) Next(f *capture.Frame) error {
	if len(l.frames) == 0 {
		return io.EOF
	}
	*f, l.frames = l.frames[0], l.frames[1:]
	return nil
}

// give has a Recorder keep frames.
func give(t *testing.T, r *Recorder, frames ...capture.Frame) {
	t.Helper()
	s := r.Source(&list{frames})
	var f capture.Frame
	for range frames {
		if err := s.Next(&f); err != nil {
			t.Fatal(err)
		}
	}
}

// told is what a Recorder said.
type told struct {
	guard sync.Mutex
	lines []string
}

func (x *told) tell(line string, urgent bool) {
	x.guard.Lock()
	defer x.guard.Unlock()
	if urgent {
		line = "! " + line
	}
	x.lines = append(x.lines, line)
}

// with are the lines that have a word.
func (x *told) with(word string) (list []string) {
	x.guard.Lock()
	defer x.guard.Unlock()
	for _, line := range x.lines {
		if strings.Contains(line, word) {
			list = append(list, line)
		}
	}
	return list
}

// wait waits until a line has a word.
func (x *told) wait(t *testing.T, word string) {
	t.Helper()
	for range 2000 {
		if len(x.with(word)) > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("nobody said %q, but %q", word, x.lines)
}

func open(t *testing.T, o Options) (*Recorder, *told) {
	t.Helper()
	said := new(told)
	o.Notify = said.tell
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return r, said
}

// inDir are the names in a folder.
func inDir(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// kept is a frame as it is in a file.
type kept struct {
	n       uint32
	dropped bool
	capture.Frame
}

// read reads files, which must be whole.
func read(t *testing.T, paths ...string) (frames []kept) {
	t.Helper()
	for _, path := range paths {
		f, err := capture.Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		for {
			var x capture.Frame
			err := f.Next(&x)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			x.Data = slices.Clone(x.Data)
			frames = append(frames, kept{binary.BigEndian.Uint32(x.Data), x.Dropped(), x})
		}
		f.Close()
	}
	return frames
}

// wholeFrames is how many frames are in a file that may just be written: it may be empty still, or
// end in the middle of a record.
func wholeFrames(path string) (n int) {
	f, err := capture.Open(path, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	for x := (capture.Frame{}); f.Next(&x) == nil; {
		n++
	}
	return n
}

// ringFiles are the files of a ring, the oldest first.
func ringFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "rdmacap-*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

// inOrder holds that frames are those from one number on, up to another.
func inOrder(t *testing.T, frames []kept, from, to uint32) {
	t.Helper()
	if len(frames) != int(to-from) {
		t.Errorf("%d frames, want those from %d up to %d", len(frames), from, to)
	}
	for i, f := range frames {
		if f.n != from+uint32(i) {
			t.Fatalf("frame %d where %d should be", f.n, from+uint32(i))
		}
	}
}

// watchedFile reports each write.
type watchedFile struct {
	file
	write func(f file, b []byte) (int, error)
}

func (w *watchedFile) Write(b []byte) (int, error) { return w.write(w.file, b) }

// creating makes files that report each write.
func creating(write func(f file, b []byte) (int, error)) func(path string) (file, error) {
	return func(path string) (file, error) {
		f, err := new(Options).newFile(path)
		if err != nil {
			return nil, err
		}
		return &watchedFile{f, write}, nil
	}
}

// TestRingLimits holds the limits of a ring at each write, with files of earlier runs, and
// that the newest frames are all there.
func TestRingLimits(t *testing.T) {
	dir := t.TempDir()
	limits := Limits{Size: 120_000, Age: time.Hour, Count: 5}
	for name, size := range map[string]int{
		"rdmacap-000007-20231114T221320Z.pcapng":      90_000,
		"rdmacap-000008-20231114T221321Z.pcapng.part": 400_000,
		"rdmacap-000009-20231114T221322Z.pcapng":      10,
		"other.pcapng":                                1_000_000,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writes, most := 0, int64(0)
	var look func()
	look = func() {
		var size int64
		files := ringFiles(t, dir)
		for _, path := range files {
			info, err := os.Stat(path)
			whole, is := strings.CutSuffix(path, marked)
			if is && (errors.Is(err, fs.ErrNotExist) || slices.Contains(files, whole)) {
				look() // it just got its name
				return
			}
			if err != nil {
				t.Error(err)
				continue
			}
			size += info.Size()
		}
		if size > limits.Bytes() || len(files) > limits.Count {
			t.Errorf("%d bytes in %d files", size, len(files))
		}
		most = max(most, size)
	}
	r, said := open(t, Options{Dir: dir, Ring: &limits, Wait: true, create: creating(func(f file, b []byte) (int, error) {
		n, err := f.Write(b)
		writes++
		look()
		return n, err
	})})
	const frames = 8000
	random := rand.New(rand.NewPCG(1, 2))
	for n := range uint32(frames) {
		give(t, r, frame(n, 20+random.IntN(500), time.Duration(n)*time.Millisecond))
	}
	r.Close()
	look()
	files := ringFiles(t, dir)
	t.Logf("%d writes, %d bytes at most, %d files at the end", writes, most, len(files))
	if most < limits.Bytes()*3/4 {
		t.Errorf("of %d bytes only %d were used", limits.Bytes(), most)
	}
	got := read(t, files...)
	inOrder(t, got, got[0].n, frames)
	if f := got[len(got)-1]; f.Time != start+int64(frames-1)*1e6 || int(f.Length) != len(f.Data)+10 || f.Dropped() || f.Link != link.TypeEthernet {
		t.Errorf("the last frame: %+v", f)
	}
	if !slices.Contains(inDir(t, dir), "other.pcapng") {
		t.Error("a file of somebody else was deleted")
	}
	if len(said.with("is incomplete")) != 1 || len(said.with("3 files of earlier runs, 490.0 kB, counted")) != 1 || len(said.with("8000 frames written")) != 1 {
		t.Errorf("said: %q", said.lines)
	}
	if filepath.Base(files[0]) < "rdmacap-000010" {
		t.Errorf("the oldest is %s", files[0])
	}
}

// TestRingOfNothing: where nothing was captured nothing is written.
func TestRingOfNothing(t *testing.T) {
	dir := t.TempDir()
	r, said := open(t, Options{Dir: dir, Ring: &Limits{1e6, time.Hour, 2}})
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.HasSuffix(err.Error(), ": another rdmacap writes there") {
		t.Errorf("a second one: %v", err)
	}
	r.Reopen()
	r.Close()
	if names := inDir(t, dir); len(names) > 0 || len(said.lines) > 0 {
		t.Errorf("%q, said: %q", names, said.lines)
	}
	if r, err := Open(Options{Dir: dir}); err != nil {
		t.Error("after it was closed: ", err)
	} else {
		r.Close()
	}
}

// TestAgeAndReopen: a file ends after its time, and when it is asked for.
func TestAgeAndReopen(t *testing.T) {
	dir := t.TempDir()
	whole := func(n int) {
		t.Helper()
		for range 2000 {
			if list, _ := filepath.Glob(filepath.Join(dir, "*.pcapng")); len(list) == n {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("there are not %d whole files: %q", n, inDir(t, dir))
	}
	r, _ := open(t, Options{Dir: dir, Ring: &Limits{1e6, 20 * time.Millisecond, 10}})
	give(t, r, frame(0, 100, 0))
	whole(1)
	give(t, r, frame(1, 100, 0), frame(2, 100, 0))
	whole(2)
	r.Close()
	r, _ = open(t, Options{Dir: dir, Ring: &Limits{1e6, time.Hour, 10}})
	give(t, r, frame(3, 100, 0))
	r.Reopen()
	whole(3)
	give(t, r, frame(4, 100, 0))
	r.Close()
	if names := inDir(t, dir); len(names) != 4 {
		t.Errorf("%q", names)
	}
	inOrder(t, read(t, ringFiles(t, dir)...), 0, 5)
}

// TestUnfinishedFileIsUpToDate: what is captured is soon in the file, which is marked.
func TestUnfinishedFileIsUpToDate(t *testing.T) {
	r, _ := open(t, Options{Ring: &Limits{1e6, time.Hour, 10}})
	defer r.Close()
	give(t, r, frame(0, 100, 0), frame(1, 100, 0))
	for range 1000 {
		if files := ringFiles(t, r.opts.Dir); len(files) == 1 && wholeFrames(files[0]) == 2 {
			if !strings.HasSuffix(files[0], ".pcapng.part") {
				t.Errorf("it is called %s", files[0])
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("it is not written")
}

// TestSlowDisk: a reader that may not wait loses frames, which are counted where they are
// missing; one that may loses none.
func TestSlowDisk(t *testing.T) {
	for _, wait := range []bool{false, true} {
		dir := t.TempDir()
		stuck := make(chan struct{})
		r, said := open(t, Options{Dir: dir, Wait: wait, Ring: &Limits{1e9, time.Hour, 2}, create: creating(func(f file, b []byte) (int, error) {
			<-stuck
			return f.Write(b)
		})})
		const frames, size = 45_000, 1000 // more than may be underway
		if wait {
			time.AfterFunc(200*time.Millisecond, func() { close(stuck) })
		}
		big := frame(0, size, 0)
		for n := range uint32(frames) {
			binary.BigEndian.PutUint32(big.Data, n)
			give(t, r, big)
		}
		if !wait {
			close(stuck)
			for room := false; !room; time.Sleep(time.Millisecond) {
				r.guard.Lock()
				room = len(r.full) == 0 && !r.busy
				r.guard.Unlock()
			}
			give(t, r, frame(frames, size, 0))
		}
		r.Close()
		got := read(t, ringFiles(t, dir)...)
		if wait {
			inOrder(t, got, 0, frames)
			continue
		}
		last := got[len(got)-1]
		missing := frames + 1 - len(got)
		want := fmt.Sprintf("rdmacap: before this frame %d frames were captured and not written: the disk did not keep up", missing)
		if missing < frames/4 || last.n != frames || !last.dropped || last.Comments()[0] != want {
			t.Errorf("%d are missing; the last is %d, %q", missing, last.n, last.Comments())
		}
		inOrder(t, got[:len(got)-1], 0, uint32(len(got)-1))
		if lines := said.with("! "); len(lines) != 1 || !strings.HasSuffix(lines[0], fmt.Sprintf(": %d frames were not written", missing)) {
			t.Errorf("said: %q", lines)
		}
	}
}

// full is a disk that has no room at times.
type fullDisk struct {
	guard sync.Mutex
	room  int // bytes
}

func (d *fullDisk) write(f file, b []byte) (int, error) {
	d.guard.Lock()
	defer d.guard.Unlock()
	if len(b) > d.room {
		n, _ := f.Write(b[:d.room])
		d.room = 0
		return n, &os.PathError{Op: "write", Path: "x", Err: errors.New("no space left on device")}
	}
	d.room -= len(b)
	return f.Write(b)
}

func (d *fullDisk) set(room int) {
	d.guard.Lock()
	defer d.guard.Unlock()
	d.room = room
}

// TestDiskFull: it is reported once, frames are counted, and writing resumes when there is
// room; the file is whole at any time.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	disk := &fullDisk{room: 30_000}
	var later atomic.Int64 // than now, in nanoseconds
	clock := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	r, said := open(t, Options{Dir: dir, Wait: true, Ring: &Limits{1e6, time.Hour, 10}, create: creating(disk.write), clock: clock})
	n := uint32(0)
	send := func(frames int) {
		for range frames {
			// Each a chunk.
			give(t, r, frame(n, 400, time.Duration(n)*2*time.Second))
			n++
		}
	}
	send(200)
	said.wait(t, "no space left on device")
	before := len(read(t, ringFiles(t, dir)...))
	if before == 0 || before > 75 {
		t.Errorf("%d frames fit", before)
	}
	send(10)
	disk.set(1 << 30)
	later.Store(int64(time.Hour))
	send(100)
	said.wait(t, "writing resumes")
	r.Close()
	got := read(t, ringFiles(t, dir)...)
	inOrder(t, got[:before], 0, uint32(before))
	first := got[before]
	inOrder(t, got[before:], first.n, n)
	missing := int(first.n) - before
	want := fmt.Sprintf("rdmacap: before this frame %d frames were captured and not written: no space left on device", missing)
	if c := first.Comments(); len(c) != 1 || c[0] != want || !first.dropped {
		t.Errorf("%q", c)
	}
	if a, b, c := said.with("no space left"), said.with("writing resumes"), said.with(fmt.Sprintf("%d frames were not written", missing)); len(a) != 1 || len(b) != 1 || len(c) != 2 {
		t.Errorf("said: %q", said.lines)
	}
	if names := inDir(t, dir); len(names) != 1 {
		t.Errorf("%q", names)
	}
}

// TestUnwritableDir: what cannot be written to is reported before anything is captured.
func TestUnwritableDir(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{path: "is not a directory", filepath.Join(dir, "none", "such"): "cannot be made: no such file or directory"} {
		if _, err := Open(Options{Dir: name, Ring: &Limits{1e6, time.Hour, 2}}); err == nil || err.Error() != name+": "+want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if os.Getuid() == 0 {
		t.Log("root may write into a folder without rights: that is not tried")
		return
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "nothing can be written there") {
		t.Error(err)
	}
}

// TestWhatFramesHave: interfaces, comments, and drops with their counts.
func TestWhatFramesHave(t *testing.T) {
	dir := t.TempDir()
	var ring int64
	r, _ := open(t, Options{
		Dir: dir, Ring: &Limits{1e6, time.Hour, 2}, Program: "tests",
		Describe: func(f *capture.Frame) (string, string) { return fmt.Sprintf("port%d", f.File), "" },
		Drops:    func(file int) (int64, int64) { return 5, ring * int64(file) },
	})
	mark := &capture.Extra{Dropped: true}
	a, b, c, d := frame(0, 50, 0), frame(1, 50, 1), frame(2, 51, 2), frame(3, 52, 3)
	a.Extra = &capture.Extra{Comments: []string{"one", "two"}}
	b.File, b.Extra = 1, mark
	c.File, c.Extra = 1, mark
	d.Interface, d.Link = 7, link.TypeRaw
	ring = 17
	give(t, r, a, b, c, d)
	r.Close()
	got := read(t, ringFiles(t, dir)...)
	inOrder(t, got, 0, 4)
	if x := got[0]; !slices.Equal(x.Comments(), a.Comments()) || x.dropped || x.Interface != 0 {
		t.Errorf("%+v", x)
	}
	if x := got[1]; x.Comments() != nil || !x.dropped || x.Interface != 1 {
		t.Errorf("%+v", x)
	}
	if x := got[2]; !slices.Equal(x.Comments(), []string{capture.DropComment}) || !x.dropped || x.Interface != 1 {
		t.Errorf("%+v", x)
	}
	if x := got[3]; x.Extra != nil || x.Interface != 2 || x.Link != link.TypeRaw {
		t.Errorf("%+v", x)
	}
	data, err := os.ReadFile(ringFiles(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x04\x00\x08\x00\x11\x00", "port0", "port1", "tests"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the file has no %q", want)
		}
	}
}

// TestFramesAllocateNothing keeps frames in a ring and in memory.
func TestFramesAllocateNothing(t *testing.T) {
	r, _ := open(t, Options{
		Ring:     &Limits{1e9, time.Hour, 2},
		Evidence: &Evidence{Around: Around{time.Second, time.Second, 1 << 24}, Count: 1}, Wait: true,
	})
	defer r.Close()
	f := frame(0, 1000, 0)
	for range 10_000 {
		r.addFrame(&f)
	}
	const frames = 1000
	per := testing.AllocsPerRun(20, func() {
		for range frames {
			r.addFrame(&f)
		}
	}) / frames
	t.Logf("%.3f allocations for a frame", per)
	if per > 0.02 { // for each chunk
		t.Errorf("%v allocations for a frame", per)
	}
}

func TestParseLimits(t *testing.T) {
	std := Limits{64e6, time.Hour, 100}
	for s, want := range map[string]Limits{
		"64MB,1h,100": std, "1GiB": {1 << 30, time.Hour, 100}, "5": {64e6, time.Hour, 5}, "30m, 1MB": {1e6, 30 * time.Minute, 100},
	} {
		if got, err := std.ParseLimits(s); err != nil || got != want {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{"1": "must be from 2 to", "10kB": "from 100kB", "1ms": "less than a second", "x": "as in 64MB,1h,100", "": "as in"} {
		if _, err := std.ParseLimits(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestParseAround(t *testing.T) {
	std := Around{10 * time.Second, 5 * time.Second, 32 << 20}
	for s, want := range map[string]Around{
		"10s,5s,32MiB": std, "1m": {time.Minute, 5 * time.Second, 32 << 20}, "0s,0s": {0, 0, 32 << 20},
	} {
		if got, err := std.ParseAround(s); err != nil || got != want {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{"x": "as 10s", "2h": "of up to 1h", "1s,1s,1kB": "from 1MiB", "1s,1s,1MiB,1": "as in 10s,5s,32MiB", "1s,1s,x": "bytes"} {
		if _, err := std.ParseAround(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// TestReadAfterClose: a reader that is a frame after does no harm.
func TestReadAfterClose(t *testing.T) {
	r, _ := open(t, Options{Ring: &Limits{1e6, time.Hour, 2}})
	give(t, r, frame(0, 100, 0))
	r.Close()
	give(t, r, frame(1, 100, 0))
	inOrder(t, read(t, ringFiles(t, r.opts.Dir)...), 0, 1)
}
