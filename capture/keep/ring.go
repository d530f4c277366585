package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rdmacap/rdmacap/capture/pcapng"
)

const (
	// marked is what the name of a file or folder ends in that is not whole.
	marked = ".part"
	// retry is how often is tried whether what failed can be written again.
	retry = time.Second
	// fileOverhead is more than the bytes that a file has besides its frames, unless they
	// came by very many interfaces.
	fileOverhead = 16 << 10
)

// A ring writes a row of files, of which the oldest go.
type ring struct {
	*Recorder
	limits Limits
	out    file // nil between files
	path   string
	begun  time.Time
	size   int64
	ports  int   // that the file describes
	frames int64 // in the file
	last   int   // number of the newest file
	buf    []byte

	// ending brings the last file that was finished to the disk.
	ending sync.WaitGroup
	naming sync.Mutex // who lists the folder sees each file under one name

	failed  error // why nothing can be written now
	tried   time.Time
	missing int64  // frames since the last one that was written
	why     string // they were not

	files            int64
	written, skipped int64 // frames
}

// A piece is a run of blocks.
type piece struct {
	b      []byte
	frames int64
	ports  int // interfaces that must be described before
	oldest int64
}

// openRing looks what the folder has of earlier runs.
func openRing(r *Recorder) (*ring, error) {
	x := &ring{Recorder: r, limits: *r.opts.Ring}
	list, err := x.list()
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return x, nil
	}
	var size int64
	for _, f := range list {
		size += f.size
		if f.marked {
			r.opts.notify(false, "%s is incomplete: an earlier run was killed while writing it", f.path)
		}
	}
	x.last = list[len(list)-1].number
	r.opts.notify(false, "%s: %s of earlier runs, %s, counted in the limit of %d files and %s", r.opts.Dir,
		counted(int64(len(list)), "file", "files"), Size(size), x.limits.Count, Size(x.limits.Bytes()))
	return x, nil
}

// A ringFile is a file of the ring.
type ringFile struct {
	path   string
	number int
	size   int64
	marked bool
}

// ringName is what files of the ring are called.
var ringName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^rdmacap-(\d{6,9})-\d{8}T\d{6}Z\.pcapng(\.part)?$`)
})

// list are the files that there are, the oldest first.
func (x *ring) list() (list []ringFile, err error) {
	x.naming.Lock()
	defer x.naming.Unlock()
	entries, err := os.ReadDir(x.opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", x.opts.Dir, plain(err))
	}
	for _, e := range entries {
		m := ringName().FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted meanwhile, or not of the ring
		}
		number, _ := strconv.Atoi(m[1]) // has up to 9 digits
		list = append(list, ringFile{filepath.Join(x.opts.Dir, e.Name()), number, info.Size(), m[2] != ""})
	}
	slices.SortFunc(list, func(a, b ringFile) int { return a.number - b.number })
	return list, nil
}

// now is the time by which is tried again.
func (o *Options) now() time.Time {
	if o.clock == nil {
		return time.Now()
	}
	return o.clock()
}

// write writes a piece, or counts its frames if that cannot be done.
func (x *ring) write(p piece) {
	if p.frames == 0 {
		return
	}
	if x.failed != nil && x.opts.now().Sub(x.tried) < retry {
		x.skip(p, x.why)
		return
	}
	if most := x.limits.Size - fileOverhead; int64(len(p.b)) > most {
		x.opts.notify(true, "%s: a frame larger than the %s of a file is not written", x.opts.Dir, Size(x.limits.Size))
		x.skip(p, "it does not fit in a file")
		return
	}
	x.tried = x.opts.now()
	if err := x.try(p); err != nil {
		if x.failed == nil {
			x.opts.notify(true, "%v: frames are analysed and counted but not written until that is over", err)
		}
		x.failed = err
		x.skip(p, plain(errors.Unwrap(err)).Error())
		return
	}
	if x.failed != nil {
		x.opts.notify(true, "%s: writing resumes: %s not written", x.opts.Dir, counted(x.missing, "frame was", "frames were"))
		x.failed = nil
	}
	x.missing = 0
	x.frames += p.frames
	x.written += p.frames
}

func (x *ring) skip(p piece, why string) {
	x.missing, x.why = x.missing+p.frames, why
	x.skipped += p.frames
}

// try writes a piece, all of it or nothing.
func (x *ring) try(p piece) error {
	b := p.b
	if x.missing > 0 {
		b = x.explain(b)
	}
	if x.out != nil && x.size+x.need(b, p.ports) > x.limits.Size {
		x.finish()
	}
	if x.out == nil {
		if err := x.beginFile(p.oldest); err != nil {
			return err
		}
	}
	x.buf = x.buf[:0]
	x.guard.Lock()
	for _, port := range x.Recorder.ports.list[min(x.ports, p.ports):p.ports] {
		x.buf = append(x.buf, port.block...)
	}
	x.guard.Unlock()
	for _, part := range [][]byte{x.buf, b} {
		if len(part) == 0 {
			continue
		}
		if _, err := x.out.Write(part); err != nil {
			return x.undo(err)
		}
	}
	x.size += int64(len(x.buf) + len(b))
	x.ports = max(x.ports, p.ports)
	return nil
}

// need is how many bytes it takes to write blocks, and later what ends the file.
func (x *ring) need(b []byte, ports int) (n int64) {
	x.guard.Lock()
	defer x.guard.Unlock()
	for _, port := range x.Recorder.ports.list[min(x.ports, ports):ports] {
		n += int64(len(port.block))
	}
	return n + int64(len(b)) + int64(max(x.ports, ports))*statisticsSize
}

// undo has the file end where it was whole.
func (x *ring) undo(cause error) error {
	if err := x.out.Truncate(x.size); err != nil {
		// It may end in the middle of a block, and stays marked.
		x.out.Close()
		x.out = nil
	}
	return fmt.Errorf("%s: %w", x.opts.Dir, plain(cause))
}

// explain returns blocks of which the first frame says how many are missing before it.
func (x *ring) explain(b []byte) []byte {
	size := int(le.Uint32(b[4:]))
	options := pcapng.PacketSize(int(le.Uint32(b[20:]))) - 4
	out := append([]byte(nil), b[:options]...)
	out = pcapng.AppendText(out, le, pcapng.Comment, unwritten(x.missing, x.why))
	out = pcapng.AppendCount(out, le, pcapng.DropCount, uint64(x.missing))
	if rest := b[options : size-4]; len(rest) > 0 {
		out = append(out, rest...)
	} else {
		out = pcapng.EndOptions(out, le)
	}
	return append(pcapng.End(out, le, 0), b[size:]...)
}

// beginFile makes room for a file and begins it, with frames from a time on.
func (x *ring) beginFile(from int64) error {
	if x.limits.Count == 1 {
		x.ending.Wait() // it would be deleted meanwhile
	}
	if err := x.makeRoom(); err != nil {
		return err
	}
	name := fmt.Sprintf("rdmacap-%06d-%s.pcapng", x.last+1, time.Unix(0, from).UTC().Format("20060102T150405Z"))
	x.path = filepath.Join(x.opts.Dir, name)
	out, err := x.opts.newFile(x.path + marked)
	if err != nil {
		return fmt.Errorf("%s: %w", x.opts.Dir, plain(err))
	}
	head := pcapng.AppendHeader(nil, le, "", x.opts.Program)
	if _, err := out.Write(head); err != nil {
		out.Close()
		os.Remove(x.path + marked)
		return fmt.Errorf("%s: %w", x.opts.Dir, plain(err))
	}
	x.last++
	x.out, x.begun, x.size, x.ports, x.frames = out, time.Now(), int64(len(head)), 0, 0
	return nil
}

// makeRoom deletes as many of the oldest files as it takes for another one of full size.
func (x *ring) makeRoom() error {
	list, err := x.list()
	if err != nil {
		return err
	}
	var size int64
	for _, f := range list {
		size += f.size
		x.last = max(x.last, f.number)
	}
	for len(list) > 0 && (len(list) >= x.limits.Count || size+x.limits.Size > x.limits.Bytes()) {
		if err := os.Remove(list[0].path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: cannot be deleted, to make room: %w", list[0].path, plain(err))
		}
		size -= list[0].size
		list = list[1:]
	}
	return nil
}

// old reports whether a file was written for long enough.
func (x *ring) old(now time.Time) bool {
	return x.out != nil && x.frames > 0 && now.Sub(x.begun) >= x.limits.Age
}

// report says what was written.
func (x *ring) report() {
	x.ending.Wait()
	if x.written > 0 {
		x.opts.notify(false, "%s: %s written to %s", x.opts.Dir, counted(x.written, "frame", "frames"), counted(x.files, "file", "files"))
	}
	x.guard.Lock()
	skipped := x.skipped + x.unkept
	x.guard.Unlock()
	if skipped > 0 {
		x.opts.notify(true, "%s: %s not written", x.opts.Dir, counted(skipped, "frame was", "frames were"))
	}
}
