package requester

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A run is a replay that is under way.
type run struct {
	plan   *Plan
	o      Options
	c      transport.Connection
	memory *wire.Memory
	result *Result
	// exchanges are those that were begun, by call, and open those that wait for a reply,
	// by XID.
	exchanges map[*script.Call]*Exchange
	open      map[uint32]*Exchange
	retries   []*Exchange
	// turns orders the steps of several connections, nil if there is one.
	turns *turns
	// at is the next step, reached when the one before it was done, of several connections on any.
	at      int
	reached time.Time
	// underWay is how many Sends have not completed.
	underWay int
	grant    uint32
	xid      uint32
	work     uint64
	limit    int // of a Send of the server, in bytes
	// silent is how often a reply was given up since the server sent a message.
	silent int
	// reverseCalls are the server's calls of the capture that were not yet used.
	reverseCalls []*script.Call
	header       rpcrdma.Header
	alarm        alarm
	buf          []byte
	// slots is how many slots the server granted to sessions that the replay made, by the
	// captured session.
	slots map[string]uint32
}

// ErrTime is why a replay ends that takes too long.
var ErrTime = errors.New("the replay reached its time limit")

// errChanges is why a plan is not carried out that may do what the options do not allow.
var errChanges = errors.New("the replay would, or may, change files on the server or state of the captured client")

// Run replays a plan to a server. The error says why no connection could be made; what came
// of it afterwards, also if it was broken off, is in the Result.
func Run(ctx context.Context, p transport.Provider, to netip.AddrPort, plan *Plan) (*Result, error) {
	if plan.Options.NoChanges && plan.Effects.Changes() {
		return nil, errChanges
	}
	ctx, cancel := context.WithTimeoutCause(ctx, plan.Options.TimeLimit, ErrTime)
	defer cancel()
	r, err := newRun(plan)
	if err != nil {
		return nil, err
	}
	if err := r.dial(ctx, p, to); err != nil {
		return nil, err
	}
	err = r.carryOut(ctx)
	return r.result, err
}

// newRun is a replay that has no connection so far.
func newRun(plan *Plan) (*run, error) {
	r := &run{
		plan: plan, o: plan.Options, result: new(Result), grant: 1, xid: plan.Options.FirstXID,
		slots: make(map[string]uint32), exchanges: make(map[*script.Call]*Exchange), open: make(map[uint32]*Exchange),
	}
	if r.xid == 0 {
		// A server that remembers replies by XID and address must not take them for
		// retransmissions of an earlier replay's.
		r.xid = rand.Uint32()
	}
	if r.o.Bindings == nil {
		b, err := dissect.NewBindings()
		if err != nil {
			return nil, err
		}
		r.o.Bindings = b
	}
	for _, call := range plan.Conversation.Calls {
		if call.Reverse {
			r.reverseCalls = append(r.reverseCalls, call)
		}
	}
	r.beginRun()
	return r, nil
}

// carryOut does what is to be done on a connection, and gives it back.
func (r *run) carryOut(ctx context.Context) error {
	r.reached = time.Now()
	err := r.bindRoot(ctx)
	if err == nil {
		err = r.before(ctx)
	}
	if err == nil {
		r.reached = time.Now()
		r.result.Ended = r.loop(ctx)
	} else {
		r.failed(err)
	}
	r.after(ctx)
	r.alarm.stop()
	err = r.close()
	r.endRun()
	return err
}

// beginRun makes an Exchange for each call.
func (r *run) beginRun() {
	for _, s := range r.plan.steps {
		if s.kind == stepSend && s.call != nil {
			e := &Exchange{Call: s.call, message: s.message, MadeUp: s.call.MadeUp(), Why: "the replay had ended"}
			r.exchanges[s.call] = e
			r.result.Exchanges = append(r.result.Exchanges, e)
		}
	}
}

// next is the next completion. Other connections go on while it waits.
func (r *run) next(ctx context.Context) (transport.Completion, error) {
	r.turns.leave()
	defer r.turns.enter()
	return r.c.Next(ctx)
}

// loop goes through the steps until all are done.
func (r *run) loop(ctx context.Context) error {
	if r.o.IgnoreCredits {
		if err := r.buildAll(ctx); err != nil {
			return r.why(err)
		}
		if err := r.sendAll(ctx); err != nil {
			return r.why(err)
		}
	}
	for {
		if r.turns != nil && ctx.Err() != nil {
			return context.Cause(ctx) // another connection has failed for all
		}
		until, err := r.advance()
		switch {
		case err != nil:
			return r.why(err)
		case r.at == len(r.plan.steps) && len(r.open) == 0 && len(r.retries) == 0:
			return nil
		}
		if err := r.wait(ctx, until); err != nil {
			return r.why(err)
		}
	}
}

// why is the reason that work gives which could not be published, if it is that the connection
// has ended.
func (r *run) why(err error) error {
	ended := (*transport.Disconnected)(nil)
	if errors.As(err, &ended) {
		return err
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // only what is there is taken
	for {
		if _, next := r.next(now); errors.As(next, &ended) {
			return next
		} else if next != nil {
			return err
		}
	}
}

// completed takes a completion.
func (r *run) completed(c transport.Completion) error {
	if own, err := r.memory.Completed(c); own || err != nil {
		return err
	}
	if c.Operation == transport.OpSend {
		r.underWay--
	}
	if c.Operation != transport.OpReceive {
		return nil // of work that failed, the end of the connection tells
	}
	err := r.received(c)
	return errors.Join(err, r.c.Repost(c))
}

// endRun notes what became of calls that were not answered.
func (r *run) endRun() {
	for _, e := range r.open {
		if e.Why == "" {
			e.Why = "until the replay ended"
		}
	}
	for _, e := range r.result.Exchanges {
		if e.answer != nil {
			r.compare(e, e.answer)
			e.answer = nil
		}
		if e.Outcome != NotSent {
			if last := e.sent.Add(e.Latency); e.Outcome == Answered && last.Sub(r.result.Began) > r.result.Elapsed {
				r.result.Elapsed = last.Sub(r.result.Began)
			}
		}
	}
	r.result.Grant = r.grant
}

// close gives everything back.
func (r *run) close() error {
	r.turns.leave()
	err := r.c.Close()
	r.turns.enter()
	if err != nil {
		return fmt.Errorf("the connection could not be released: %w", err)
	}
	return nil
}
