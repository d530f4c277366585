package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// fewest is how many calls with chunks must have been answered before their sum
// says anything.
const fewest = 16

func inv005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.WithChunks, rpc005), rules.OnEnd(end005)},
	}
}

// opportunity counts what one connection makes of remote invalidation.
type opportunity struct {
	version     uint32
	calls       int // with chunks, answered
	several     int // of those, with several handles
	invalidated int
	recent      [16]uses // handles of recent calls
	next        int
	worst       uses // the one that stood in most calls
	buffer      []uint32
}

func rpc005(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Call == nil || r.Reply == nil || r.Requester != c.ClientEnd || r.Call.Header.Fault.Bad() ||
		r.Call.Header.Version != rpcrdma.Version1 && r.Call.Header.Version != rpcrdma.Version2 || r.Reply.Header.Proc == rpcrdma.RDMAError {
		return
	}
	k := state.Of(c)
	if k.chances == nil {
		k.chances = new(opportunity)
	}
	k.chances.addRPC(r)
}

func (w *opportunity) addRPC(r *dissect.RPC) {
	w.version = r.Call.Header.Version
	w.buffer = handles(w.buffer[:0], &r.Call.Header)
	if len(w.buffer) == 0 {
		return
	}
	w.calls++
	if r.Reply.HasInvalidated {
		w.invalidated++
	}
	if len(w.buffer) > 1 {
		w.several++
	}
	for _, h := range w.buffer {
		if r.Reply.HasInvalidated && r.Reply.Invalidated == h {
			w.forget(h) // it is another registration when it comes again
			continue
		}
		n := w.count(h)
		if len(w.buffer) > 1 && n > w.worst.calls {
			w.worst = uses{h, n}
		}
	}
}

func end005(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.chances == nil {
		return
	}
	w := k.chances
	requester, known := flags(c, c.ClientEnd)
	responder, _ := flags(c, c.ClientEnd.Peer())
	agreed := "both ends set flag R"
	if w.version == rpcrdma.Version2 {
		x, said := c.Characteristics(c.ClientEnd).Now(rpcrdma.XcharRQREMINV)
		requester, known, responder = said && x.Known && x.Value != 0, true, true
		agreed = "the client announced XCHAR_RQREMINV TRUE"
	}
	if !known || !requester || w.calls < fewest {
		return
	}
	if responder && w.invalidated == 0 {
		report.Connection("a", "").
			Messagef("%s, but none of the replies to %d calls with chunks invalidated a handle", agreed, w.calls).
			See("Sends With Invalidate", 0, nil)
	}
	if int(w.worst.calls) > c.Capture.Config.KeyUses {
		report.Connection("b", "").
			Messagef("handle 0x%08x is advertised together with others in %d calls: it is persistent, though the client promised that all handles may be invalidated",
				w.worst.handle, w.worst.calls).
			See("calls with the handle", w.worst.calls, c.Capture.Config.KeyUses)
	}
	if w.several*2 > w.calls {
		report.Connection("c", "").
			Messagef("%d of %d calls with chunks have several handles, but a reply can invalidate only one", w.several, w.calls).
			See("calls with several handles", w.several, nil)
	}
}
