package requester_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// A busyServer takes the first call, then waits for a burst of calls, asks to try all of them
// again, and grants one credit. It says whether more calls than that come.
type busyServer struct {
	roots server // tells the root's handle
	burst int
	reply []byte // that of a GETATTR, in RPC
	c     transport.Connection
}

// jukebox is the status NFS3ERR_JUKEBOX (RFC 1813, section 2.6).
const jukebox = 10008

// call waits for a call, and answers those that ask for the root.
func (s *busyServer) call(ctx context.Context) (xid uint32, err error) {
	for {
		done, err := s.c.Next(ctx)
		if err != nil {
			return 0, err
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		var h rpcrdma.Header
		h.Decode(done.Message)
		root := s.roots.rootReply(&h, done.Message[h.Length:])
		if err := s.c.Repost(done); err != nil {
			return 0, err
		}
		if root == nil {
			return h.XID, nil
		}
		if err := s.c.Send(1, root); err != nil {
			return 0, err
		}
	}
}

// answer answers a call with success, or without it asks to try again.
func (s *busyServer) answer(xid, credits uint32, success bool) error {
	reply := binary.BigEndian.AppendUint32(make([]byte, 24), jukebox)
	reply[7] = 1 // REPLY
	if success {
		reply = slices.Clone(s.reply)
	}
	binary.BigEndian.PutUint32(reply, xid)
	return s.c.Send(2, wire.Plain(xid, credits, reply))
}

func (s *busyServer) run(ctx context.Context) error {
	first, err := s.call(ctx)
	if err != nil {
		return err
	}
	if err := s.answer(first, 32, true); err != nil {
		return err
	}
	var burst []uint32
	for range s.burst {
		xid, err := s.call(ctx)
		if err != nil {
			return err
		}
		burst = append(burst, xid)
	}
	for _, xid := range burst {
		if err := s.answer(xid, 1, false); err != nil {
			return err
		}
	}
	for i := range s.burst {
		xid, err := s.call(ctx)
		if err != nil {
			return err
		}
		// All are due by now: one that ignores the grant sends them at once.
		soon, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		_, err = s.call(soon)
		cancel()
		if err == nil {
			return fmt.Errorf("another call came while that of try %d was open, and the grant is 1", i+1)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err := s.answer(xid, 1, true); err != nil {
			return err
		}
	}
	return nil
}

// TestRetryCredits holds that calls which are retransmitted keep to the grant, as others do.
func TestRetryCredits(t *testing.T) {
	t.Parallel()
	const calls = 5
	n := 0
	c := replaytest.Sample(t, "rxe-basic", script.Options{Select: func(r *dissect.RPC) bool {
		if string(r.AppendName(nil, r.Ops(nil))) != "NFS3 GETATTR" || n == calls {
			return false
		}
		n++
		return true
	}})
	// The first is answered before the others are sent, all at once.
	slices.SortStableFunc(c.Messages[2:], func(a, b *script.Message) int {
		switch {
		case a.ToServer == b.ToServer:
			return 0
		case a.ToServer:
			return -1
		}
		return 1
	})
	o := bound(t)
	o.Immediately = true
	p, err := requester.NewPlan(c, o)
	if err != nil {
		t.Fatal(err)
	}
	if p.Calls != calls || p.Most != calls-1 {
		t.Fatalf("%d calls, %d open at once", p.Calls, p.Most)
	}
	f := fabric.New(fabric.SoftRoCE())
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	if err != nil {
		t.Fatal(err)
	}
	s := &busyServer{roots: server{root: p.Root}, burst: calls - 1}
	s.reply, _ = c.Calls[0].Result()
	served := make(chan error, 1)
	ctx := replaytest.Patience(t)
	go func() {
		asked, err := l.Next(ctx)
		if err == nil {
			s.c, err = asked.Accept(ctx, transport.Options{PrivateData: wire.PrivateData(4096, 4096, false), Receives: 64})
		}
		if err == nil {
			err = s.run(ctx)
			err = errors.Join(err, s.c.Close())
		}
		served <- err
	}()
	r, err := requester.Run(ctx, f, l.Addr(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if n := r.Counts(); n.Answered != calls || n.Retried != calls-1 || r.Ended != nil {
		t.Errorf("%+v, ended %v", n, r.Ended)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
