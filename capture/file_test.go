package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// TestOpen opens files by what is in them, not by their names, and reports how
// far it is.
func TestOpen(t *testing.T) {
	plain := join(wholeFiles()["pcapng LittleEndian"]...)
	want := mustRead(t, plain)
	for i := range want {
		want[i].File = 7
	}
	for name, file := range map[string][]byte{
		"plain.gz":                     plain,
		"gzip":                         gzipped(t, plain),
		"gzip in members":              append(gzipped(t, plain[:50]), gzipped(t, plain[50:])...),
		"zstd.pcap":                    zstandard(t, plain),
		"zstd in frames":               append(zstandard(t, plain[:50]), zstandard(t, plain[50:])...),
		"zstd after a skippable frame": append([]byte("\x50\x2a\x4d\x18\x04\x00\x00\x00size"), zstandard(t, plain)...),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, 7)
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(t, f)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if size := int64(len(file)); f.Size() != size || f.Read() != size {
			t.Errorf("%s: read %d of %d bytes, want %d of %d", name, f.Read(), f.Size(), size, size)
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if err := f.Next(new(Frame)); err != io.EOF {
			t.Errorf("%s: Next after Close: %v, want io.EOF", name, err)
		}
	}
}

// TestStandardInput reads "-", which is a pipe here.
func TestStandardInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	if _, err := w.WriteString("#!/bin/sh\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	_, err = Open("-", 0)
	const want = "standard input: byte 0: not a pcap or pcapng file (it begins with 23 21 2f 62)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestSmallReads gives the file a byte at a time, and with io.EOF together
// with the last bytes.
func TestSmallReads(t *testing.T) {
	for name, parts := range wholeFiles() {
		plain := join(parts...)
		want := mustRead(t, plain)
		for _, file := range [][]byte{plain, gzipped(t, plain), zstandard(t, plain)} {
			for _, wrap := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, iotest.HalfReader} {
				f := open(t, wrap(bytes.NewReader(file)))
				if got, err := drain(t, f); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v, %v", name, got, err)
				}
				if f.Size() != -1 {
					t.Errorf("%s: a reader of unknown length has the size %d", name, f.Size())
				}
			}
		}
	}
}

// A flusher is a compressor that can be made to write out what it has.
type flusher interface {
	io.WriteCloser
	Flush() error
}

type plainWriter struct{ io.WriteCloser }

func (plainWriter) Flush() error { return nil }

// TestLive: on a pipe each frame comes as soon as its record is whole, though
// nothing follows it yet.
func TestLive(t *testing.T) {
	for packing, pack := range map[string]func(io.WriteCloser) flusher{
		"plain": func(w io.WriteCloser) flusher { return plainWriter{w} },
		"gzip":  func(w io.WriteCloser) flusher { return gzip.NewWriter(w) },
		"zstd": func(w io.WriteCloser) flusher {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	} {
		for name, parts := range wholeFiles() {
			t.Run(packing+"/"+name, func(t *testing.T) { live(t, parts, pack) })
		}
	}
}

func live(t *testing.T, parts [][]byte, pack func(io.WriteCloser) flusher) {
	want := mustRead(t, join(parts...))
	r, pipe := io.Pipe()
	defer r.Close()
	frames := make(chan Frame)
	go follow(t, r, frames)
	w := pack(pipe)
	at := int64(0)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if len(want) > 0 && want[0].Offset == at {
			select {
			case got := <-frames:
				if !reflect.DeepEqual(got, want[0]) {
					t.Fatalf("got %+v, want %+v", got, want[0])
				}
				want = want[1:]
			case <-time.After(5 * time.Minute):
				t.Fatalf("frame %d does not come before the next one is written", want[0].Number)
			}
		}
		at += int64(len(part))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	for got := range frames {
		t.Errorf("one frame too many: %+v", got)
	}
}

// follow sends the frames of a stream until it ends.
func follow(t *testing.T, r io.Reader, frames chan<- Frame) {
	defer close(frames)
	f, err := NewReader(r, "pipe", 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for {
		var frame Frame
		if err := f.Next(&frame); err == io.EOF {
			return
		} else if err != nil {
			t.Error(err)
			return
		}
		frame.Data = bytes.Clone(frame.Data)
		frames <- frame
	}
}

// endless gives the head and then the same bytes again and again.
type endless struct{ head, again, rest []byte }

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(e.rest) == 0 {
			e.rest, e.head = e.head, nil
			if len(e.rest) == 0 {
				e.rest = e.again
			}
		}
		k := copy(p[n:], e.rest)
		n, e.rest = n+k, e.rest[k:]
	}
	return n, nil
}

// TestNoAllocation: once its window is there, reading allocates nothing.
func TestNoAllocation(t *testing.T) {
	o := binary.LittleEndian
	data := string(make([]byte, 1100))
	ng := join(ngSection(o, -1), ngInterface(o, ethernet, 0), ngInterface(o, raw, 0, ngOption(o, ifTsresol, []byte{9})))
	for name, e := range map[string]*endless{
		"pcap":     {head: pcapHead(o, 0xa1b2c3d4, 65535, 1), again: pcapRecord(o, 1, 2, 1100, data, "")},
		"pcapng":   {head: ng, again: ngEnhanced(o, 1, 1, 1100, data, ngOption(o, 2, make([]byte, 4)))},
		"simple":   {head: ng, again: join(ngSimple(o, 1100, data), ngBlock(o, 99, make([]byte, 100)))},
		"sections": {again: join(ng, ngSimple(o, 1100, data))},
	} {
		f := open(t, e)
		var frame Frame
		allocs := testing.AllocsPerRun(2000, func() {
			if err := f.Next(&frame); err != nil || len(frame.Data) != 1100 {
				t.Fatal(err, len(frame.Data))
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations a frame", name, allocs)
		}
	}
}

// TestPromisedLength: a record that promises much and then ends takes memory
// for what came only.
func TestPromisedLength(t *testing.T) {
	o := binary.LittleEndian
	big := binary.LittleEndian.AppendUint32(nil, maxRecord)
	f := open(t, bytes.NewReader(join(ngSection(o, -1), []byte{6, 0, 0, 0}, big, make([]byte, 3*windowSize))))
	_, err := drain(t, f)
	if e := asError(t, err); e.Offset != 28 {
		t.Errorf("got %v, want byte 28", err)
	}
	if len(f.win.buf) > 8*windowSize {
		t.Errorf("%d bytes of memory for a file of %d", len(f.win.buf), 3*windowSize)
	}
}

// TestLargeRecord: a frame may be larger than the window at first is. Of one that no link
// carries the first bytes are held, and what follows it is read where it is.
func TestLargeRecord(t *testing.T) {
	o := binary.BigEndian
	for _, size := range []int{2*windowSize + 3, maxHeld - 28, maxHeld, 5*windowSize + 3} {
		large := make([]byte, size)
		for i := range large {
			large[i] = byte(i * i >> 7)
		}
		comment := ngOption(o, 1, []byte("a comment"))
		for name, c := range map[string]struct {
			file []byte
			head int // of the record, before the frame
		}{
			"pcap": {join(pcapHead(o, 0xa1b2c3d4, 0, ethernet), pcapRecord(o, 1, 1, 5, "small", ""),
				pcapRecord(o, 1, 1, uint32(size), string(large), ""), pcapRecord(o, 1, 1, 5, "small", "")), 16},
			"enhanced": {join(ngSection(o, -1), ngInterface(o, ethernet, 0), ngEnhanced(o, 0, 1, 5, "small"),
				ngEnhanced(o, 0, 1, 5, string(large), comment), ngEnhanced(o, 0, 1, 5, "small")), 28},
			"simple": {join(ngSection(o, -1), ngInterface(o, ethernet, 0), ngSimple(o, 5, "small"),
				ngSimple(o, uint32(size), string(large)), ngSimple(o, 5, "small")), 12},
		} {
			frames := mustRead(t, c.file)
			if len(frames) != 3 || string(frames[0].Data) != "small" || string(frames[2].Data) != "small" {
				t.Fatalf("%s, %d bytes: the frames around it are not what they were", name, size)
			}
			held := min(size, maxHeld-c.head)
			if f := frames[1]; int(f.Length) != size || !bytes.Equal(f.Data, large[:held]) {
				t.Errorf("%s: of %d bytes %d are held, and its length is %d", name, size, len(f.Data), f.Length)
			}
		}
	}
}

// TestHugeRecord: however long a record is, and though all of it is there, no more of it
// is in memory than is held.
func TestHugeRecord(t *testing.T) {
	o := binary.LittleEndian
	const size = 64 << 20
	head := join(pcapHead(o, 0xa1b2c3d4, 0, ethernet), pcapRecord(o, 1, 1, size, "", ""))
	o.PutUint32(head[pcapFileHeader+8:], size)
	f := open(t, io.MultiReader(bytes.NewReader(head), io.LimitReader(zeroes{}, size), bytes.NewReader(pcapRecord(o, 1, 1, 5, "small", ""))))
	f.Keep(3)
	frames, err := drain(t, f)
	if err != nil || len(frames) != 2 || len(frames[0].Data) != maxHeld-16 || string(frames[1].Data) != "small" {
		t.Fatalf("%d frames, and %v", len(frames), err)
	}
	memory := len(f.win.buf)
	for _, b := range f.win.ring {
		memory += len(b)
	}
	if memory > 8*maxHeld {
		t.Errorf("%d bytes of memory", memory)
	}
}

// zeroes are as many as anybody wants.
type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
