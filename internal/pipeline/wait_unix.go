//go:build unix

package pipeline

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Where the signal went to whoever writes a pipe as well, as that of a terminal does,
// what it still writes is read: for as long as it does not pause, and not for ever.
const (
	lastPause = 100 * time.Millisecond
	lastWords = time.Second
)

// openFIFO opens a FIFO, and does not wait until somebody writes it: whoever reads it does.
func openFIFO(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

// A waiter reads what may have to be waited for, until an end is asked for.
type waiter struct {
	*os.File
	stop *Stop
	wake *os.File // can be read when there is one
}

// Reader is f, of which an interruption ends the reading.
func (s *Stop) Reader(f *os.File) io.Reader {
	wake, woken, err := os.Pipe()
	if err != nil {
		return f // and only more input shows it
	}
	s.WhenEnded(func() { woken.Close() })
	return &waiter{f, s, wake}
}

func (w *waiter) Read(p []byte) (int, error) {
	for {
		list := []unix.PollFd{{Fd: int32(w.File.Fd()), Events: unix.POLLIN}, {Fd: int32(w.wake.Fd()), Events: unix.POLLIN}}
		timeout := -1
		if w.stop.came() {
			if w.stop.Clock().Sub(time.Unix(0, w.stop.since.Load())) > lastWords {
				return 0, ErrInterrupted
			}
			list, timeout = list[:1], int(lastPause.Milliseconds())
		}
		n, err := unix.Poll(list, timeout)
		switch {
		case err == unix.EINTR:
		case err != nil || list[0].Revents != 0:
			return w.File.Read(p) // what is there, the end, or the error
		case n == 0:
			return 0, ErrInterrupted
		}
	}
}
