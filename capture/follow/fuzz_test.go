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
	"testing/synctest"
	"time"

	"github.com/rdmacap/rdmacap/capture/follow"
)

// later lets whoever reads look again.
func later() {
	time.Sleep(time.Second)
	synctest.Wait()
}

// FuzzReader reads a file that is written in pieces, and may become shorter. All that was written
// is read, in its order, or it is reported that it was cut.
func FuzzReader(f *testing.F) {
	f.Add([]byte("some pieces of text"), []byte{3, 1, 0, 9})
	f.Add([]byte("this one is cut"), []byte{5, 0x85, 3})
	f.Fuzz(func(t *testing.T, content, pieces []byte) {
		if len(content) > 4096 || len(pieces) > 32 {
			return
		}
		path := filepath.Join(t.TempDir(), "file")
		add(t, path, nil)
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		synctest.Test(t, func(t *testing.T) {
			done := make(chan struct{})
			var got bytes.Buffer
			ended := make(chan error, 1)
			go func() {
				_, err := io.Copy(&got, follow.NewReader(file, follow.Until{Done: done, Err: errStopped}))
				ended <- err
			}()
			written, cut := 0, false
			for _, p := range pieces {
				n := int(p & 0x7f)
				if p&0x80 != 0 { // it becomes shorter
					if n < written {
						cut = true
						if err := os.Truncate(path, int64(n)); err != nil {
							t.Fatal(err)
						}
						later()
						break
					}
					continue
				}
				end := min(written+n, len(content))
				add(t, path, content[written:end])
				written = end
				later()
			}
			close(done)
			err := <-ended
			if cut != errors.Is(err, io.ErrUnexpectedEOF) || !cut && !errors.Is(err, errStopped) || !bytes.Equal(got.Bytes(), content[:written]) {
				t.Errorf("%d bytes were written, cut %v; %d were read, %v", written, cut, got.Len(), err)
			}
		})
	})
}

// FuzzFolder follows a folder with files of all kinds, to which others come. Every frame that is
// whole in a file is given, in the order of the files, and numbered through.
func FuzzFolder(f *testing.F) {
	f.Add([]byte{0, 3, 0, 0, 4, 0})
	f.Add([]byte{1, 3, 9, 2, 7, 1, 0, 2, 0})
	f.Add([]byte{3, 2, 0, 4, 1, 0, 5, 9, 0, 6, 3, 1, 0, 1, 0})
	f.Fuzz(func(t *testing.T, say []byte) {
		if len(say) > 60 {
			return
		}
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) { folder(t, dir, say) })
	})
}

// folder has files come to a folder that is followed, as bytes say, three for each: what it is,
// how many frames it has, and where it is cut.
func folder(t *testing.T, dir string, say []byte) {
	done := make(chan struct{})
	r := read(follow.NewFolder(dir, 7, follow.Until{Done: done, Err: errStopped}))
	var want []int
	number := 0
	written := time.Unix(1_700_000_000, 0)
	for i := 0; len(say) >= 3; i, say = i+1, say[3:] {
		kind, n, cut := say[0]%7, int(say[1]%20), int(say[2])
		content := slices.Concat(header, records(number, number+n))
		whole := n
		name := fmt.Sprintf("%04d.pcap", i)
		switch kind {
		case 1: // its end is missing
			content = content[:max(0, len(content)-cut)]
			whole = max(0, len(content)-len(header)) / len(record(0))
		case 2: // it is no capture
			content, whole = bytes.Repeat([]byte{byte(cut)}, n), 0
		case 3: // it is hidden
			name, whole = "."+name, 0
		}
		path := filepath.Join(dir, name)
		var err error
		switch kind {
		case 4:
			err, whole = os.Mkdir(path, 0o700), 0
		case 5:
			err, whole = os.Symlink(filepath.Join(dir, "0000.pcap"), path), 0
		default:
			add(t, path, content)
			written = written.Add(time.Second)
			err = os.Chtimes(path, written, written)
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range whole {
			want = append(want, number+k)
		}
		number += n
		later()
	}
	close(done)
	<-r.err
	close(r.frames)
	var got []int
	var frames int64
	for x := range r.frames {
		frames++
		if x.Number != frames || x.File != 7 || len(x.Data) != 4 {
			t.Errorf("frame %d is %+v", frames, x)
			continue
		}
		got = append(got, int(binary.LittleEndian.Uint32(x.Data)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}
