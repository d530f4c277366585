package responder

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

const accessWrite = dissect.AccessWrite

// Options say how a captured server is played.
type Options struct {
	// Unmatched is what is done about calls that match none of the capture.
	Unmatched Unmatched
	// Specs describe the programs, of two that describe one the first counts; nfs.Spec is
	// the usual one.
	Specs []*types.Spec
	// Connections is how many connections are served before Serve returns; 0 is as many as
	// come.
	Connections int
	Limits
	// Noted, if not nil, is told at once what Report.Notes will say.
	Noted func(line string)
}

// defaultInline is the inline threshold of RFC 8166 without private data, linuxInline that
// of Linux with it.
const (
	defaultInline = 1024
	linuxInline   = 4096
)

// A Server plays the server of one conversation.
type Server struct {
	options      Options
	binder       *bind.Binder
	private      []byte
	reverseCalls []*script.Call
	lacks        []string
	others       []script.Other // connections that are left out
	leftOut      string         // the same for a person
	receives     int            // that are published, for the credits that are granted
	receive      int            // bytes of each
	sendSize     int

	mu       sync.Mutex
	matcher  *matcher
	sessions *sessions
	report   Report
	serving  int   // connections
	held     int64 // bytes, of Limits.Memory
}

// New returns a Server of a conversation, or says why it cannot be played: RPCSEC_GSS, another
// version of RPC-over-RDMA, no calls.
func New(c *script.Conversation, o Options) (*Server, error) {
	if err := c.CannotBeSent(); err != nil {
		return nil, err
	}
	binder, err := bind.New(bind.Options{}, o.Specs...)
	if err != nil {
		return nil, err
	}
	o.Limits = o.withDefaults()
	s := &Server{options: o, binder: binder, receive: linuxInline, sendSize: linuxInline, receives: 32}
	if s.matcher, err = newMatcher(c, o.Specs); err != nil {
		return nil, err
	}
	if len(s.matcher.entries) == 0 {
		return nil, errors.New("no call of the client on this connection was captured completely: there is nothing to answer")
	}
	s.sessions = newSessions(s.matcher.entries)
	s.private, s.lacks = wire.Given(&c.Server), lacks(c)
	s.others, s.leftOut = c.Others, c.LeftOut()
	if s.private == nil {
		s.private = wire.PrivateData(linuxInline, linuxInline, false)
	}
	if told := c.Server.Declared; told != nil {
		s.receive, s.sendSize = told.ReceiveSize(), told.SendSize()
	}
	for _, m := range c.Messages {
		if m.ToServer {
			s.receive = max(s.receive, m.Length)
		} else {
			s.sendSize = max(s.sendSize, m.Length+64)
			s.receives = max(s.receives, int(min(m.Header.Credits, mostCredits)))
		}
	}
	for _, call := range c.Calls {
		if call.Reverse && call.Request.Missing == "" {
			s.reverseCalls = append(s.reverseCalls, call)
		}
	}
	s.receives += 1 + len(s.reverseCalls)
	if s.each() > o.Memory {
		return nil, fmt.Errorf("a connection needs %d bytes of memory for Receives and Sends, and the limit leaves %d after the conversation (--memory)", s.each(), max(0, o.Memory))
	}
	s.report.Captured = len(s.matcher.entries)
	return s, nil
}

// mostCredits is how many Receives are published at most, whatever the capture grants.
const mostCredits = 4096

// Serve waits at an address for clients and serves them, until the context ends, or as many as
// the options say have left. It closes all that it opened.
func (s *Server) Serve(ctx context.Context, p transport.Provider, at netip.AddrPort, listening func(netip.AddrPort)) (err error) {
	l, err := p.Listen(at)
	if err != nil {
		return err
	}
	var serving sync.WaitGroup
	defer func() {
		serving.Wait()
		err = errors.Join(err, l.Close())
	}()
	if listening != nil {
		listening(l.Addr())
	}
	for n := 0; s.options.Connections == 0 || n < s.options.Connections; {
		r, err := l.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		if why := s.admit(); why != "" {
			s.count(func(r *Report) { r.Refused++ })
			s.note("%v: the connection was refused: %s", r.Peer(), why)
			if err := r.Reject(nil); err != nil {
				s.note("%v: %v", r.Peer(), err)
			}
			continue
		}
		n++
		serving.Go(func() {
			defer s.leave()
			if err := s.serve(ctx, r); err != nil {
				s.note("%v: %v", r.Peer(), err)
			}
		})
	}
	return nil
}

// serve serves one connection.
func (s *Server) serve(ctx context.Context, r transport.Request) error {
	d := r.Device()
	if d.MostWork > 0 && s.receives > d.MostWork {
		s.note("%s supports %d Receives, and the capture grants more credits", d.Name, d.MostWork)
	}
	c, err := r.Accept(ctx, transport.Options{
		PrivateData: s.private, Receives: min(s.receives, max(d.MostWork, 1)), ReceiveSize: s.receive, SendSize: s.sendSize,
	})
	if err != nil {
		return err
	}
	s.count(func(r *Report) { r.Connections++ })
	theirs, told := rpcrdma.FindPrivateData(r.PrivateData())
	of := &session{
		Server: s, conn: c, inline: defaultInline, handles: make(map[uint32]rpcrdma.Segment), calling: make(map[uint32]*reverseCall),
		numbers: make(map[slotOf]uint32),
	}
	if told {
		of.inline, of.invalidates = min(theirs.ReceiveSize(), s.sendSize), theirs.RemoteInvalidation()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	of.idle = s.options.AfterFunc(s.options.Idle, func() { cancel(errIdle) })
	defer of.idle.Stop()
	err = of.run(ctx)
	if errors.Is(context.Cause(ctx), errIdle) {
		s.count(func(r *Report) { r.Idle++ })
		return errors.Join(fmt.Errorf("%w for %v, and the connection was closed", errIdle, s.options.Idle), c.Close())
	}
	if isGoodbye(err) || ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, c.Close())
}

// isGoodbye reports whether a connection ended without a fault: by work that was flushed, or
// since the peer left.
func isGoodbye(err error) bool {
	var failed *transport.WorkError
	var left *transport.Disconnected
	if errors.As(err, &failed) {
		return failed.Status == transport.Flushed
	}
	return errors.As(err, &left)
}

// count changes the report.
func (s *Server) count(change func(r *Report)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.report)
}

// note adds a line to the report.
func (s *Server) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	s.count(func(r *Report) { r.note(line) })
	if s.options.Noted != nil {
		s.options.Noted(line)
	}
}

// Report is what was served so far.
func (s *Server) Report() *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.report.clone()
	for _, e := range s.matcher.entries {
		if e.used == 0 {
			r.Unused++
		}
	}
	return r
}
