package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// fewest is how many calls with chunks must have been answered before their sum
// says anything.
const fewest = 16

func inv005() *rules.Rule {
	return &rules.Rule{
		ID: "INV-005", Title: "Invalidation opportunity or contradiction",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "The ends agreed on remote invalidation but get little of it: the responder never invalidates, the requester's " +
			"calls have several handles of which one Send can retire only one, or calls mix in a handle that lasts.",
		Why: "What the reply does not invalidate, the requester has to invalidate itself, with a work request and a completion " +
			"more for each RPC.",
		Advice: "Let the requester register the memory of a call under a single handle, and the responder name it in its reply.",
		Reference: "RFC 8797, section 4.1; draft-cel-nfsv4-rfc5666-implementation-experience-02, " +
			"section 8.4; draft-cel-nfsv4-rpcrdma-version-two-02, section 3; " +
			"draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.2",
		Gates: rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "Judged at the end of a connection, over at least 16 calls with chunks that were answered. In version 2 it is " +
			"XCHAR_RQREMINV TRUE of the client that counts. The few octets that Linux clients keep registered for XDR pads do not " +
			"count.",
		Cases: []rules.Case{
			{Letter: "a", Title: "both ends agreed to it, and no reply invalidated anything", Severity: rules.Note},
			{Letter: "b", Title: "a handle that lasts stands among others, though all are promised to be invalidatable", Severity: rules.Warning},
			{Letter: "c", Title: "calls have several handles", Severity: rules.Note},
		},
		Causes: []string{"SEC-001"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc005), rules.OnEnd(end005)},
		Fires: []rules.Sample{
			{Name: "nothing is ever invalidated", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=100
				    write $+0x1000 100
				reply $ data=bytes(100)
				end
				disconnect
				want INV-005a`},
			{Name: "nothing is ever invalidated in version 2", Scene: `
				connect version=2 client=none server=none
				optional 200 client INIT_XCHAR [RQREMINV=TRUE]
				repeat 20
				call $ NFS3 READ count=100
				    write $*16 100
				reply $ data=bytes(100)
				end
				disconnect
				want INV-005a`},
			{Name: "one handle stands in every call", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=200
				    write $+0x1000 100 0x9999 100
				reply $ data=bytes(200)
				    invalidate $+0x1000
				end
				disconnect
				want INV-005b
				want INV-005c`},
			{Name: "each call has two handles", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=200
				    write $+0x1000 100 $+0x2000 100
				reply $ data=bytes(200)
				    invalidate $+0x1000
				end
				disconnect
				want INV-005c`},
		},
		Silent: []rules.Sample{
			{Name: "a client of version 2 that did not announce it", Scene: `
				connect version=2
				optional 200 client INIT_XCHAR [RBSIZ=8192]
				repeat 20
				call $ NFS3 READ count=100
				    write $*16 100
				reply $ data=bytes(100)
				end
				disconnect`},
			{Name: "each reply invalidates the one handle", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=100
				    write $+0x1000 100
				reply $ data=bytes(100)
				    invalidate $+0x1000
				end
				disconnect`},
			{Name: "the handle in every call is the one that is invalidated", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 5
				call $ NFS3 READ count=100
				    write $+0x1000 100
				reply $ data=bytes(100)
				    invalidate $+0x1000
				call $+10 NFS3 READ count=100
				    write $+0x1010 100
				reply $+10 data=bytes(100)
				    invalidate $+0x1010
				call $+20 NFS3 READ count=100
				    write $+0x1020 100
				reply $+20 data=bytes(100)
				    invalidate $+0x1020
				end
				repeat 12
				call $+50 NFS3 READ count=200
				    write $+0x2000 100 0x9999 100
				reply $+50 data=bytes(200)
				    invalidate 0x9999
				end
				disconnect`},
			{Name: "a Linux client's pad", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=99
				    write $+0x1000 99 0x9999 4
				reply $ data=bytes(99)
				    invalidate $+0x1000
				end
				disconnect`},
			{Name: "the client did not ask for it", Scene: `
				connect client=4096/4096 server=4096/4096,inv
				repeat 20
				call $ NFS3 READ count=100
				    write $+0x1000 100
				reply $ data=bytes(100)
				end
				disconnect`},
		},
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

func rpc005(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
	if r.Call == nil || r.Reply == nil || r.Requester != c.ClientEnd || r.Call.Header.Fault.Bad() ||
		r.Call.Header.Version != rpcrdma.Version1 && r.Call.Header.Version != rpcrdma.Version2 || r.Reply.Header.Proc == rpcrdma.RDMAError {
		return
	}
	k := of(c)
	if k.chances == nil {
		k.chances = new(opportunity)
	}
	k.chances.add(r)
}

func (w *opportunity) add(r *dissect.RPC) {
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

func end005(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.chances == nil {
		return
	}
	w := k.chances
	requester, known := flags(c, c.ClientEnd)
	responder, _ := flags(c, c.ClientEnd.Peer())
	agreed := "both ends set the flag R"
	if w.version == rpcrdma.Version2 {
		x, said := c.Characteristics(c.ClientEnd).Now(rpcrdma.XcharRQREMINV)
		requester, known, responder = said && x.Known && x.Value != 0, true, true
		agreed = "the client announced XCHAR_RQREMINV TRUE"
	}
	if !known || !requester || w.calls < fewest {
		return
	}
	if responder && w.invalidated == 0 {
		if f := say.Connection("a", ""); f != nil {
			f.Sayf("%s; none of the replies to %d calls with chunks invalidated a handle", agreed, w.calls)
			f.See("Sends With Invalidate", 0, nil)
		}
	}
	if int(w.worst.calls) > c.Capture.Config.KeyUses {
		if f := say.Connection("b", ""); f != nil {
			f.Sayf("handle 0x%08x stands beside others in %d calls: it lasts, though the client promised that all may be invalidated",
				w.worst.handle, w.worst.calls)
			f.See("calls with the handle", w.worst.calls, c.Capture.Config.KeyUses)
		}
	}
	if w.several*2 > w.calls {
		if f := say.Connection("c", ""); f != nil {
			f.Sayf("%d of %d calls with chunks have several handles, of which a reply can invalidate one", w.several, w.calls)
			f.See("calls with several handles", w.several, nil)
		}
	}
}
