package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// maxFuzzFrames ends the reading of files that compression makes endless.
const maxFuzzFrames = 20_000

// read reads bytes that may be anything, and demands what must hold for all.
func read(t *testing.T, r io.Reader) (frames []Frame, err error) {
	f, err := NewReader(r, "F", 3)
	if err != nil {
		checkError(t, asError(t, err))
		return nil, err
	}
	defer f.Close()
	before := int64(-1)
	var frame Frame
	for len(frames) < maxFuzzFrames {
		if err = f.Next(&frame); err != nil {
			break
		}
		if frame.File != 3 || frame.Number != int64(len(frames)+1) {
			t.Fatalf("frame %d is number %d of file %d", len(frames)+1, frame.Number, frame.File)
		}
		if frame.Offset <= before || frame.Offset+int64(len(frame.Data)) > f.win.received() {
			t.Fatalf("a frame of %d bytes in a record at %d, after one at %d, in a file of %d",
				len(frame.Data), frame.Offset, before, f.win.received())
		}
		before = frame.Offset
		if int(frame.Length) < len(frame.Data) {
			t.Fatalf("length %d of %d bytes, section %d, interface %d",
				frame.Length, len(frame.Data), frame.Section, frame.Interface)
		}
		if len(frame.Comments()) > maxComments {
			t.Fatalf("%d comments", len(frame.Comments()))
		}
		frame.Data = bytes.Clone(frame.Data)
		frames = append(frames, frame)
	}
	if got := int64(len(f.win.buf)); got > max(windowSize, 2*f.win.received()) {
		t.Fatalf("a window of %d bytes after %d bytes of file", got, f.win.received())
	}
	if err != nil && err != io.EOF {
		e := asError(t, err)
		checkError(t, e)
		if e.Offset > f.win.received() {
			t.Fatalf("%v, but the file ends at %d", e, f.win.received())
		}
	}
	if err != nil {
		if again := f.Next(&frame); again != io.EOF {
			t.Fatalf("after %v comes %v", err, again)
		}
	}
	return frames, err
}

func checkError(t *testing.T, e *Error) {
	if e.File != "F" || e.Offset < 0 || e.Reason == "" || strings.ContainsAny(e.Error(), "\n\x1b") {
		t.Fatalf("%#v", e)
	}
}

// readTwice holds reading at once against reading in small pieces.
func readTwice(t *testing.T, file []byte) {
	frames, err := read(t, bytes.NewReader(file))
	again, errAgain := read(t, iotest.OneByteReader(bytes.NewReader(file)))
	if !reflect.DeepEqual(frames, again) {
		t.Fatalf("%d frames at once, %d in pieces, or others", len(frames), len(again))
	}
	if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() {
		t.Fatalf("%v at once, %v in pieces", err, errAgain)
	}
}

func FuzzPcap(f *testing.F) {
	for name, parts := range wholeFiles() {
		if strings.HasPrefix(name, "pcap ") {
			f.Add(join(parts...))
			f.Add(parts[0])
		}
	}
	f.Add(shipped.Unpacked(f, "rxe-cb", 4096)) // cut in the middle of a record
	f.Add(pcapHead(binary.LittleEndian, 0xa1b23c4d, 0, 0xffff_ffff))
	f.Fuzz(readTwice)
}

func FuzzPcapng(f *testing.F) {
	o := binary.LittleEndian
	for name, parts := range wholeFiles() {
		if strings.HasPrefix(name, "pcapng ") {
			f.Add(join(parts...))
			f.Add(join(parts[:2]...))
		}
	}
	f.Add(shipped.Unpacked(f, "rxe-loss", 4096)) // cut in the middle of a block
	f.Add(join(ngSection(o, 5), ngInterface(o, erf, 3, ngOption(o, ifTsresol, []byte{0xff}),
		ngOption(o, ifTsoffset, bytes.Repeat([]byte{0xff}, 8))), ngSimple(o, 9, "abc"),
		ngEnhanced(o, 0, 1<<63, 0, "abc", ngOption(o, optComment, nil))))
	f.Fuzz(readTwice)
}

// FuzzOpen begins with compressed files. Where one does not unpack, how much of
// it comes before the error depends on how it is read, so it is read once.
func FuzzOpen(f *testing.F) {
	for _, parts := range wholeFiles() {
		f.Add(gzipped(f, join(parts...)))
		f.Add(zstandard(f, join(parts...)))
	}
	f.Add(shipped.File(f, "rxe-cb")[:4096]) // cut in the middle of a zstd block
	f.Add([]byte("snoop\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, file []byte) { read(t, bytes.NewReader(file)) })
}
