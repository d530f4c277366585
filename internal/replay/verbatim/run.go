package verbatim

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// Options say how a plan is carried out.
type Options struct {
	// Speed is how many times as fast as captured the work is done; 0 is as fast as the peer
	// allows.
	Speed float64
	// Patience is how long a message of the peer is waited for; 0 is DefaultPatience.
	Patience time.Duration
	// MaxRegistered is how many bytes are registered for segments at once; 0 is
	// wire.DefaultMaxRegistered.
	MaxRegistered int64
}

// DefaultPatience is how long a message of the peer is waited for.
const DefaultPatience = 30 * time.Second

// A Result is what became of a plan.
type Result struct {
	End End `json:"side"`
	// Sent and Received are messages, Moved RDMA Reads and Writes.
	Sent     int `json:"sent"`
	Received int `json:"received"`
	Moved    int `json:"moved"`
	// Other is how many messages of the peer were not as captured, handles and offsets
	// apart.
	Other int `json:"other"`
	// Ended is why it did not come to its end, "" if it did.
	Ended string `json:"ended,omitempty"`
	// Notes are what a person should know.
	Notes []string `json:"notes,omitempty"`
}

// Dial connects to a server and plays the client.
func Dial(ctx context.Context, p transport.Provider, to netip.AddrPort, plan *Plan, o Options) (*Result, error) {
	c, err := p.Dial(ctx, to, plan.options(transport.Device{}))
	if err != nil {
		return nil, err
	}
	r := run(ctx, c, plan, o)
	return r, c.Close()
}

// Listen waits for one client and plays the server to it. listening is called when a client can
// connect.
func Listen(ctx context.Context, p transport.Provider, at netip.AddrPort, plan *Plan, o Options, listening func(netip.AddrPort)) (_ *Result, err error) {
	l, err := p.Listen(at)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if listening != nil {
		listening(l.Addr())
	}
	asked, err := l.Next(ctx)
	if err != nil {
		return nil, err
	}
	c, err := asked.Accept(ctx, plan.options(asked.Device()))
	if err != nil {
		return nil, err
	}
	r := run(ctx, c, plan, o)
	return r, c.Close()
}

// A player carries out a plan. One goroutine uses it.
type player struct {
	*Plan
	Options
	*Result
	c      transport.Connection
	memory *wire.Memory
	own    advertised
	peers  peers
	work   uint64
	begun  time.Time
}

// run carries out a plan over a connection.
func run(ctx context.Context, c transport.Connection, plan *Plan, o Options) *Result {
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	if o.MaxRegistered == 0 {
		o.MaxRegistered = wire.DefaultMaxRegistered
	}
	p := &player{Plan: plan, Options: o, Result: &Result{End: plan.End}, c: c, begun: time.Now()}
	p.memory = wire.NewMemory(c, wire.InvalidationOf(c.Device(), plan.invalidated), o.MaxRegistered)
	p.own.init()
	if err := p.play(ctx); err != nil {
		p.Ended = err.Error()
	}
	return p.Result
}

// play does all there is to do, and waits for what comes after it.
func (p *player) play(ctx context.Context) error {
	for i := range p.actions {
		a := &p.actions[i]
		if err := p.until(ctx, a); err != nil {
			return fmt.Errorf("before its Send or RDMA operation %d of %d: %w", i+1, len(p.actions), err)
		}
		var err error
		if a.message != nil {
			err = p.send(ctx, a.message)
		} else {
			err = p.move(ctx, a.operation)
		}
		if err != nil {
			return err
		}
	}
	if err := p.receive(ctx, p.Expected); err != nil {
		return fmt.Errorf("all was sent: %w", err)
	}
	if p.Plan.End == Client {
		return p.finish(ctx)
	}
	return p.farewell(ctx, p.Patience)
}

// until waits for what came before an action in the capture: messages, and time if there is
// to be any.
func (p *player) until(ctx context.Context, a *action) error {
	if err := p.receive(ctx, a.after); err != nil {
		return err
	}
	if p.Speed <= 0 || a.time == 0 || p.actions[0].time == 0 {
		return nil
	}
	at := p.begun.Add(time.Duration(float64(a.time-p.actions[0].time) / p.Speed))
	for wait := time.Until(at); wait > 0; wait = time.Until(at) {
		limited, cancel := context.WithTimeout(ctx, wait)
		err := p.next(limited)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	return context.Cause(ctx)
}

// errPatience is why a replay ends whose peer is silent.
var errPatience = errors.New("the peer sent nothing for too long")

// receive waits until so many messages have come.
func (p *player) receive(ctx context.Context, n int) error {
	for p.Received < n {
		limited, cancel := context.WithTimeoutCause(ctx, p.Patience, errPatience)
		err := p.next(limited)
		cancel()
		if err != nil {
			return fmt.Errorf("%[2]d of %[1]d messages arrived: %[3]w", n, p.Received, err)
		}
	}
	return nil
}

// finish waits for this side's own work. An RDMA Read or Write of the peer completes nothing
// here: where one follows the last message, the connection stays for a while.
func (p *player) finish(ctx context.Context) error {
	for p.memory.Busy() > 0 {
		if err := p.next(ctx); err != nil {
			return err
		}
	}
	if p.trailing {
		return p.farewell(ctx, min(p.Patience, trailing))
	}
	return nil
}

// trailing is how long a client stays for RDMA Reads and Writes of the peer that follow the
// last message.
const trailing = time.Second

// farewell waits for the peer to disconnect, but not longer than a time.
func (p *player) farewell(ctx context.Context, longest time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	for {
		err := p.next(limited)
		var left *transport.Disconnected
		switch {
		case errors.As(err, &left), err != nil && ctx.Err() == nil && limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
	}
}

// next takes a completion.
func (p *player) next(ctx context.Context) error {
	done, err := p.c.Next(ctx)
	if err != nil {
		return err
	}
	if own, err := p.memory.Completed(done); own || err != nil {
		return errors.Join(err, done.Err)
	}
	if done.Operation == transport.OpReceive {
		p.came(&done)
		return p.c.Repost(done)
	}
	return done.Err
}

// post gives the connection work with the next number, when it has room.
func (p *player) post(ctx context.Context, do func(id uint64) error) error {
	p.work++
	for {
		err := do(p.work)
		if !errors.Is(err, transport.ErrFull) {
			return err
		}
		if err := p.next(ctx); err != nil {
			return err
		}
	}
}

const mostNotes = 100

func (p *player) note(format string, args ...any) {
	if len(p.Notes) < mostNotes {
		p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
	}
}
