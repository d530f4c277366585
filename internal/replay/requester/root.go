package requester

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// bindRoot asks the server for the root's handle over the same connection, by NFS version 4,
// and ties it to the captured one.
func (r *run) bindRoot(ctx context.Context) error {
	if r.o.Binder == nil || r.plan.Root == nil {
		return nil
	}
	like := r.plan.credential()
	for wait := firstRetry; ; wait = min(2*wait, mostRetry) {
		r.xid++
		call, err := bind.RootCall(like, r.xid, r.o.RootPath)
		if err != nil {
			return err
		}
		reply, err := r.ask(ctx, call)
		if err != nil {
			return err
		}
		handle, err := bind.RootHandle(reply, r.o.RootPath)
		switch {
		case err == nil:
			r.o.Binder.TieHandle(r.plan.Root, handle)
			return nil
		case !errors.Is(err, bind.ErrWait):
			return fmt.Errorf("%w (--export names another path)", err)
		}
		if err := r.pause(ctx, wait); err != nil {
			return err
		}
	}
}

// pause waits before a server is asked again.
func (r *run) pause(ctx context.Context, wait time.Duration) error {
	r.turns.leave()
	defer r.turns.enter()
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ask sends a call of the replay's own, with the XID r.xid, and waits for the reply.
func (r *run) ask(ctx context.Context, call []byte) (reply []byte, err error) {
	if err := r.post(wire.Plain(r.xid, reverseCredits, call)); err != nil {
		return nil, r.why(err)
	}
	return r.answerTo(ctx, r.xid)
}

// credential is a call of the plan whose credential is one that servers take: NULL, which comes
// first, has AUTH_NONE.
func (p *Plan) credential() (data []byte) {
	for _, s := range p.steps {
		if s.call == nil || !s.call.HasHeader {
			continue
		}
		if data == nil || s.call.Header.Cred.Flavor != rpc.AuthNone {
			data, _ = s.call.Message()
		}
		if s.call.Header.Cred.Flavor != rpc.AuthNone {
			break
		}
	}
	return data
}

// answerTo waits for the reply to a call of the replay's own.
func (r *run) answerTo(ctx context.Context, xid uint32) (data []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.o.ReplyLimit, fmt.Errorf("the server does not reply within %v", r.o.ReplyLimit))
	defer cancel()
	for data == nil {
		done, err := r.next(ctx)
		if err != nil {
			return nil, err
		}
		if done.Operation == transport.OpSend {
			r.underWay--
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		if r.header.Decode(done.Message); r.header.XID == xid && r.header.Length >= rpcrdma.FixedSize {
			data = append([]byte{}, done.Message[min(r.header.Length, len(done.Message)):]...)
			if r.header.Credits > 0 {
				r.grant = r.header.Credits
			}
		}
		if err := r.c.Repost(done); err != nil {
			return nil, err
		}
	}
	return data, nil
}
