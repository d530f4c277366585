package follow

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/newfile"
)

// A Folder gives the frames of the captures in a folder, one file after the other in the
// order in which they were last written, and goes on with those that come. A file is
// over when there is a newer one. It is a capture.Source, Ready, and a Keeper; its frames
// are numbered through.
type Folder struct {
	path  string
	index int
	until Until
	keep  int

	current *capture.File
	file    *os.File
	newest  written     // the file that is read, or was read last
	info    os.FileInfo // of file, which stays open as long: no other becomes the same
	frames  int64
	extra   *capture.Extra // of the next frame
	faults  []error
	over    bool // nothing is read any more
}

// written is a file by when it was written last.
type written struct {
	name string
	time time.Time
}

func (w written) compare(o written) int {
	return cmp.Or(w.time.Compare(o.time), strings.Compare(w.name, o.name))
}

// NewFolder returns a Folder of which index becomes the File of its frames.
func NewFolder(path string, index int, until Until) *Folder {
	return &Folder{path: path, index: index, until: until}
}

// Next fills f with the next frame, as capture.Source says. What was wrong with files, and
// whether any was deleted before it could be read, is told when nothing more is waited
// for.
func (d *Folder) Next(f *capture.Frame) error {
	for {
		switch {
		case d.over:
			return io.EOF
		case d.current == nil:
			if err := d.open(); err != nil {
				return err
			}
			continue
		}
		err := d.current.Next(f)
		if err == nil {
			d.frames++
			f.Number = d.frames
			if d.extra != nil {
				f.Extra, d.extra = d.extra, nil
			}
			return nil
		}
		d.close()
		if errors.Is(err, d.until.Err) {
			return d.endFollowing(err)
		}
		if err != io.EOF {
			d.fault(err)
		}
	}
}

// Ready reports whether the next frame lies in memory.
func (d *Folder) Ready() bool { return d.current != nil && d.current.Ready() }

// Keep makes frames valid for longer, as capture.Keeper says.
func (d *Folder) Keep(n int) bool {
	d.keep = n
	return true
}

// fault keeps an error for the end; frames may be missing before the next one.
func (d *Folder) fault(err error) {
	const most = 16 // more than anybody reads
	if len(d.faults) < most {
		d.faults = append(d.faults, err)
	}
	if d.frames > 0 {
		d.extra = &capture.Extra{Dropped: true}
	}
}

// endFollowing is how reading ends: with what was wrong, if anything was, or with the last error.
func (d *Folder) endFollowing(last error) error {
	d.over = true
	if d.file != nil {
		d.file.Close() // read only: nothing is lost
		d.file = nil
	}
	if len(d.faults) == 0 {
		return last
	}
	return errors.Join(d.faults...)
}

func (d *Folder) close() {
	d.current.Close() // read only: nothing is lost
	d.current = nil
}

// open opens the next file, when there is one.
func (d *Folder) open() error {
	for {
		if d.until.stopped() {
			return d.endFollowing(io.EOF)
		}
		list, err := d.list()
		if err != nil {
			return d.endFollowing(&capture.Error{File: d.path, Offset: -1, Reason: "cannot be read: " + err.Error(), Err: err})
		}
		if len(list) > 0 {
			return d.start(list[0])
		}
		d.until.wait()
	}
}

// list are the files that are to be read, in their order.
func (d *Folder) list() (list []written, err error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue // deleted meanwhile, or no capture
		}
		if d.info != nil && os.SameFile(info, d.info) {
			continue // under its own name, now that it is whole
		}
		if w := (written{e.Name(), info.ModTime()}); w.name != d.newest.name && w.compare(d.newest) > 0 {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, written.compare)
	return list, nil
}

// start begins to read a file.
func (d *Folder) start(w written) error {
	path := filepath.Join(d.path, w.name)
	d.newest = w
	f, err := os.OpenFile(path, os.O_RDONLY|newfile.NoFollow|newfile.NoWait, 0)
	if err != nil {
		d.fault(&capture.Error{File: path, Offset: -1, Reason: "was deleted before it could be read, or cannot be", Err: err})
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close() // another has its name since it was listed
		d.fault(&capture.Error{File: path, Offset: -1, Reason: "is no longer a regular file", Err: err})
		return nil
	}
	if d.file != nil {
		d.file.Close()
	}
	d.file, d.info = f, info
	r := NewReader(f, d.until)
	r.finished = func() bool {
		// The file was written since; what is newer now is what counts.
		if info, err := f.Stat(); err == nil {
			d.newest.time = info.ModTime()
		}
		list, err := d.list()
		return err == nil && len(list) > 0
	}
	current, err := capture.NewReader(r, path, d.index)
	if err != nil {
		if errors.Is(err, d.until.Err) {
			return d.endFollowing(io.EOF) // nothing was in it yet
		}
		d.fault(err)
		return nil
	}
	if d.keep > 0 {
		current.Keep(d.keep)
	}
	d.current = current
	return nil
}
