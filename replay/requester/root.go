package requester

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/replay/bind"
	"github.com/rdmacap/rdmacap/replay/effect"
	"github.com/rdmacap/rdmacap/replay/script"
	"github.com/rdmacap/rdmacap/replay/transport"
	"github.com/rdmacap/rdmacap/replay/wire"
)

// survey looks for what no binder will be able to replace: it is said beforehand. A root handle
// is asked of the live server. Calls are judged by what is going to be replaced in them.
func (p *Plan) survey(specs []*types.Spec) (judged map[*script.Call]effect.Verdict, err error) {
	if err := p.beginning(specs); err != nil {
		return nil, err
	}
	s, err := bind.NewSurvey(specs...)
	if err != nil {
		return nil, err
	}
	for i := range p.Own.Before {
		own := &p.Own.Before[i]
		c, err := s.Call(own.Call)
		if err != nil {
			return nil, err
		}
		s.Reply(c, own.Reply)
	}
	judged = make(map[*script.Call]effect.Verdict)
	counts := make(map[string]int)
	var kinds []string
	err = p.surveyed(s, func(x *step, bound *bind.Call) {
		judged[x.call] = p.judged(x.message, bound.Kept)
		for _, u := range bound.Unbound {
			if u.Kind == types.Handles.String() && s.Root() != nil && string(u.Value) == string(s.Root()) {
				continue
			}
			line := fmt.Sprintf("the %s in %s %s", u.Kind, u.Field, u.Reason)
			if counts[line]++; counts[line] == 1 {
				kinds = append(kinds, line)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	p.Unbound = append(p.Unbound, p.Own.Lacking...)
	for _, line := range kinds {
		p.Unbound = append(p.Unbound, fmt.Sprintf("%s: sent as captured in %s", line, plural(counts[line], "place")))
	}
	p.Root = s.Root()
	if p.Options.RootPath == "" {
		p.Options.RootPath = s.Export()
	}
	if p.Options.RootPath == "" {
		p.Options.RootPath = "/"
	}
	return judged, nil
}

// A surveyor looks through the calls and replies of a conversation.
type surveyor interface {
	Call(bind.Message) (*bind.Call, error)
	Reply(*bind.Call, bind.Message)
}

// surveyed gives the calls and replies of the plan to a surveyor, in the order of the capture, and
// each call to see.
func (p *Plan) surveyed(s surveyor, see func(*step, *bind.Call)) error {
	calls := make(map[*script.Call]*bind.Call)
	for i := range p.steps {
		x := &p.steps[i]
		if x.call == nil || !x.call.HasHeader {
			continue
		}
		if x.kind == stepAwait {
			if before := capturedReply(&Exchange{Call: x.call}); before != nil && calls[x.call] != nil {
				s.Reply(calls[x.call], *before)
			}
			continue
		}
		octets, _ := x.call.Message()
		m := bindMessage(x.call, octets)
		m.Reads = readChunks(x.call)
		bound, err := s.Call(m)
		if err != nil {
			return err
		}
		calls[x.call] = bound
		see(x, bound)
	}
	return nil
}

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
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// pause waits before a server is asked again.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ask sends a call of the replay's own, with the XID r.xid, and waits for the reply.
func (r *run) ask(ctx context.Context, call []byte) (reply []byte, err error) {
	if err := r.post(wire.Plain(r.xid, backwardCredits, call)); err != nil {
		return nil, r.why(err)
	}
	return r.answerTo(ctx, r.xid)
}

// credential is a call of the plan whose credential is one that servers take: NULL, which comes
// first, has AUTH_NONE.
func (p *Plan) credential() (octets []byte) {
	for _, s := range p.steps {
		if s.call == nil || !s.call.HasHeader {
			continue
		}
		if octets == nil || s.call.Header.Cred.Flavor != rpc.AuthNone {
			octets, _ = s.call.Message()
		}
		if s.call.Header.Cred.Flavor != rpc.AuthNone {
			break
		}
	}
	return octets
}

// answerTo waits for the reply to a call of the replay's own.
func (r *run) answerTo(ctx context.Context, xid uint32) (octets []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.o.ReplyLimit, fmt.Errorf("the server does not reply within %v", r.o.ReplyLimit))
	defer cancel()
	for octets == nil {
		done, err := r.c.Next(ctx)
		if err != nil {
			return nil, err
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		if r.header.Decode(done.Message); r.header.XID == xid && r.header.Length >= rpcrdma.FixedSize {
			octets = append([]byte{}, done.Message[min(r.header.Length, len(done.Message)):]...)
			if r.header.Credits > 0 {
				r.grant = r.header.Credits
			}
		}
		if err := r.c.Repost(done); err != nil {
			return nil, err
		}
	}
	return octets, nil
}
