package requester_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A server answers the calls of a conversation in their order, as they were answered in the
// capture: it reads all Read chunks, writes what the captured server wrote, and replies with
// the captured bytes.
type server struct {
	t     *testing.T
	calls []*script.Call
	// change may change a reply before it is sent, and says whether it is to be sent; delay
	// has the first call be answered only after so many others.
	change func(i int, c *script.Call, reply []byte) (changed []byte, send bool)
	// read is what the Read chunks of each call had.
	read [][]byte
	// backward is called when the first call has been answered.
	backward []byte
	answered [][]byte
	private  []byte
	// silent has it answer nothing.
	silent bool
	// root is the handle that is told to who asks for that of the root.
	root []byte
	// own answers other calls of the replay's own, and saw gets all others, with their header; long may change
	// what is put into Reply chunks. nil does nothing.
	own      func(call []byte) (reply []byte)
	saw      func(i int, h *rpcrdma.Header, call []byte)
	long     func(data []byte) []byte
	receives int
	done     chan error
}

// serve has a server answer one connection of a fabric, and returns where.
func serve(t *testing.T, f *fabric.Fabric, s *server) netip.AddrPort {
	t.Helper()
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	if err != nil {
		t.Fatal(err)
	}
	s.t, s.done = t, make(chan error, 1)
	if s.private == nil {
		s.private = wire.PrivateData(4096, 4096, false)
	}
	if s.receives == 0 {
		s.receives = 64
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { s.done <- s.accept(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-s.done; err != nil {
			t.Errorf("the server: %v", err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if n := f.Left(); n != 0 {
			t.Errorf("%d connections and listeners are left", n)
		}
	})
	return l.Addr()
}

// accept serves one connection after another until the listener is closed.
func (s *server) accept(ctx context.Context, l transport.Listener) error {
	for {
		ask, err := l.Next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		c, err := ask.Accept(ctx, transport.Options{PrivateData: s.private, Receives: s.receives})
		if err != nil {
			return err
		}
		err = s.serve(ctx, c)
		err = errors.Join(err, c.Close())
		if ctx.Err() != nil {
			return nil
		}
		if ended := (*transport.Disconnected)(nil); err != nil && !errors.As(err, &ended) {
			return err
		}
	}
}

func (s *server) serve(ctx context.Context, c transport.Connection) error {
	at := 0
	for {
		done, err := c.Next(ctx)
		if err != nil {
			return err
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		var h rpcrdma.Header
		message := append([]byte(nil), done.Message...)
		if err := c.Repost(done); err != nil {
			return err
		}
		if s.silent {
			continue
		}
		if !h.Decode(message) {
			return errors.New(h.Fault.String())
		}
		if inline := message[h.Length:]; len(inline) >= 8 && binary.BigEndian.Uint32(inline[4:]) == 1 {
			s.answered = append(s.answered, message)
			continue
		}
		if root := s.rootReply(&h, message[h.Length:]); root != nil {
			if err := c.Send(1, root); err != nil {
				return err
			}
			continue
		}
		if s.own != nil && h.Credits == 16 {
			if err := c.Send(1, wire.Plain(h.XID, 64, s.own(message[h.Length:]))); err != nil {
				return err
			}
			continue
		}
		if at == len(s.calls) {
			return errors.New("more calls than in the capture")
		}
		if s.saw != nil {
			s.saw(at, &h, message[h.Length:])
		}
		if err := s.answer(ctx, c, at, s.calls[at], &h); err != nil {
			return err
		}
		if at++; at == 1 && s.backward != nil {
			if err := c.Send(0, s.backward); err != nil {
				return err
			}
		}
	}
}

// answer does for a live call what the captured server did.
func (s *server) answer(ctx context.Context, c transport.Connection, at int, call *script.Call, h *rpcrdma.Header) error {
	var read []byte
	for _, g := range h.Reads {
		b, err := pull(ctx, c, g.Segment)
		if err != nil {
			return err
		}
		read = append(read, b...)
	}
	s.read = append(s.read, read)
	if call.Reply == nil {
		return nil
	}
	live := segments(h)
	w := wire.Rewrite{XID: h.XID, KeepCredits: true}
	for i := range call.Segments {
		g := &call.Segments[i]
		if g.Purpose == rpcrdma.ForRead {
			continue
		}
		data := append([]byte(nil), g.Data...)
		if s.long != nil && g.Purpose == rpcrdma.ForReply {
			data = s.long(data)
		}
		if g.Purpose == rpcrdma.ForReply && g.Start == 0 {
			wire.SetXID(data, call.XID, h.XID)
		}
		if err := push(c, data, live[i]); err != nil {
			return err
		}
	}
	reply := &call.Reply.Header
	var invalidate uint32
	returned := 0
	for i := range call.Segments {
		g := &call.Segments[i]
		if g.Purpose == rpcrdma.ForRead {
			continue
		}
		if returned == len(reply.Segments) {
			break
		}
		back := reply.Segments[returned]
		w.Segments = append(w.Segments, rpcrdma.Segment{Handle: live[i].Handle, Length: back.Length, Offset: live[i].Offset})
		returned++
	}
	for i := range call.Segments {
		if call.Reply.HasInvalidated && call.Segments[i].Handle == call.Reply.Invalidated {
			invalidate = live[i].Handle
		}
	}
	b := w.Append(nil, call.Reply)
	if s.change != nil {
		changed, send := s.change(at, call, b)
		if !send {
			return nil
		}
		b = changed
	}
	if invalidate != 0 {
		return c.SendInvalidate(1, b, invalidate)
	}
	return c.Send(1, b)
}

// segments are those of a header, in its order.
func segments(h *rpcrdma.Header) (list []rpcrdma.Segment) {
	for _, g := range h.Reads {
		list = append(list, g.Segment)
	}
	return append(list, h.Segments...)
}

// pull reads a segment.
func pull(ctx context.Context, c transport.Connection, g rpcrdma.Segment) ([]byte, error) {
	if g.Length == 0 {
		return nil, nil
	}
	r, err := c.Register(int(g.Length), transport.Registration{Access: transport.Sink})
	if err != nil {
		return nil, err
	}
	if err := c.Read(2, transport.Range{Region: r, Length: int(g.Length)}, transport.Remote{Handle: g.Handle, Offset: g.Offset}); err != nil {
		return nil, err
	}
	b := append([]byte(nil), r.Bytes()...) // the fabric has done it
	return b, r.Close()
}

// push writes bytes into a segment.
func push(c transport.Connection, b []byte, g rpcrdma.Segment) error {
	if len(b) == 0 {
		return nil
	}
	r, err := c.Register(len(b), transport.Registration{})
	if err != nil {
		return err
	}
	copy(r.Bytes(), b)
	if err := c.Write(3, transport.Range{Region: r, Length: len(b)}, transport.Remote{Handle: g.Handle, Offset: g.Offset}); err != nil {
		return err
	}
	return r.Close()
}

// rootReply answers PUTROOTFH and GETFH of NFS 4.0, which a binder asks with.
func (s *server) rootReply(h *rpcrdma.Header, rpc []byte) []byte {
	const version = 16
	if s.root == nil || len(rpc) < version+4 || rpc[version+3] != 4 || h.Credits != 16 {
		return nil
	}
	var b []byte
	for _, word := range []uint32{h.XID, 1, 0, 0, 0, 0, 0, 0, 2, 24, 0, 10, 0, uint32(len(s.root))} {
		b = binary.BigEndian.AppendUint32(b, word)
	}
	return wire.Plain(h.XID, 64, append(b, s.root...))
}
