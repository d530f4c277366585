package follow_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/follow"
)

var errStopped = errors.New("stopped")

// header is that of a pcap file, and record one of its records, which says a number.
var header = []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00")

func record(number int) []byte {
	var b []byte
	for _, n := range []uint32{uint32(number), 0, 4, 4, uint32(number)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func records(from, to int) (b []byte) {
	for n := from; n < to; n++ {
		b = append(b, record(n)...)
	}
	return b
}

// add appends to a file, and makes it if there is none.
func add(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Error(err)
	}
}

// A reading is what a source gives, in another goroutine.
type reading struct {
	frames chan capture.Frame
	err    chan error
}

func read(s capture.Source) reading {
	r := reading{make(chan capture.Frame, 10_000), make(chan error, 1)}
	go func() {
		for {
			var f capture.Frame
			if err := s.Next(&f); err != nil {
				r.err <- err
				return
			}
			f.Data = bytes.Clone(f.Data)
			r.frames <- f
		}
	}()
	return r
}

// next are the numbers that the next n frames say.
func (r reading) next(t *testing.T, n int) (list []int) {
	t.Helper()
	for range n {
		select {
		case f := <-r.frames:
			list = append(list, int(binary.LittleEndian.Uint32(f.Data)))
		case err := <-r.err:
			t.Fatalf("after %v: %v", list, err)
		case <-time.After(time.Minute):
			t.Fatalf("nothing after %v", list)
		}
	}
	return list
}

// end is how it ends.
func (r reading) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.err:
		return err
	case f := <-r.frames:
		t.Fatalf("frame %d comes", f.Number)
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	return nil
}

func (r reading) silent(t *testing.T) {
	t.Helper()
	select {
	case f := <-r.frames:
		t.Fatalf("frame %d comes", f.Number)
	case err := <-r.err:
		t.Fatalf("it ends: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
}

func numbers(from, to int) (list []int) {
	for n := from; n < to; n++ {
		list = append(list, n)
	}
	return list
}

// growing opens a file that grows.
func growing(t *testing.T, path string, done chan struct{}) reading {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	source, err := capture.NewReader(follow.NewReader(f, follow.Until{Done: done, Err: errStopped}), path, 0)
	if err != nil {
		t.Fatal(err)
	}
	return read(source)
}

func TestFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pcap")
	add(t, path, slices.Concat(header, records(0, 3)))
	done := make(chan struct{})
	r := growing(t, path, done)
	if got := r.next(t, 3); !slices.Equal(got, numbers(0, 3)) {
		t.Error(got)
	}
	part := record(3)
	add(t, path, part[:7])
	r.silent(t)
	add(t, path, part[7:])
	add(t, path, records(4, 1000))
	if got := r.next(t, 997); !slices.Equal(got, numbers(3, 1000)) {
		t.Error(got)
	}
	add(t, path, record(1000)[:10]) // it is being written
	r.silent(t)
	close(done)
	if err := r.end(t); !errors.Is(err, errStopped) {
		t.Error(err)
	}
}

func TestFileThatIsDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pcap")
	add(t, path, slices.Concat(header, records(0, 3)))
	r := growing(t, path, nil)
	r.next(t, 3)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := r.end(t); err != io.EOF {
		t.Error(err)
	}
}

func TestFileThatShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pcap")
	add(t, path, slices.Concat(header, records(0, 3)))
	r := growing(t, path, nil)
	r.next(t, 3)
	if err := os.Truncate(path, 30); err != nil {
		t.Fatal(err)
	}
	if err := r.end(t); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestFolder has files come and go as a ring of dumpcap's.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	file := func(n int) string { return filepath.Join(dir, fmt.Sprintf("ring_%05d.pcap", n)) }
	began := time.Now().Add(-time.Hour)
	for n := range 3 { // the order is that of their times
		add(t, file(9-n), slices.Concat(header, records(10*n, 10*n+10)))
		if err := os.Chtimes(file(9-n), began, began.Add(time.Duration(n)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	add(t, filepath.Join(dir, ".hidden"), []byte("nothing"))
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, ".hidden"), began, began); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	folder := follow.NewFolder(dir, 0, follow.Until{Done: done, Err: errStopped})
	if !folder.Keep(3) {
		t.Error("it does not keep frames")
	}
	r := read(folder)
	if got := r.next(t, 30); !slices.Equal(got, numbers(0, 30)) {
		t.Error(got)
	}
	add(t, file(7), records(30, 35)) // the newest is written on
	if got := r.next(t, 5); !slices.Equal(got, numbers(30, 35)) {
		t.Error(got)
	}
	add(t, file(10), slices.Concat(header, records(35, 40)))
	if got := r.next(t, 5); !slices.Equal(got, numbers(35, 40)) {
		t.Error(got)
	}
	if err := os.Remove(file(9)); err != nil { // as a ring does
		t.Fatal(err)
	}
	r.silent(t)
	add(t, file(11), []byte("this is no capture"))
	add(t, file(12), slices.Concat(header, records(40, 41)))
	select {
	case f := <-r.frames:
		if f.Number != 41 || !f.Dropped() {
			t.Errorf("frame %d after a file that could not be read, marked %v", f.Number, f.Dropped())
		}
	case <-time.After(time.Minute):
		t.Fatal("the file behind one that is no capture is not read")
	}
	close(done)
	var fault *capture.Error
	if err := r.end(t); !errors.As(err, &fault) || fault.File != file(11) {
		t.Error(err)
	}
}

// TestFolderRenames has files renamed when they are whole, as rdmacap's own ring does: none is
// read twice.
func TestFolderRenames(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	r := read(follow.NewFolder(dir, 0, follow.Until{Done: done, Err: errStopped}))
	for n := range 20 {
		path := filepath.Join(dir, fmt.Sprintf("ring_%05d.pcap", n))
		add(t, path+".part", slices.Concat(header, records(2*n, 2*n+1)))
		if got := r.next(t, 1); !slices.Equal(got, numbers(2*n, 2*n+1)) {
			t.Fatal(got)
		}
		add(t, path+".part", records(2*n+1, 2*n+2))
		if err := os.Rename(path+".part", path); err != nil {
			t.Fatal(err)
		}
		if got := r.next(t, 1); !slices.Equal(got, numbers(2*n+1, 2*n+2)) {
			t.Fatal(got)
		}
	}
	r.silent(t)
	close(done)
	if err := r.end(t); !errors.Is(err, errStopped) {
		t.Error(err)
	}
}
