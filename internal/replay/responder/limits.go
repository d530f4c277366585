package responder

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// Limits bound what clients can have a Server hold. What is 0 is its default.
type Limits struct {
	// Memory is how many bytes all connections together hold beside the conversation: Receives,
	// Sends, and what Read chunks, replies and RDMA Writes take.
	Memory int64
	// MaxRegistered is how many bytes are registered for chunks at once on one connection, which
	// does one call at a time.
	MaxRegistered int64
	// MaxConnections is how many are served at once.
	MaxConnections int
	// Idle is how long a client may send nothing.
	Idle time.Duration
	// AfterFunc is time.AfterFunc but in tests.
	AfterFunc func(d time.Duration, f func()) Timer
}

// A Timer is what a *time.Timer is.
type Timer interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// What Limits are where they are 0. Linux clients that have nothing to do disconnect after 5
// minutes with NFS version 3, and renew their lease every minute or so with version 4.
const (
	DefaultMemory         = 1 << 30
	DefaultMaxConnections = 64
	DefaultIdle           = 10 * time.Minute
)

// mostPulled is how many bytes the Read chunks of a call may have, and an RDMA Write.
const mostPulled = 64 << 20

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.MaxRegistered == 0 {
		l.MaxRegistered = wire.DefaultMaxRegistered
	}
	if l.MaxConnections == 0 {
		l.MaxConnections = DefaultMaxConnections
	}
	if l.Idle == 0 {
		l.Idle = DefaultIdle
	}
	if l.AfterFunc == nil {
		l.AfterFunc = func(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
	}
	return l
}

// reserve counts memory that is going to be held, and reports whether there is room for it. give
// gives it back.
func (s *Server) reserve(bytes int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes > s.options.Memory-s.held {
		return false
	}
	s.held += bytes
	return true
}

func (s *Server) give(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held -= bytes
}

// each is what a connection holds while nothing is under way.
func (s *Server) each() int64 {
	return int64(s.receives)*int64(s.receive) + transport.DefaultWork*int64(s.sendSize)
}

// admit says why a client is not served, "" if it is: leave then takes back what it counts.
func (s *Server) admit() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.serving == s.options.MaxConnections:
		return fmt.Sprintf("%d are being served, which is the limit (--max-connections)", s.serving)
	case s.each() > s.options.Memory-s.held:
		return fmt.Sprintf("%d bytes are held, and another %d would exceed the limit (--memory)", s.held, s.each())
	}
	s.serving++
	s.held += s.each()
	return ""
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serving--
	s.held -= s.each()
}

// needs is how much memory the Read chunks of a call take, copies included: each is registered, and
// a Position-Zero Read chunk is read several times. All is how many bytes they have.
func needs(h *rpcrdma.Header) (bytes, all uint64) {
	most, zero := uint64(0), uint64(0)
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		chunk := uint64(0)
		for _, g := range segments {
			chunk += uint64(g.Length)
		}
		all += chunk
		most = max(most, chunk)
		if position == 0 {
			zero = chunk
		}
	}
	return all + most + 4*zero, all
}

// over answers a call that would take more than a limit allows, and says so.
func (s *session) over(ctx context.Context, in *incoming, why string) error {
	s.count(func(r *Report) { r.OverLimit++ })
	return s.refuse(ctx, &in.header, why)
}

// tooMuch says which limit the Read chunks of a call are over, "" if there is memory for them, which is
// taken.
func (s *session) tooMuch(bytes, all uint64) string {
	most := uint64(min(mostPulled, s.options.MaxRegistered))
	switch {
	case all > most:
		return fmt.Sprintf("its Read chunks have %d bytes, more than the %d allowed per call (64 MiB, or --max-registered)", all, most)
	case !s.reserve(int64(bytes)):
		return fmt.Sprintf("its Read chunks need %d bytes of memory, more than is left (--memory)", bytes)
	}
	return ""
}

// errIdle is why a connection ends of which nothing was heard.
var errIdle = errors.New("the client sent nothing")

// costs is how much memory the reply of an entry takes on its way: the result and its copies, the data of
// Write chunks, and one RDMA Write at a time. largest is how much of it is registered at once.
func (e *entry) costs() (bytes, largest uint64) {
	if e.call.Reply == nil {
		return 0, 0
	}
	h := &e.call.Reply.Header
	result := uint64(e.call.Reply.Length)
	if h.HasReply {
		_, length := e.call.Lacking(rpcrdma.ForReply, 0)
		result += length
	}
	bytes, largest = 3*result, result
	for i := range h.Writes {
		_, length := e.call.Lacking(rpcrdma.ForWrite, i)
		bytes += length
		largest = max(largest, length)
	}
	for _, o := range e.operations {
		largest = max(largest, min(o.Length, mostPulled))
	}
	return bytes + 2*largest, largest
}
