package keep

import (
	"errors"
	"os"
	"time"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

// finish ends the file that is being written, if there is one, and gives it its name.
func (x *ring) finish() {
	if x.out == nil {
		return
	}
	if x.frames == 0 {
		x.out.Close() // nothing of use is in it
		x.out = nil
		os.Remove(x.path + marked)
		return
	}
	x.guard.Lock()
	x.buf = x.Recorder.ports.statistics(x.buf[:0], x.ports, time.Now().UnixNano())
	x.guard.Unlock()
	_, err := x.out.Write(x.buf)
	if err != nil {
		err = x.undo(err)
	}
	out, path := x.out, x.path
	x.out = nil
	if out == nil {
		x.marked(path)
		return
	}
	// The disk may take its time, in which frames come: one file at a time waits for it.
	x.ending.Wait()
	x.ending.Go(func() { x.close(out, path, err) })
}

// close has a file on the disk, and gives it its name. An error is why it has no statistics.
func (x *ring) close(out file, path string, err error) {
	whole := errors.Join(out.Sync(), out.Close()) == nil
	if whole {
		x.naming.Lock()
		whole = os.Rename(path+marked, path) == nil
		x.naming.Unlock()
	}
	if !whole {
		x.marked(path)
		return
	}
	newfile.SyncDir(x.opts.Dir)
	x.files++
	if err != nil {
		x.opts.notify(true, "%s: has no statistics at its end: %v", path, err)
	}
}

func (x *ring) marked(path string) {
	x.opts.notify(true, "%s could not be completed and stays marked as incomplete", path+marked)
}
