package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans008() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-008", Title: "Too many outstanding RDMA Reads",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An end has more RDMA Reads open at a time than it said that it would issue, or than its peer said that it takes. " +
			"Where the set-up was not captured the limit is not known: then a large number is told as a note.",
		Why: "A responder keeps a resource for each RDMA Read that it takes. One more is refused as an invalid request or ends the " +
			"stream, or waits until one is free.",
		Advice: "Look at how the requester limits its RDMA Reads: it must take the lesser of its own initiator depth (ORD) and its " +
			"peer's responder resources (IRD), after the set-up has settled both.",
		Reference: "InfiniBand Architecture 1.3, volume 1, section 9.4.4; RFC 8166, section 3.3.1; RFC 6581, section 9.1",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince, rules.Disordered).Since("the oldest open RDMA Read"), rules.LowerIf(rules.BeganLate)},
		Limits: "Silent if the directions come from two files, and where MPA did not negotiate depths but its set-up was captured. " +
			"Atomics, which take the same resources, are not counted. The limit of the note is open_reads.",
		Causes: []string{"CM-006"},
		Needs:  []rules.Knowledge{wires(), reading()},
		On:     []rules.Event{onRead(read008), rules.OnEnd(end008)},
		Fires: []rules.Sample{
			{Name: "three where the client takes two", Scene: `
				connect clientird=2 serverord=8
				call 1 NFS3 WRITE data=bytes(300)
				    read 0x1001 100 0x1002 100 0x1003 100
				    nopull
				rdma read server 0x1001 100
				    norespond
				rdma read server 0x1002 100
				    norespond
				rdma read server 0x1003 100
				    norespond
				    want TRANS-008 frame
				disconnect`},
			{Name: "two where the server said that it issues one", Scene: `
				connect clientird=16 serverord=1
				call 1 NFS3 WRITE data=bytes(200)
				    read 0x1001 100 0x1002 100
				    nopull
				rdma read server 0x1001 100
				    norespond
				rdma read server 0x1002 100
				    norespond
				    want TRANS-008 frame
				disconnect`},
			{Name: "seventeen where nobody knows the limit", Over: rules.RoCE, Scene: `
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				reply 2
				repeat 17
				rdma read server 0x1001 100
				    norespond
				end
				want TRANS-008`},
		},
		Silent: []rules.Sample{
			{Name: "one after the other is answered", Scene: `
				connect clientird=2 serverord=8
				call 1 NFS3 WRITE data=bytes(300)
				    read 0x1001 100 0x1002 100 0x1003 100
				    nopull
				rdma read server 0x1001 100
				rdma read server 0x1002 100
				rdma read server 0x1003 100
				disconnect`},
			{Name: "as many as allowed", Scene: `
				connect clientird=2 serverord=8
				call 1 NFS3 WRITE data=bytes(200)
				    read 0x1001 100 0x1002 100
				    nopull
				rdma read server 0x1001 100
				    norespond
				rdma read server 0x1002 100
				    norespond
				disconnect`},
		},
	}
}

// excess is what an end asked for beyond its limit, as it was first.
type excess struct {
	times       int
	open, limit int
	unknown     bool // what the limit is
	at          flow.Moment
	place       flow.Place
	oldest      flow.Ref // of the open ones
	xid         uint32
	hasXID      bool
}

func read008(c *rules.Conn, a *dissect.Access, _ rules.Say) {
	reads := readsOf(c)
	open := reads.open(a.From) // more than one: nobody issues one where none is allowed, but CM-006 would tell
	limit, known := depth(c, a.From)
	unknown := !known && c.BeganLate()
	if unknown {
		limit = c.Capture.Config.OpenReads
	}
	if !known && !unknown || open <= limit {
		return
	}
	oldest := reads.oldest(a.From).ref
	if peer := c.LastSeen(a.From ^ 1).New.Ref; peer.Number > 0 && peer.File != oldest.File || c.LostSince(oldest) {
		return
	}
	x := &rules.Some(&of(c).excesses)[a.From&1]
	if x.times++; x.times > 1 && !(x.unknown && !unknown) {
		return
	}
	*x = excess{x.times, open, limit, unknown, flow.Moment{Ref: a.Place.Ref, Time: a.Time}, a.Place, oldest, 0, false}
	if a.RPC != nil {
		x.xid, x.hasXID = a.RPC.XID, true
	}
}

// end008 tells of it: by now it is known whether the responses were captured in step
// with the requests.
func end008(c *rules.Conn, say rules.Say) {
	ends := ifAny(c).excesses
	if ends == nil {
		return
	}
	for end := range flow.End(2) {
		x := &ends[end]
		if _, known := depth(c, end); x.times > 0 && !c.Disordered() && !(x.unknown && known) {
			x.tell(c, say, end)
		}
	}
}

// tell tells of it.
func (x *excess) tell(c *rules.Conn, say rules.Say, from flow.End) {
	if x.unknown {
		say = say.As(rules.Note)
	}
	f := say.Moment("", x.at.Ref, x.at.Time, &from, "")
	if f == nil {
		return
	}
	f.XID, f.HasXID = x.xid, x.hasXID
	f.At(x.place).With(x.oldest)
	if x.unknown {
		f.Sayf("the %s has %d RDMA Reads open; how many are allowed was told before the capture began", c.Sender(from), x.open)
		f.See("open RDMA Reads", x.open, nil).See("times", x.times, nil)
		return
	}
	f.Sayf("the %s has %d RDMA Reads open where %d are allowed", c.Sender(from), x.open, x.limit)
	f.See("open RDMA Reads", x.open, x.limit).See("times", x.times, nil)
	told := &c.Handshake.Told
	f.See("initiator depth (ORD) of the "+c.Sender(from), told[from].Issues.Value, nil)
	f.See("responder resources (IRD) of the "+c.Sender(from^1), told[from^1].Takes.Value, nil)
}
