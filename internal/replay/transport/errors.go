package transport

import "errors"

// ErrFull is returned where as much work is under way as Options.Work allows: take
// completions first.
var ErrFull = errors.New("the send queue is full")

// ErrClosed is returned by what is used after Close.
var ErrClosed = errors.New("the connection is closed")

// A WorkError is why work failed: a status of InfiniBand's completions and what that means.
type WorkError struct {
	Status int // of enum ibv_wc_status
	Text   string
}

func (e *WorkError) Error() string { return e.Text }

// Flushed is the status of work that was not done since the connection had ended.
const Flushed = 5

// A Disconnected says that a connection has ended, and why.
type Disconnected struct{ Reason error }

func (e *Disconnected) Error() string { return "the connection has ended: " + e.Reason.Error() }
func (e *Disconnected) Unwrap() error { return e.Reason }

// A Rejected says that a peer, or its machine, refused a connection.
type Rejected struct {
	// Status is the reason of InfiniBand's CM (8: nobody listens, 28: the program at that
	// port refused), or a negative errno on iWARP.
	Status int
	// PrivateData came with it.
	PrivateData []byte
	Text        string
}

func (e *Rejected) Error() string { return e.Text }
