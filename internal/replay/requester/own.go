package requester

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// beginning looks for what was given before a capture that begins late, and makes it. The first connection
// has what is to be done before, and the last one to go on what is to be done after.
func (f *following) beginning(o *Options) (*bind.Beginning, error) {
	late, err := bind.NewLate(o.Specs...)
	if err != nil {
		return nil, err
	}
	for _, p := range f.plans {
		if p.Conversation.ReverseCalls() > 0 {
			late.CalledBack()
		}
	}
	if err := f.survey(late, func(*Plan, *step, *bind.Call) {}); err != nil {
		return nil, err
	}
	own, err := late.Begin(o.Owner, o.exports())
	if err != nil {
		return nil, err
	}
	first, last := &f.plans[f.turns[0].plan].Own, &f.plans[f.turns[len(f.turns)-1].plan].Own
	first.Before, first.Assumed, first.Lacking = own.Before, own.Assumed, own.Lacking
	last.After = own.After
	return own, nil
}

// before does what has to be done before the first captured call, one call after the other.
func (r *run) before(ctx context.Context) error {
	r.result.Assumed, r.result.Lacking = r.plan.Own.Assumed, r.plan.Own.Lacking
	for i := range r.plan.Own.Before {
		own := &r.plan.Own.Before[i]
		status, reply, err := r.own(ctx, own)
		if err != nil {
			return err
		}
		if n, ok := bind.GrantedSlots(reply); ok && own.Session != nil {
			r.slots[string(own.Session)] = n
		}
		if own.Needed && status != statusOK {
			return fmt.Errorf("the capture begins late, and the server refused what it lacks: %s: %s", own.What, status)
		}
	}
	return nil
}

// after takes away what before has made, as far as the server lets it. A replay that was broken off
// leaves it, and says so: the server forgets a client that does not renew its lease.
func (r *run) after(ctx context.Context) {
	if r.result.Ended != nil && len(r.slots) == 0 {
		return // nothing was made
	}
	for i := range r.plan.Own.After {
		own := &r.plan.Own.After[i]
		if r.result.Ended != nil {
			r.result.Own = append(r.result.Own, OwnCall{own.What, "not sent, because the replay was aborted: the server keeps this state until the lease expires", true})
			continue
		}
		if _, _, err := r.own(ctx, own); err != nil {
			r.result.Ended = err
			r.result.Own = append(r.result.Own, OwnCall{own.What, "no reply: the server may keep this state until the lease expires", true})
		}
	}
}

// statusOK is how the status of success is named.
const statusOK = "NFS4_OK"

// own makes a call of the replay's own, again while the server asks for that, and learns from the
// reply as from that to a captured call. The status is the server's in words. The error says that
// no reply comes.
func (r *run) own(ctx context.Context, own *bind.Own) (status string, reply []byte, err error) {
	call, err := r.o.Binder.Call(own.Call)
	if err != nil {
		return "", nil, err
	}
	if len(call.Unbound) > 0 {
		// What it is about was not found, and the captured handle may be that of anything here.
		call.Reply(nil, bind.Message{}) // its slot goes on with the same number
		status = "not sent: the object it names was not found"
		r.result.Own = append(r.result.Own, OwnCall{own.What, status, true})
		return status, nil, nil
	}
	waited := time.Duration(0)
	for wait := firstRetry; ; wait = min(2*wait, mostRetry) {
		r.xid++
		data := call.Bytes
		binary.BigEndian.PutUint32(data, r.xid)
		if reply, err = r.ask(ctx, data); err != nil {
			return "", nil, err
		}
		verdict := call.Reply(&own.Reply, bind.Message{Bytes: reply})
		if status = verdict.Status; status == "" {
			var header rpc.Reply
			header.Decode(reply)
			status = header.Status()
		}
		if !verdict.Retry || waited >= r.o.RetryLimit {
			break
		}
		if err := r.pause(ctx, wait); err != nil {
			return "", nil, err
		}
		waited += wait
		call.Again()
	}
	r.result.Own = append(r.result.Own, OwnCall{own.What, status, status != statusOK})
	return status, reply, nil
}
