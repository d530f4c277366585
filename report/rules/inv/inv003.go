package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func inv003() *rules.Rule {
	return &rules.Rule{
		ID: "INV-003", Title: "Invalidated or recycled handle still in use",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A handle that a Send With Invalidate retired is used once more: an RDMA operation names it, or it was retired " +
			"while another call that is open advertises it too.",
		Why: "From the moment of the invalidation on the handle gives access to nothing, or to what it was registered for " +
			"since. An operation that comes later fails and takes the connection with it.",
		Advice: "The responder must have done all RDMA operations of the RPC before it sends the reply. The requester must not " +
			"share one handle among calls while it lets the responder invalidate it.",
		Reference: "RFC 8166, section 4.4.1; RFC 8797, section 4.1; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.LostSince).In("a").Since("the invalidation"),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Receiver)).In("a"),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Disordered).In("b"),
			rules.SilentIf(rules.Cut).In("c"),
			rules.DetailIf(rules.BeganLate),
		},
		Limits: "Case a is told only as likely, and only if it was refused, where no message of the receiver follows. The few octets " +
			"that a Linux client keeps registered for XDR pads may stand in many calls at once, and are left out of case b. That a " +
			"call was open is judged only if it was sent some milliseconds before, since captures have frames out of order.",
		Cases: []rules.Case{
			{Letter: "a", Title: "an RDMA operation on a handle that was invalidated", Severity: rules.Error},
			{Letter: "b", Title: "the handle is advertised by another open call", Severity: rules.Error},
			{Letter: "c", Title: "the handle came back for another range of memory", Severity: rules.Note,
				Advice: "Nothing, if the memory was registered anew in between, which changes the handle on most adapters."},
		},
		Causes: []string{"INV-002"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On: []rules.Event{
			memory.OnOffence(memory.TooLate, late003),
			rules.OnMessage(rules.Invalidating|rules.WithWrites|rules.WithReplyChunk, message003),
		},
		Fires: []rules.Sample{
			{Name: "the server writes behind its reply", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				rdma write server 0x1001 100@0x7000
				    want INV-003a
				    want DDP-016
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "two calls share the handle", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x8000
				wait 10ms
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want INV-003b
				disconnect`},
			{Name: "the handle names other memory later", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x8000
				    want INV-003c
				reply 2 data=bytes(100)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the handle is advertised again before it is used", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				    invalidate 0x1001
				disconnect`},
			{Name: "an RDMA Write is missing from the capture, so that the reply is told behind the next call", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    drop frame 1
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				    invalidate 0x1001
				disconnect`},
			{Name: "a call is missing from the capture, so that the next are told behind their replies", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 0 NFS3 NULL
				    drop frame 1
				reply 0
				repeat 6
				call $ NFS3 READ offset=$ count=3000
				    write 0x801 3000
				reply $ data=bytes(3000)
				    invalidate 0x801
				end
				disconnect`},
			{Name: "the next call is captured before the reply", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    late 2 frame 2
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				    invalidate 0x1001
				disconnect`},
			{Name: "the call that advertises the handle again may be missing from the capture", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    invalidate 0x1001
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				    drop
				rdma write server 0x1001 100@0x7000`},
			{Name: "two calls share the octets for a pad", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=99
				    write 0x1001 99 0x3001 4
				call 2 NFS3 READ count=99
				    write 0x2001 99 0x3001 4
				reply 1 data=bytes(99)
				    invalidate 0x1001
				reply 2 data=bytes(99)
				    invalidate 0x2001
				disconnect`},
		},
	}
}

// late003 looks for an RDMA operation on a handle behind its invalidation.
func late003(c *rules.Conn, o *memory.Offence, say rules.Say) {
	g := &o.Grant
	if g.Over != memory.Invalidated || !g.Has(o.Offset, uint64(o.Length)) {
		return
	}
	if f := o.Say(say, "a"); f != nil {
		f.Sayf("the %s issued an %s on handle %s, which it had invalidated itself in frame %s with the reply to XID %s",
			c.Sender(o.From), o.Kind, rules.Handle(o.Handle), c.Capture.FrameName(g.By), rules.Handle(g.XID))
		f.See("handle", rules.Handle(o.Handle), nil).See("since the invalidation (µs)", (o.Time-g.Until)/1000, nil).With(g.By)
	}
}

func message003(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.HasInvalidated {
		of(c).invalidated = true
		shared(c, m, say)
	}
	if k := ifAny(c); k != nil && k.invalidated && m.Role() == dissect.RoleCall && !c.Cut(m) && !m.Header.Fault.Bad() {
		recycled(c, m, say)
	}
}

// shared looks whether another open call advertises what a message invalidates.
// The book has ended all grants of the handle by now, with that frame.
func shared(c *rules.Conn, m *dissect.Message, say rules.Say) {
	r := m.RPC()
	if r == nil || r.Call == nil || !r.Call.Header.Names(m.Invalidated) {
		return // INV-002 has that
	}
	at, judge := m.Frame(), memory.JudgeOf(c)
	for g := judge.Ledger().Newest(m.Invalidated); g != nil; g = g.Older() {
		if g.By != at || g.XID == r.XID || g.Owner == m.From || pad(g.Segment) {
			continue
		}
		if g.Call.File != at.File || g.Call.Number > at.Number || !judge.Ordered(g.Since, m.First) || !judge.Has(m.From, g.Call, g.Since) {
			continue // it may have been sent behind the invalidation
		}
		if f := say.Message("b", m, ""); f != nil {
			f.Sayf("the reply to XID 0x%08x invalidates handle 0x%08x, which the open call with XID 0x%08x in frame %s advertises too",
				r.XID, m.Invalidated, g.XID, c.Capture.FrameName(g.Call))
			f.See("handle", rules.Handle(m.Invalidated), nil).At(rules.InvalidatedAt(m)).With(g.Call).Also(g.XID)
		}
		return
	}
}

// recycled looks whether a call advertises a handle that was invalidated before, for
// other memory.
func recycled(c *rules.Conn, m *dissect.Message, say rules.Say) {
	book := memory.Of(c)
	for i := range m.Header.Segments {
		s := m.Header.Segments[i]
		g := book.Newest(s.Handle)
		if g == nil || g.Older() == nil {
			continue
		}
		if old := g.Older(); old.Over == memory.Invalidated && (old.Offset != s.Offset || old.Length != s.Length) && !pad(s) {
			if f := say.Message("c", m, ""); f != nil {
				f.Sayf("handle 0x%08x was invalidated in frame %s, and is now advertised for other memory", s.Handle, c.Capture.FrameName(old.By))
				f.See("segment", s.String(), old.Segment.String())
			}
			return
		}
	}
}
