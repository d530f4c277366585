package requester

import (
	"context"
	"fmt"
	"time"
)

// wait takes the next completion, or comes back when something else is to be done.
func (r *run) wait(ctx context.Context, until time.Time) error {
	if overdue := r.overdue(); until.IsZero() || !overdue.IsZero() && overdue.Before(until) {
		until = overdue
	}
	if until.IsZero() && r.turns != nil {
		until = time.Now().Add(r.o.TimeLimit) // the alarm is how others wake this one
	}
	limited := ctx
	if !until.IsZero() {
		limited = r.alarm.set(ctx, until)
	}
	done, err := r.next(limited)
	switch {
	case err == nil:
		return r.completed(done)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return r.giveUp(time.Now())
	}
	return err
}

// An alarm ends waiting. One that rings too early does no harm, and is left set: setting it anew for
// each call would take longer than many a reply.
type alarm struct {
	ctx    context.Context
	cancel context.CancelFunc
	at     time.Time
}

// set returns a context that ends with parent, or at a time at the latest.
func (a *alarm) set(parent context.Context, at time.Time) context.Context {
	if a.ctx == nil || a.ctx.Err() != nil || a.at.After(at) {
		a.stop()
		a.ctx, a.cancel = context.WithDeadline(parent, at)
		a.at = at
	}
	return a.ctx
}

func (a *alarm) stop() {
	if a.cancel != nil {
		a.cancel()
	}
}

// overdue is when the first reply has to be given up; zero if none is waited for.
func (r *run) overdue() (first time.Time) {
	for _, e := range r.open {
		first = earlier(first, e.sent.Add(r.o.ReplyLimit))
	}
	return first
}

// mostSilent is how many replies may be given up one after the other before the server is
// taken to be gone: on iWARP nothing else tells.
const mostSilent = 3

// giveUp waits no longer for replies that are overdue. The error says that the server seems to
// be gone.
func (r *run) giveUp(now time.Time) error {
	given := false
	for xid, e := range r.open {
		if now.Sub(e.sent) >= r.o.ReplyLimit {
			delete(r.open, xid)
			e.over, e.Why = true, fmt.Sprintf("within %v", r.o.ReplyLimit)
			given = true
			// Its memory stays registered: the server may still use it.
		}
	}
	if given {
		r.silent++
	}
	if r.silent == mostSilent {
		return fmt.Errorf("the server has answered nothing for %v", mostSilent*r.o.ReplyLimit)
	}
	return nil
}
