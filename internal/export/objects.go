package export

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/newfile"
)

// Options are what Objects can be told.
type Options struct {
	// Quiet keeps the table from being written.
	Quiet bool
	// Only says of which RPCs data are exported, nil for all. All tell names of files.
	Only func(r *dissect.RPC) bool
	// Rights are those of the files, before the umask, and with leave to search the ones of
	// the folder; 0 for newfile.All.
	Rights fs.FileMode
}

// Objects is a Sink, and the DataSink that belongs to it, that writes the file
// data of READ, WRITE and READ_PLUS into a folder.
type Objects struct {
	out   io.Writer
	opts  Options
	made  bool // the folder is ours
	spool *spool
	store store
	marks marks
	names names
	left  left
	err   error // the first with a file
}

// left counts what is left out.
type left struct {
	uncalled   int // replies whose call is not in the capture
	unanswered int
	unreadable int
	unnamed    int // the handle is not known
	far        int // beyond maxSize
	many       int // beyond maxObjects or maxPieces
}

// New makes the folder, which must not be there yet or be empty, and writes into
// it. The table of Finish goes to out.
func New(dir string, out io.Writer, opts Options) (*Objects, error) {
	opts.Rights = cmp.Or(opts.Rights, newfile.All)
	x := &Objects{out: out, opts: opts, spool: newSpool(dir)}
	x.store = store{dir: dir, rights: opts.Rights, byKey: make(map[objectKey]*object), numbers: make(map[fileKey]int)}
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return nil, fmt.Errorf("%s is not empty: objects need a new or empty directory", dir)
	case errors.Is(err, os.ErrNotExist):
		if err := os.MkdirAll(dir, newfile.Folder(opts.Rights)); err != nil {
			return nil, err
		}
		x.made = true
	case err != nil:
		return nil, err
	}
	return x, nil
}

// Connection is nothing to Objects.
func (x *Objects) Connection(*dissect.Connection, bool) {}

// Frame is nothing to Objects.
func (x *Objects) Frame(*dissect.FrameView) {}

// Message is nothing to Objects: what counts is known when the RPC is.
func (x *Objects) Message(*dissect.Message) {}

// programNFS is the RPC program whose data are exported (RFC 1813, section 3).
const programNFS = 100003

// Moved keeps bytes of chunks until their RPC has ended. Those of long messages
// the Dissector has.
func (x *Objects) Moved(r *dissect.RPC, segment *rpcrdma.Region, at uint64, content []byte) {
	switch call := r.CallHeader(); {
	case x.err != nil,
		segment.Purpose == rpcrdma.ForReply, segment.Purpose == rpcrdma.ForRead && segment.Position == 0,
		call != nil && call.Program != programNFS:
		return
	}
	x.fail(x.spool.spoolData(r, segment.Purpose, segment.Chunk, segment.Start+at, content))
}

// RPC puts what an RPC moved into its objects.
func (x *Objects) RPC(r *dissect.RPC) {
	defer x.spool.forget(r)
	call := r.CallHeader()
	switch {
	case x.err != nil:
		return
	case call == nil:
		if r.ReplyHeader() != nil && (x.opts.Only == nil || x.opts.Only(r)) {
			x.left.uncalled++
		}
		return
	case call.Program != programNFS:
		return
	}
	h := x.marks.gather(r, call)
	only := x.opts.Only == nil || x.opts.Only(r)
	if only {
		x.left.unanswered += h.unanswered
		x.left.unreadable += h.unreadable
	}
	if len(h.moves) == 0 && len(h.named) == 0 {
		return
	}
	server := r.Connection.Ends[r.Requester.Peer()].Addr.String()
	for _, f := range h.named {
		x.named(fileKey{server, f.handle}, f.name)
	}
	for i := 0; only && i < len(h.moves); i++ {
		x.fail(x.move(r, &h.moves[i], server))
	}
}

// named notes a file's name.
func (x *Objects) named(k fileKey, name string) {
	x.names.note(k, name)
	for _, direction := range [...]string{directionRead, directionWrite} {
		if o := x.store.byKey[objectKey{k, direction}]; o != nil {
			o.name = name
		}
	}
}

// move puts one move into its object.
func (x *Objects) move(r *dissect.RPC, t *move, server string) error {
	switch {
	case x.err != nil || t.length == 0:
		return nil
	case t.file.handle == "":
		x.left.unnamed++
		return nil
	case !fits(t.offset, t.length):
		x.left.far++
		return nil
	case x.store.pieces >= maxPieces:
		x.left.many++
		return nil
	}
	k := fileKey{server, t.file.handle}
	o, err := x.store.object(objectKey{k, t.direction}, r.Connection.ID)
	if o == nil || err != nil {
		if o == nil {
			x.left.many++
		}
		return err
	}
	if o.name == "" {
		o.name = x.names.nameOf(k)
	}
	return x.store.apply(o, r, t, x.spool)
}

func (x *Objects) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// Err is the first error with a file.
func (x *Objects) Err() error { return x.err }

// Flush has nothing to do: the objects are whole only in the end.
func (x *Objects) Flush() error { return x.err }

// Close gives back what is open, and the folder, if that was made for nothing.
// It is to be called whether or not all went well.
func (x *Objects) Close() {
	x.spool.close()
	for _, o := range x.store.open {
		o.file.Close() // after Finish there is none: nothing is lost
	}
	x.store.open = nil
	if x.made {
		os.Remove(x.store.dir) // which keeps it if there is something in it
	}
}
