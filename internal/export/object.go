package export

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
)

// maxSize bounds the size of an object: the largest file that ext4 can hold.
const maxSize = 1<<44 - 1<<16

// An object is the data of one file that went in one direction.
type object struct {
	key        fileKey
	direction  string
	number     int // of its file, from 1; objects of one file share it
	connection int // the first that moved data of it
	name       string
	size       uint64
	known      extents

	file *os.File // open for writing, or nil
}

// path is where the object's bytes stand until its name is settled.
func (o *object) path(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%04d.%s", o.number, o.direction))
}

// fileName is the object's name in the end. The number makes it the only one.
func (o *object) fileName() string {
	if name := safe(o.name); name != "" {
		return fmt.Sprintf("%04d-%s.%s", o.number, name, o.direction)
	}
	return fmt.Sprintf("%04d.%s", o.number, o.direction)
}

// fits reports whether an object may have such a range.
func fits(offset, length uint64) bool {
	end, carry := bits.Add64(offset, length, 0)
	return carry == 0 && end <= maxSize
}

// writeAt puts captured bytes into the object.
func (o *object) writeAt(offset uint64, content []byte) error {
	if _, err := o.file.WriteAt(content, int64(offset)); err != nil {
		return err
	}
	o.known.paint(offset, offset+uint64(len(content)), data, nil)
	o.size = max(o.size, offset+uint64(len(content)))
	return nil
}

// zero makes a range be a hole, or lost: where there were data, its bytes
// become zeros.
func (o *object) zero(offset, length uint64, k kind) (err error) {
	o.known.paint(offset, offset+length, k, func(start, end uint64) {
		zeros := make([]byte, min(end-start, 1<<20))
		for start < end && err == nil {
			n := min(end-start, uint64(len(zeros)))
			_, err = o.file.WriteAt(zeros[:n], int64(start))
			start += n
		}
	})
	o.size = max(o.size, offset+length)
	return err
}
