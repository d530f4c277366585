package requester

import (
	"errors"
	"math"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// errLater says that something has to complete first.
var errLater = errors.New("later")

// advance sends what may be sent now. It returns when the next step is due, the zero time if
// that waits for a completion.
func (r *run) advance() (until time.Time, err error) {
	now := time.Now()
	if until, err = r.retry(now); err != nil {
		return until, err
	}
	for ; r.at < len(r.plan.steps); r.done() {
		s := &r.plan.steps[r.at]
		if !r.turns.has(s) {
			return until, nil
		}
		switch s.kind {
		case stepAwait:
			if e := r.exchanges[s.call]; !e.over && !r.o.IgnoreCredits {
				return until, nil
			}
			continue
		case stepKeep:
			continue
		}
		if !r.o.Immediately {
			if due := r.reached.Add(time.Duration(float64(s.gap) / r.o.Speed)); due.After(now) {
				if now = time.Now(); due.After(now) {
					return earlier(until, due), nil
				}
			}
		}
		if s.kind == stepClose {
			if r.underWay > 0 {
				return until, nil // what was sent has come to the server before the end does
			}
			r.closeOpen()
			r.at++ // it is the last step, and the turn is over when the connection is closed
			return until, nil
		}
		if s.call != nil && !r.credit() {
			return until, nil
		}
		switch err := r.send(s); {
		case errors.Is(err, errLater):
			return until, nil
		case err != nil:
			return until, err
		}
	}
	return until, nil
}

// closeOpen notes of the calls that have no reply that the connection ends, as it did in the capture.
func (r *run) closeOpen() {
	for _, e := range r.open {
		e.over, e.Closed, e.Why = true, true, "the connection was closed, as in the capture"
	}
	for _, e := range r.retries {
		e.over, e.Closed = true, true
		e.Why += ", and the connection was closed, as in the capture"
	}
	clear(r.open)
	r.retries = nil
}

// done goes on to the next step.
func (r *run) done() {
	r.at++
	r.reached = time.Now()
	r.turns.pass(r.reached)
}

// credit reports whether the server's grant, or the options, let another call be sent (RFC 8166,
// section 3.3.1).
func (r *run) credit() bool {
	return r.o.IgnoreCredits || len(r.open) < int(min(max(r.grant, 1), math.MaxInt32))
}

// earlier is the earlier of two times, of which the first may be zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// retry sends calls again that a server asked to try again, when it is time and there is a
// credit. What has to wait for a completion is tried after that: until is no time for it.
func (r *run) retry(now time.Time) (until time.Time, err error) {
	for i := 0; i < len(r.retries); {
		e := r.retries[i]
		if e.due.After(now) {
			until = earlier(until, e.due)
			i++
			continue
		}
		if !r.credit() {
			return until, nil
		}
		if err := r.sendCall(e); errors.Is(err, errLater) {
			return until, nil
		} else if err != nil {
			return until, err
		}
		r.retries = append(r.retries[:i], r.retries[i+1:]...)
	}
	return until, nil
}

// send sends the message of a step.
func (r *run) send(s *step) error {
	if s.call != nil {
		return r.sendCall(r.exchanges[s.call])
	}
	r.xid++
	w := wire.Rewrite{XID: r.xid, KeepCredits: true}
	r.buf = w.Append(r.buf[:0], s.message)
	return r.post(r.buf)
}

// post sends bytes.
func (r *run) post(b []byte) error {
	r.work++
	err := r.c.Send(r.work, b)
	switch {
	case err == nil:
		r.underWay++
	case errors.Is(err, transport.ErrFull):
		return errLater
	}
	return err
}

// sendCall sends a call, or goes on with what had to wait.
func (r *run) sendCall(e *Exchange) error {
	b, err := r.message(e)
	if err != nil || b == nil {
		return err
	}
	if err := r.post(b); errors.Is(err, errLater) || isEnd(err) {
		return err
	} else if err != nil {
		r.refuse(e, err)
		return r.release(e, nil)
	}
	r.sent(e)
	return nil
}

// sent notes that a call was sent.
func (r *run) sent(e *Exchange) {
	e.sent, e.Outcome, e.Why, e.prepared, e.ready = time.Now(), NoReply, "", nil, nil
	if r.result.Began.IsZero() {
		r.result.Began = e.sent
	}
	r.open[e.XID] = e
	r.result.Open = max(r.result.Open, len(r.open))
	r.result.Registered = max(r.result.Registered, r.memory.Used())
}

// message is what is sent for a call, nil if it is refused.
func (r *run) message(e *Exchange) (b []byte, err error) {
	switch {
	case e.over:
		return nil, nil
	case e.ready != nil:
		return e.ready, nil
	}
	if e.prepared == nil {
		if err := r.prepare(e); err != nil {
			r.refuse(e, err)
			return nil, nil
		}
	}
	if err := r.advertise(e); errors.Is(err, errLater) || err != nil && isEnd(err) {
		return nil, err
	} else if err != nil {
		r.refuse(e, err)
		return nil, r.release(e, nil)
	}
	if b, err = r.build(e); err != nil {
		r.refuse(e, err)
		return nil, r.release(e, nil)
	}
	return b, nil
}

// isEnd reports whether an error says that the connection has ended.
func isEnd(err error) bool {
	d := (*transport.Disconnected)(nil)
	return errors.As(err, &d) || errors.Is(err, transport.ErrClosed)
}

// refuse notes that a call is not sent.
func (r *run) refuse(e *Exchange, why error) {
	e.over, e.Outcome, e.Why, e.prepared = true, NotSent, why.Error(), nil
}
