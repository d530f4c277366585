package requester

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// turns have several connections take their steps in the order of the capture. A goroutine goes on with each of
// them, one at a time: it lets the others while it waits for a completion. All methods do nothing without turns,
// where there is one connection.
type turns struct {
	mu   sync.Mutex
	list []turn
	at   int
	runs []*run
	// gone are connections that take no more steps.
	gone []bool
	// start makes the connection of a run after a time, and goes on with it; started are those it was called for.
	start   func(i int, gap time.Duration)
	started []bool
	// fail ends all connections: what one of them was to do for all has failed.
	fail context.CancelCauseFunc
}

// enter waits until no other connection goes on, and leave lets another.
func (t *turns) enter() {
	if t != nil {
		t.mu.Lock()
	}
}

func (t *turns) leave() {
	if t != nil {
		t.mu.Unlock()
	}
}

// has reports whether it is a step's turn, which it always is of a connection that is alone.
func (t *turns) has(s *step) bool { return t == nil || t.at == s.turn }

// pass has the next step take its turn, which the one before has done at a time.
func (t *turns) pass(now time.Time) {
	if t == nil {
		return
	}
	t.at++
	t.wake(now)
}

// wake tells the connection whose turn it is.
func (t *turns) wake(now time.Time) {
	for t.at < len(t.list) && t.gone[t.list[t.at].plan] {
		t.at++
	}
	if t.at == len(t.list) {
		return
	}
	next := t.list[t.at]
	r := t.runs[next.plan]
	switch {
	case !next.dial:
		r.reached = now
		r.alarm.stop()
	case !t.started[next.plan]:
		t.started[next.plan] = true
		t.start(next.plan, next.gap)
	}
}

// leaves has a connection take no more steps.
func (t *turns) leaves(i int) {
	t.gone[i] = true
	t.wake(time.Now())
}

// RunTogether replays connections to a server. The error says why none could be made; what came of each is in its
// Result.
func RunTogether(ctx context.Context, p transport.Provider, to netip.AddrPort, of *Together) ([]*Result, error) {
	if len(of.Plans) == 1 {
		r, err := Run(ctx, p, to, of.Plans[0])
		if r == nil {
			return nil, err
		}
		return []*Result{r}, err
	}
	o := of.Plans[0].Options
	if o.NoChanges && of.Changes() {
		return nil, errChanges
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.TimeLimit, ErrTime)
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	t := &turns{list: of.turns, gone: make([]bool, len(of.Plans)), started: make([]bool, len(of.Plans)), fail: fail}
	if err := t.prepare(of); err != nil {
		return nil, err
	}
	var ends sync.WaitGroup
	dialed := make([]error, len(t.runs))
	closed := make([]error, len(t.runs))
	t.start = func(i int, gap time.Duration) {
		ends.Go(func() {
			t.enter()
			defer t.leave()
			defer t.leaves(i)
			r := t.runs[i]
			if dialed[i] = r.dialBehind(ctx, p, to, gap); dialed[i] != nil {
				r.failed(dialed[i])
				r.after(ctx)
				r.endRun()
				return
			}
			t.pass(time.Now())
			closed[i] = r.carryOut(ctx)
		})
	}
	t.enter()
	t.wake(time.Now())
	t.leave()
	ends.Wait()
	var list []*Result
	made := false
	for i, r := range t.runs {
		if len(r.plan.steps) > 0 {
			list = append(list, r.result)
			made = made || dialed[i] == nil
		}
	}
	if !made {
		return nil, dialed[of.turns[0].plan]
	}
	return list, errors.Join(closed...)
}

// dialBehind connects after a time that the capture has before it.
func (r *run) dialBehind(ctx context.Context, p transport.Provider, to netip.AddrPort, gap time.Duration) error {
	if gap > 0 && !r.o.Immediately {
		if err := r.pause(ctx, time.Duration(float64(gap)/r.o.Speed)); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.dial(ctx, p, to)
}

// failed notes why the first captured call is not sent. Where it was to come after what is done for all
// connections, the others do not go on either: they would send what the captured server gave.
func (r *run) failed(err error) {
	r.result.Ended = err
	if r.turns != nil && (r.plan.Root != nil || len(r.plan.Own.Before) > 0) {
		r.turns.fail(fmt.Errorf("connection %d, which sets up what all others use: %w", r.result.Connection, err))
	}
}

// prepare makes a run for each plan.
func (t *turns) prepare(of *Together) error {
	all := make(map[*script.Call]*Exchange)
	for i, p := range of.Plans {
		r, err := newRun(p)
		if err != nil {
			return err
		}
		r.turns, r.result.Connection = t, p.Conversation.ID
		if i > 0 {
			r.slots = t.runs[0].slots // sessions are of a client, not of a connection
			r.xid = t.runs[0].xid + uint32(i)*xidRange
		}
		t.runs = append(t.runs, r)
		for call, e := range r.exchanges {
			all[call] = e
		}
	}
	for _, r := range t.runs {
		for i := range r.plan.steps {
			if s := &r.plan.steps[i]; s.first != nil {
				r.exchanges[s.call].first = all[s.first]
			}
		}
	}
	return nil
}

// xidRange is how many XIDs each connection has, more than it sends calls.
const xidRange = 1 << 24
