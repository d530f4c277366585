package keep

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every frame of a fuzz target has such bytes after its number.
func filled(n uint32, size int) []byte {
	b := bytes.Repeat([]byte{byte(n)}, max(4, size))
	binary.BigEndian.PutUint32(b, n)
	return b
}

// bytesIn are how many bytes the files of a ring have, and how many files there are.
func bytesIn(t *testing.T, dir string) (size int64, files int) {
	t.Helper()
	for _, path := range ringFiles(t, dir) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it got its name, or was deleted
		}
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
		files++
	}
	return size, files
}

// FuzzKeep keeps frames of all sizes in a ring of files, and some of them as evidence. The files
// are within their limits, each is whole, and what is in them is what came, in order: where
// frames are missing, the next one says so.
func FuzzKeep(f *testing.F) {
	f.Add(byte(0), []byte{0, 10, 0, 200, 1, 0, 0, 90})
	f.Add(byte(1), []byte{0, 255, 0, 255, 0, 255, 0, 255, 2, 1, 0, 255, 1, 0, 0, 3})
	f.Add(byte(2), bytes.Repeat([]byte{0, 250, 3, 1, 0, 20}, 8))
	f.Fuzz(func(t *testing.T, count byte, ops []byte) {
		if len(ops) > 128 {
			return
		}
		limits := Limits{Size: 120_000, Age: time.Hour, Count: 2 + int(count%4)}
		dir := t.TempDir()
		e := new(excerpts)
		around := Around{Before: 2 * time.Second, After: time.Second, Memory: 1 << 20}
		r, said := gathering(t, e, Options{Dir: dir, Ring: &limits, Evidence: &Evidence{Around: around, Every: time.Hour, Count: 3}})
		came, tooLong := uint32(0), 0
		sizes := make(map[uint32]int)
		for ; len(ops) >= 2; ops = ops[2:] {
			n := int64(came)
			switch ops[0] % 4 {
			case 1:
				r.Reopen()
			case 2:
				o := occasion("DDP-005b", int(ops[1]%8), n)
				o.Reported += int64(ops[1]) * 1e7
				r.Occur(o)
			default:
				size := int(ops[1]) * 500 // up to more than a file has
				x := frame(came, size, time.Duration(ops[0]/4)*time.Second)
				x.Data = filled(came, size)
				x.Length = int32(len(x.Data))
				sizes[came] = len(x.Data)
				if int64(size)+1000 > limits.Size-fileOverhead {
					tooLong++
				}
				give(t, r, x)
				came++
			}
		}
		r.Close()
		size, files := bytesIn(t, dir)
		if size > limits.Bytes() || files > limits.Count {
			t.Errorf("%d bytes in %d files, of %d in %d", size, files, limits.Bytes(), limits.Count)
		}
		asGiven(t, read(t, ringFiles(t, dir)...), sizes, int(came), tooLong)
		for _, name := range inDir(t, dir) {
			if strings.HasSuffix(name, marked) {
				t.Errorf("%s is not whole: %q", name, said.lines)
			}
		}
		evidence(t, e, dir, around.Memory, sizes)
	})
}

// asGiven holds that the frames of a ring are those that came, up to the last.
func asGiven(t *testing.T, list []kept, sizes map[uint32]int, came, tooLong int) {
	t.Helper()
	for i, x := range list {
		if !bytes.Equal(x.Data, filled(x.n, sizes[x.n])) {
			t.Errorf("frame %d has %d bytes, want %d", x.n, len(x.Data), sizes[x.n])
		}
		if i > 0 && (x.n <= list[i-1].n || x.n != list[i-1].n+1 && !x.dropped) {
			t.Errorf("frame %d behind %d, missing before it: %v", x.n, list[i-1].n, x.dropped)
		}
	}
	if tooLong == 0 && came > 0 && (len(list) == 0 || int(list[len(list)-1].n) != came-1) {
		t.Errorf("of %d frames the last is not there, of %d that are", came, len(list))
	}
}

// evidence holds that each excerpt is a whole capture of frames that came, within its memory.
func evidence(t *testing.T, e *excerpts, dir string, memory int64, sizes map[uint32]int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, evidenceStem+"*", "*.copy"))
	if err != nil || len(paths) > 3 || len(paths) > len(e.list) {
		t.Errorf("%d pieces of evidence of %d, %v", len(paths), len(e.list), err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || info.Size() > 2*memory+fileOverhead {
			t.Errorf("%s: %v, %d bytes", path, err, info.Size())
		}
		for _, x := range read(t, path) {
			if !bytes.Equal(x.Data, filled(x.n, sizes[x.n])) {
				t.Errorf("%s: frame %d has %d bytes, want %d", path, x.n, len(x.Data), sizes[x.n])
			}
		}
	}
	for i := range e.list {
		x := &e.list[i]
		if x.Frames < 0 || x.Frames > int64(len(sizes)) || x.First > x.Last || len(x.Triggers) < 1 || len(x.Triggers) > mostTriggers {
			t.Errorf("an excerpt says %+v", x)
		}
	}
}
