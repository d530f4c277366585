package requester

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// buildAll builds all calls before the first is sent, so that they follow one another as fast
// as can be.
func (r *run) buildAll(ctx context.Context) error {
	for _, e := range r.result.Exchanges {
		for {
			b, err := r.message(e)
			if errors.Is(err, errLater) {
				if err = r.wait(ctx, time.Time{}); err != nil {
					return err
				}
				continue
			}
			if err != nil {
				return err
			}
			e.ready = slices.Clone(b)
			break
		}
	}
	r.reached = time.Now()
	return nil
}

// sendAll sends the calls that buildAll has built by one list of Sends, up to the first message that is
// no call, and without the pauses between them: a server may publish Receives as fast as Sends come one after the
// other. What does not fit in the send queue is left to advance.
func (r *run) sendAll(ctx context.Context) error {
	for r.memory.Busy() > 0 { // binds, which take room
		if err := r.wait(ctx, time.Time{}); err != nil {
			return err
		}
	}
	var list []*Exchange
	var messages [][]byte
	var at []int // step after each
	for i, s := range r.plan.steps {
		if s.kind == stepAwait {
			continue
		}
		if s.call == nil {
			break
		}
		if e := r.exchanges[s.call]; !e.over {
			list, messages, at = append(list, e), append(messages, e.ready), append(at, i+1)
		}
	}
	taken, err := r.c.SendAll(r.work+1, messages)
	r.work += uint64(taken)
	r.underWay += taken
	for _, e := range list[:taken] {
		r.sent(e)
	}
	if taken > 0 {
		r.at = at[taken-1]
	}
	if errors.Is(err, transport.ErrFull) {
		return nil
	}
	return err
}
