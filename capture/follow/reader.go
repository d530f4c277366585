package follow

import (
	"io"
	"os"
	"time"
)

// again is how often is looked whether there is more.
const again = 20 * time.Millisecond

// Until says how long is waited for more.
type Until struct {
	// Done is closed when nothing more is waited for, and Err what reading ends with then,
	// when all that is there was read.
	Done <-chan struct{}
	Err  error
}

// wait waits a little, and reports false if nothing more is waited for.
func (u *Until) wait() bool {
	select {
	case <-u.Done:
		return false
	case <-time.After(again):
		return true
	}
}

// stopped reports whether nothing more is waited for.
func (u *Until) stopped() bool {
	select {
	case <-u.Done:
		return true
	default:
		return false
	}
}

// A Reader reads a file that grows: at its end it waits for more.
type Reader struct {
	file  *os.File
	until Until
	// finished is asked at the end of the file, and reports whether nobody writes it any
	// more; nil if that cannot be known.
	finished func() bool
	read     int64
}

// NewReader returns a Reader of a file, from where it stands.
func NewReader(f *os.File, until Until) *Reader { return &Reader{file: f, until: until} }

// Read waits for at least one byte. It ends with io.EOF when the file was deleted, and
// with io.ErrUnexpectedEOF when it became shorter than what was read of it.
func (r *Reader) Read(p []byte) (int, error) {
	for {
		// Who writes may end it between the read and the question.
		over, stopped := r.over(), r.until.stopped()
		n, err := r.file.Read(p)
		r.read += int64(n)
		switch {
		case n > 0 || len(p) == 0:
			return n, nil
		case err != nil && err != io.EOF:
			return 0, err
		case over:
			return 0, io.EOF
		case stopped:
			return 0, r.until.Err
		}
		if info, err := r.file.Stat(); err == nil && info.Size() < r.read {
			return 0, io.ErrUnexpectedEOF
		}
		r.until.wait()
	}
}

// over reports whether nobody writes the file any more.
func (r *Reader) over() bool {
	if r.finished != nil {
		return r.finished()
	}
	mine, err := r.file.Stat()
	if err != nil {
		return true
	}
	there, err := os.Stat(r.file.Name())
	return err != nil || !os.SameFile(mine, there)
}
