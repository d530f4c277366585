package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rdmacap/rdmacap/capture/pcapng"
	"github.com/rdmacap/rdmacap/internal/newfile"
)

// An open excerpt is being written.
type openClip struct {
	Clip
	r     *Recorder
	out   file
	final string // the folder's name when it is whole
	size  int64
	ports int // that it describes
	// at is the time of the finding's frame; dropped says that some that were wanted were
	// dropped from memory.
	at      int64
	dropped bool
	// from and until are the times from which and up to which frames are wanted, most is
	// when it ends whatever comes.
	from, until, most int64
	// deadline is when it ends if no frames come, and lastDeadline whatever comes.
	deadline, lastDeadline time.Time
}

const (
	// evidenceStem is how names of folders begin.
	evidenceStem = "finding-"
	// grace is for how long frames may be underway.
	grace = time.Second
	// longest is by how many times the seconds after an occasion others may
	// prolong an excerpt.
	longest = 4
)

// newClip begins the excerpt of an occasion, and returns what the window has for it.
func newClip(r *Recorder, o *Trigger, now time.Time) (x *openClip, chunks []chunk, err error) {
	w := &r.window
	at, said, after := o.Time, max(o.Time, o.Reported), int64(w.After)
	if at == 0 {
		at = said
	}
	x = &openClip{
		r: r, from: at - int64(w.Before), until: said + after, most: said + longest*after,
		deadline: now.Add(w.After + grace), lastDeadline: now.Add(longest*w.After + grace),
	}
	x.Triggers = []Trigger{*o}
	if err := x.make(at); err != nil {
		return nil, nil, err
	}
	x.at, x.dropped = at, w.some && w.gone >= x.from
	r.guard.Lock()
	began := r.began
	r.guard.Unlock()
	if began > x.from {
		x.missing("capturing started %s before the frame of the finding", span(max(0, at-began)))
	}
	return x, w.since(x.from), nil
}

// ended notes what is missing at the beginning, when the excerpt is over.
func (x *openClip) ended() {
	if !x.dropped {
		return
	}
	begins := ""
	switch {
	case x.Frames == 0:
		begins = "there is no frame"
	case x.First > x.at:
		begins = fmt.Sprintf("the first frame here came %s after that of the finding", span(x.First-x.at))
	default:
		begins = fmt.Sprintf("the first frame here came %s before that of the finding", span(x.at-x.First))
	}
	x.missing("the beginning was dropped from memory, which holds %s: %s", Size(x.r.window.Memory), begins)
}

// span is a time between frames, in nanoseconds, for people.
func span(ns int64) string {
	v, unit := float64(ns)/1e9, "s"
	switch {
	case ns < 1e6:
		v, unit = float64(ns)/1e3, "µs"
	case ns < 1e9:
		v, unit = float64(ns)/1e6, "ms"
	}
	if v >= 100 {
		return fmt.Sprintf("%.0f %s", v, unit)
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}

// missing notes what is not in the excerpt.
func (x *openClip) missing(format string, args ...any) {
	x.Missing = append(x.Missing, fmt.Sprintf(format, args...))
}

// make makes the folder and the file.
func (x *openClip) make(at int64) error {
	o := &x.Triggers[0]
	x.Rights = x.r.opts.rights()
	where := "capture"
	if o.Connection > 0 {
		where = fmt.Sprintf("connection%d", o.Connection)
	}
	x.Name = fmt.Sprintf("%s-%s-%s", time.Unix(0, at).UTC().Format("20060102T150405.000Z"), o.Rule, where)
	dir, name := x.r.opts.Dir, x.Name
	for n := 2; ; n++ {
		x.final = filepath.Join(dir, evidenceStem+x.Name)
		x.Dir = x.final + marked
		_, err := os.Lstat(x.final)
		if err == nil {
			err = fs.ErrExist
		} else {
			err = os.Mkdir(x.Dir, newfile.Folder(x.Rights))
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) || n > mostCount {
			return fmt.Errorf("%s: %w", dir, plain(err))
		}
		x.Name = fmt.Sprintf("%s-%d", name, n)
	}
	x.Capture = filepath.Join(x.Dir, "frames.pcapng")
	out, err := x.r.opts.newFile(x.Capture)
	if err != nil {
		x.remove()
		return fmt.Errorf("%s: %w", dir, plain(err))
	}
	x.out = out
	return x.write(pcapng.AppendHeader(nil, le, "", x.r.opts.Program))
}

func (x *openClip) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := x.out.Write(b)
	if err != nil {
		x.remove()
		return fmt.Errorf("%s: %w", x.r.opts.Dir, plain(err))
	}
	x.size += int64(len(b))
	return nil
}

// addChunk appends a chunk.
func (x *openClip) addChunk(c *chunk) error {
	x.r.guard.Lock()
	var head []byte
	for ; x.ports < c.ports; x.ports++ {
		head = append(head, x.r.ports.list[x.ports].block...)
	}
	x.r.guard.Unlock()
	if err := x.write(head); err != nil {
		return err
	}
	if x.Frames == 0 {
		x.First, x.Last = c.oldest, c.newest
	}
	x.First, x.Last = min(x.First, c.oldest), max(x.Last, c.newest)
	x.Frames += c.frames
	return x.write(c.b)
}

// full reports whether there is no room for another chunk.
func (x *openClip) full(c *chunk) bool { return x.size+int64(len(c.b)) > 2*x.r.window.Memory }

// remove deletes what was written.
func (x *openClip) remove() {
	if x.out != nil {
		x.out.Close()
	}
	_ = os.RemoveAll(x.Dir) // what is left is marked
}

// finish makes what is to be kept of the excerpt, and gives the folder its name. An
// error says why there are only frames, or nothing.
func (x *openClip) finish(do func(*Clip) error) error {
	err := do(&x.Clip)
	if err == nil {
		err = os.Remove(x.Capture)
	} else {
		err = errors.Join(err, x.onlyFrames())
	}
	entries, bad := os.ReadDir(x.Dir)
	for _, e := range entries {
		if f, bad := os.OpenFile(filepath.Join(x.Dir, e.Name()), os.O_RDWR, 0); bad == nil {
			err = errors.Join(err, f.Sync())
			f.Close()
		}
	}
	err = errors.Join(err, bad, os.Rename(x.Dir, x.final))
	newfile.SyncDir(x.r.opts.Dir)
	return err
}

// onlyFrames leaves nothing but the frames in the folder.
func (x *openClip) onlyFrames() error {
	entries, err := os.ReadDir(x.Dir)
	for _, e := range entries {
		if path := filepath.Join(x.Dir, e.Name()); path != x.Capture {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return errors.Join(err, os.Rename(x.Capture, filepath.Join(x.Dir, x.Name+".pcapng")))
}
