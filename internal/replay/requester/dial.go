package requester

import (
	"context"
	"net/netip"
	"runtime"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// dial connects. What a device cannot do is known only when it is chosen: where R turns out
// to be a promise that cannot be kept, it connects anew without.
func (r *run) dial(ctx context.Context, p transport.Provider, to netip.AddrPort) error {
	told, ok := r.plan.privateData()
	wanted := ok && told.RemoteInvalidation()
	o := transport.Options{
		PrivateData: r.plan.PrivateData, Receives: r.plan.receives(), ReceiveSize: r.plan.receiveSize(),
		SendSize: max(transport.DefaultSize, r.plan.Longest+sendMargin, r.o.Oversize),
	}
	if r.o.IgnoreCredits {
		o.Work = burst
	}
	if r.o.Oversize < 0 {
		o.SendSize += sendMargin // the server's size, which is not known so far, and a word
	}
	for {
		r.turns.leave()
		c, err := p.Dial(ctx, to, o)
		r.turns.enter()
		if err != nil {
			return err
		}
		r.c = c
		way := wire.InvalidationOf(c.Device(), wanted)
		if wanted && way == wire.NoInvalidation {
			if err := c.Close(); err != nil {
				return err
			}
			o.PrivateData, _ = wire.EditPrivateData(o.PrivateData, 0, 0, false)
			wanted, r.result.Cleared = false, true
			continue
		}
		r.memory = wire.NewMemory(c, way, r.o.MaxRegistered)
		if r.o.Immediately {
			r.makeReady()
		}
		r.result.Device, r.result.Local, r.result.Peer, r.result.Way = c.Device(), c.Local(), c.Peer(), way
		r.limit = rpcrdma.DefaultThreshold
		if server, ok := rpcrdma.FindPrivateData(c.PrivateData()); ok {
			r.result.Server = &server
			r.limit = server.ReceiveSize()
		}
		return nil
	}
}

// makeReady does beforehand what would take longer between calls than a server takes for many of
// them: it collects what reading the capture has left, and registers memory for the first calls.
func (r *run) makeReady() {
	runtime.GC()
	for _, s := range r.plan.steps {
		if s.kind != stepSend || s.call == nil {
			continue
		}
		for i := range s.call.Segments {
			if !r.memory.Ahead(&s.call.Segments[i]) {
				return
			}
		}
	}
}

// sendMargin is by how much a Send may be longer than the captured one: items that are bound
// to another server may be longer.
const sendMargin = 1024

// burst is how much work may be under way where calls are sent without waiting.
const burst = 256
