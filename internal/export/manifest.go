package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

// maxSynced is how many objects are brought to the disk one by one, before the manifest is: of
// many more, that would take longer than all the rest, and the captures are still there.
const maxSynced = 1000

// manifestName is the file that says what the others are.
const manifestName = "manifest.json"

// maxZeros is how many bytes that no file holds, holes and missing ones, are
// summed for all objects together, which takes seconds: a single WRITE may make a
// file of terabytes.
const maxZeros = 4 << 30

// entry is what the manifest has of an object.
type entry struct {
	File       string `json:"file"`
	Handle     string `json:"handle"` // hex
	Name       string `json:"name"`   // the last that was shown, "" if none
	Connection int    `json:"connection"`
	Direction  string `json:"direction"`
	Size       uint64 `json:"size"`
	Missing    []gap  `json:"missing"`
	// Lost is how many of the missing bytes READ or WRITE moved: those the
	// capture lacks. The others nobody moved.
	Lost uint64 `json:"lost"`
	// SHA256 is that of the file as it stands, missing bytes as zeros; "" if
	// there are too many of them.
	SHA256 string `json:"sha256"`
}

type gap struct {
	Offset uint64 `json:"offset"`
	Length uint64 `json:"length"`
}

// finish gives an object its size and its name, and describes it. Zeros is how
// many bytes that were not captured may still be summed; sync has it on the disk first.
func (o *object) finish(dir string, zeros *uint64, sync bool) (entry, error) {
	e := entry{
		File: o.fileName(), Handle: hex.EncodeToString([]byte(o.key.handle)), Name: o.name,
		Connection: o.connection, Direction: o.direction, Size: o.size, Missing: []gap{},
	}
	f, err := os.OpenFile(o.path(dir), os.O_RDWR|newfile.NoFollow, 0)
	if err != nil {
		return e, err
	}
	defer f.Close() // closed below, where its error counts
	if err := f.Truncate(int64(o.size)); err != nil {
		return e, err
	}
	empty := uint64(0)
	_ = o.known.each(o.size, func(x extent) error { // f returns no error
		n := x.end - x.start
		if x.kind == lost {
			e.Lost += n
		}
		if x.kind != data {
			empty += n
		}
		if x.kind == missing || x.kind == lost {
			e.Missing = join(e.Missing, gap{x.start, n})
		}
		return nil
	})
	if empty <= *zeros {
		*zeros -= empty
		if e.SHA256, err = o.sum(f); err != nil {
			return e, err
		}
	}
	if sync {
		if err := f.Sync(); err != nil {
			return e, err
		}
	}
	if err := f.Close(); err != nil {
		return e, err
	}
	return e, os.Rename(o.path(dir), filepath.Join(dir, e.File))
}

// join appends a gap, which may go on where the last one ends.
func join(list []gap, g gap) []gap {
	if n := len(list); n > 0 && list[n-1].Offset+list[n-1].Length == g.Offset {
		list[n-1].Length += g.Length
		return list
	}
	return append(list, g)
}

// sum is the SHA-256 of the object. Only captured bytes are read.
func (o *object) sum(f *os.File) (string, error) {
	sum := sha256.New()
	zeros := make([]byte, 64<<10)
	err := o.known.each(o.size, func(x extent) error {
		n := x.end - x.start
		if x.kind == data {
			_, err := io.Copy(sum, io.NewSectionReader(f, int64(x.start), int64(n)))
			return err
		}
		for n > 0 {
			some := min(n, uint64(len(zeros)))
			sum.Write(zeros[:some]) // a hash takes everything
			n -= some
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// writeManifest writes the entries as an array, one on a line.
func writeManifest(dir string, rights fs.FileMode, entries []entry) error {
	f, err := newfile.Create(filepath.Join(dir, manifestName), rights)
	if err != nil {
		return err
	}
	if err := appendEntries(f, entries); err != nil {
		f.Discard()
		return err
	}
	return f.Commit(false)
}

func appendEntries(w io.Writer, entries []entry) error {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range entries {
		line, err := json.Marshal(&entries[i])
		if err != nil {
			return fmt.Errorf("%s: %w", manifestName, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
		if b.Len() > 1<<20 {
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	b.WriteString("\n]\n")
	_, err := b.WriteTo(w)
	return err
}
