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

// A survey looks for what no binder will be able to replace: it is said beforehand. A root handle
// is asked of the live server. Calls are judged by what is going to be replaced in them.
type survey struct {
	*bind.Survey
	judged map[*script.Call]effect.Verdict
	calls  map[*script.Call]*bind.Call
	counts map[*Plan]map[string]int
}

// newSurvey looks through the steps of all plans in their order.
func newSurvey(f *following, specs []*types.Spec) (*survey, error) {
	of, err := bind.NewSurvey(specs...)
	if err != nil {
		return nil, err
	}
	s := &survey{of, make(map[*script.Call]effect.Verdict), make(map[*script.Call]*bind.Call), make(map[*Plan]map[string]int)}
	at := make([]int, len(f.plans)) // the next step of each
	for _, t := range f.turns {
		if t.dial {
			continue
		}
		p := f.plans[t.plan]
		if err := s.step(p, &p.steps[at[t.plan]]); err != nil {
			return nil, err
		}
		at[t.plan]++
	}
	for _, p := range f.plans {
		s.finish(p)
	}
	return s, nil
}

// step looks at what a step sends, or waits for.
func (s *survey) step(p *Plan, x *step) error {
	if x.call == nil || !x.call.HasHeader {
		return nil
	}
	if x.kind == stepAwait {
		if before := capturedReply(&Exchange{Call: x.call}); before != nil && s.calls[x.call] != nil {
			s.Reply(s.calls[x.call], *before)
		}
		return nil
	}
	octets, _ := x.call.Message()
	m := bindMessage(x.call, octets)
	m.Reads = readChunks(x.call)
	known := s.Root() != nil
	bound, err := s.Call(m)
	if err != nil {
		return err
	}
	if !known {
		p.Root = s.Root() // whoever needs it first asks for it
	}
	s.calls[x.call] = bound
	s.judged[x.call] = p.judged(x.message, bound.Kept)
	for _, u := range bound.Unbound {
		if u.Kind == types.Handles.String() && s.Root() != nil && string(u.Value) == string(s.Root()) {
			continue
		}
		line := fmt.Sprintf("the %s in %s %s", u.Kind, u.Field, u.Reason)
		if s.counts[p] == nil {
			s.counts[p] = make(map[string]int)
		}
		if s.counts[p][line]++; s.counts[p][line] == 1 {
			p.Unbound = append(p.Unbound, line)
		}
	}
	return nil
}

// finish says what was found of a plan.
func (s *survey) finish(p *Plan) {
	for i, line := range p.Unbound {
		p.Unbound[i] = fmt.Sprintf("%s: sent as captured in %s", line, plural(s.counts[p][line], "place"))
	}
	if p.Options.RootPath == "" {
		p.Options.RootPath = s.Export()
	}
	if p.Options.RootPath == "" {
		p.Options.RootPath = "/"
	}
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
		if err := r.post(wire.Plain(r.xid, backwardCredits, call)); err != nil {
			return r.why(err)
		}
		reply, err := r.answerTo(ctx, r.xid)
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
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
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
