package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
	"github.com/rdmacap/rdmacap/internal/newfile"
)

// Options are what a Recorder can be told.
type Options struct {
	// Dir is the folder that all is written to. What it is in must exist.
	Dir string
	// Ring are the limits of the ring of files, nil for no ring.
	Ring *Limits
	// Evidence says what is kept on occasions, nil for nothing.
	Evidence *Evidence
	// Wait has whoever reads frames wait where the disk cannot keep up. Otherwise frames
	// are counted then, and not kept.
	Wait bool
	// Rights limit who may read the files, beside the umask: at most the group. 0 for no such
	// limit.
	Rights fs.FileMode
	// Program is what files say that they were written by.
	Program string
	// Describe returns the name and the description of the interface by which a frame
	// came, "" for none. It is called by whoever reads frames.
	Describe func(f *capture.Frame) (name, description string)
	// Drops returns how many frames of a capture.Frame.File were dropped so far: before
	// they came to the ring in which capturing has them, and by that. It is called by any
	// goroutine; nil if nobody knows.
	Drops func(file int) (before, ring int64)
	// Notify is told, in a line, what the user is to know; urgent if frames are not written, or
	// evidence is not. It is called by any goroutine.
	Notify func(line string, urgent bool)

	// create makes files, for tests; nil for those of the system.
	create func(path string) (file, error)
	// clock is the time by which is tried again, for tests; nil for that of the system.
	clock func() time.Time
}

// A Recorder keeps what is captured.
type Recorder struct {
	opts Options
	lock *dirLock
	done chan struct{} // closed when the goroutine has ended
	wake chan struct{}

	guard   sync.Mutex // of what follows
	freed   sync.Cond  // a chunk is free
	ports   interfaces
	pool    *pool
	current *chunk   // that frames are appended to, nil if there is none
	full    []*chunk // those that are not written, in order
	lost    int64    // frames since the last one that was kept
	// asked are occasions that nobody has looked at yet; reopen and closing ask for that.
	asked           []Trigger
	unserved        int64 // occasions for which asked had no room
	reopen, closing bool
	busy            bool  // the goroutine is at work
	unkept          int64 // frames that were not copied
	began           int64 // time of the first frame

	// The goroutine's own. taken are the chunks that it had last.
	taken  []*chunk
	ring   *ring
	window window
	writer *evidenceWriter
}

// mostAsked is how many occasions may wait.
const mostAsked = 4096

// flushEvery is how often what is in an unfinished chunk is written.
const flushEvery = 500 * time.Millisecond

// Open begins to keep, in a folder that it makes if only that is missing. An error says, in one line, why nothing can be written.
func Open(o Options) (*Recorder, error) {
	if _, err := os.Stat(o.Dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.Mkdir(o.Dir, newfile.Folder(o.rights())); err != nil {
			return nil, fmt.Errorf("%s: cannot be made: %w", o.Dir, plain(err))
		}
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, err
	}
	r := &Recorder{opts: o, lock: lock, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	r.freed.L = &r.guard
	r.ports = interfaces{ids: make(map[origin]uint32), describe: o.Describe, drops: o.Drops}
	small := int64(1 << 40)
	if o.Ring != nil {
		small = o.Ring.Size
		if r.ring, err = openRing(r); err != nil {
			lock.release()
			return nil, err
		}
	}
	if o.Evidence != nil {
		small = min(small, o.Evidence.Memory)
		r.window.Around = o.Evidence.Around
		if r.writer, err = openEvidenceWriter(r); err != nil {
			lock.release()
			return nil, err
		}
	}
	r.pool = newPool(small)
	go r.run()
	return r, nil
}

// notify notifies the user.
func (o *Options) notify(urgent bool, format string, args ...any) {
	if o.Notify != nil {
		o.Notify(fmt.Sprintf(format, args...), urgent)
	}
}

// Source is s, of which every frame that is read is kept.
func (r *Recorder) Source(s capture.Source) capture.Source {
	x := &source{Source: s, recorder: r}
	x.ready, _ = s.(capture.Ready)
	return x
}

// A source keeps what is read.
type source struct {
	capture.Source
	ready    capture.Ready // nil if the Source is not Ready
	recorder *Recorder
}

// Next implements capture.Source.
func (s *source) Next(f *capture.Frame) error {
	err := s.Source.Next(f)
	if err == nil {
		s.recorder.addFrame(f)
	}
	return err
}

// Ready implements capture.Ready.
func (s *source) Ready() bool { return s.ready != nil && s.ready.Ready() }

// Keep implements capture.Keeper.
func (s *source) Keep(n int) bool {
	k, ok := s.Source.(capture.Keeper)
	return ok && s.ready != nil && k.Keep(n)
}

// addFrame copies a frame into the chunk in hand.
func (r *Recorder) addFrame(f *capture.Frame) {
	r.guard.Lock()
	defer r.guard.Unlock()
	if r.closing {
		return // a reader whose frames nobody wants any more may read one
	}
	id := r.ports.interfaceOf(f)
	port := r.ports.list[id]
	port.delivered++
	if r.began == 0 {
		r.began = f.Time
	}
	room := pcapng.PacketSize(len(f.Data)) + mostOptions
	for _, c := range f.Comments() {
		room += len(c) + 8
	}
	if c := r.current; c != nil && (len(c.b)+room > cap(c.b) || c.away(f.Time)) {
		r.cut()
	}
	for r.current == nil {
		if r.current = r.pool.takeChunk(room); r.current != nil {
			break
		}
		if !r.opts.Wait || r.closing {
			r.lost++
			r.unkept++
			return
		}
		r.freed.Wait()
	}
	c := r.current
	start := len(c.b)
	b := pcapng.BeginPacket(c.b, le, pcapng.Packet{Interface: id, Length: uint32(f.Length), Ticks: uint64(f.Time)}, f.Data)
	if f.Extra != nil || r.lost > 0 {
		b = r.options(b, f, id)
	}
	c.b = pcapng.End(b, le, start)
	c.note(f.Time, len(r.ports.list))
}

// mostOptions is the most bytes that options have besides the comments that a frame has.
const mostOptions = 512

// options appends those of a frame: its comments, and what is missing before it.
func (r *Recorder) options(b []byte, f *capture.Frame, id uint32) []byte {
	for _, c := range f.Comments() {
		b = pcapng.AppendText(b, le, pcapng.Comment, c)
	}
	missing := r.lost
	if r.lost > 0 {
		b = pcapng.AppendText(b, le, pcapng.Comment, unwritten(r.lost, "the disk did not keep up"))
		r.lost = 0
	}
	if f.Dropped() {
		dropped := r.ports.newDrops(id)
		if missing += dropped; missing == 0 {
			b = pcapng.AppendText(b, le, pcapng.Comment, capture.DropComment)
		}
	}
	if missing > 0 {
		b = pcapng.AppendCount(b, le, pcapng.DropCount, uint64(missing))
	}
	return pcapng.EndOptions(b, le)
}

// unwritten is a comment on a frame before which others were not written.
func unwritten(n int64, why string) string {
	return fmt.Sprintf("rdmacap: before this frame %s captured and not written: %s", counted(n, "frame was", "frames were"), why)
}

// counted is a number of things.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// cut ends the chunk in hand.
func (r *Recorder) cut() {
	if r.current != nil {
		r.full, r.current = append(r.full, r.current), nil
		r.signal()
	}
}

// signal wakes the goroutine.
func (r *Recorder) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Reopen ends the file that is being written, and begins a new one with the next frame.
func (r *Recorder) Reopen() {
	r.guard.Lock()
	defer r.guard.Unlock()
	r.reopen = true
	r.signal()
}

// Occur reports an occasion.
func (r *Recorder) Occur(o Trigger) {
	r.guard.Lock()
	defer r.guard.Unlock()
	if len(r.asked) == mostAsked {
		r.unserved++
		return
	}
	r.asked = append(r.asked, o)
	r.signal()
}

// Close ends keeping, when nobody wants frames any more: what is not written is, files
// are whole, and evidence is made.
func (r *Recorder) Close() {
	r.guard.Lock()
	r.closing = true
	r.cut()
	r.signal()
	r.freed.Broadcast()
	r.guard.Unlock()
	<-r.done
	r.pool.release()
	r.window.release()
	r.lock.release()
}
