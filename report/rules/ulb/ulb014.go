package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb014() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-014", Title: "Session limits and the transport",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "What CREATE_SESSION agreed on and what the connection does differ: a reply is longer than the session allows, a Reply chunk " +
			"has more room than any reply may need, or the session has more slots than the connection has credits.",
		Why: "The limits of a session bound what a replier sends; a client sizes its buffers by them. Room and slots beyond the other limit " +
			"are never used.",
		Advice:    "Look at the server's check of ca_maxresponsesize, which covers the whole RPC message with what travels in chunks.",
		Reference: "RFC 8881, section 18.36; RFC 8267, sections 6.2.2 and 6.6; draft-dnoveck-nfsv4-nfsulb-01, sections 5.2.2, 5.4.2 and 5.5",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits:    "Silent if the session was created before the capture began; 256 sessions are remembered.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a reply longer than ca_maxresponsesize", Severity: rules.Warning},
			{Letter: "b", Title: "a Reply chunk larger than ca_maxresponsesize", Severity: rules.Note,
				Advice: "Offer no more than ca_maxresponsesize octets: no reply can be longer."},
			{Letter: "c", Title: "more slots than credits", Severity: rules.Note,
				Advice: "Nothing needs to be done: the numbers need not match. To use all slots, let the server grant as many credits."},
		},
		Fields: sessionFields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{creating()},
		On: []rules.Event{
			rules.OnMessage(rules.OtherVersion, message014),
			rules.OnRPC(0, rpc014),
			rules.OnEnd(end014),
			rules.OnPosted(judge014),
		},
		Fires: []rules.Sample{
			{Name: "a READ of 4096 octets where replies may have 2048", Scene: session014 + `
				call 2 NFS4 COMPOUND [SEQUENCE{sessionid="0123456789abcdef"} PUTFH READ{count=4096}]
				    write 0x801 4096
				reply 2 [SEQUENCE PUTFH READ{data=bytes(4096)}]
				    want ULB-014a
				disconnect`},
			{Name: "the reply to a callback is longer than the back channel allows", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096} csr_back_chan_attrs={maxrequestsize=128 maxresponsesize=64}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL]
				reply 2 [CB_SEQUENCE CB_RECALL]
				    want ULB-014a
				disconnect`},
			{Name: "a Reply chunk of 64 KiB", Scene: session014 + `
				call 2 NFS4 COMPOUND [SEQUENCE{sessionid="0123456789abcdef"} PUTFH GETATTR{attr_request=[SIZE]}]
				    replychunk 0x801 65536
				    want ULB-014b replychunk
				reply 2
				disconnect`},
			{Name: "64 slots and 32 credits", Scene: `
				connect servercredits=32
				call 1 NFS4 COMPOUND [CREATE_SESSION]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096 maxrequests=64} csr_back_chan_attrs={maxrequestsize=4096 maxresponsesize=4096}}]
				    want ULB-014c
				disconnect`},
			{Name: "64 slots and 32 credits in version 2", Scene: `
				connect version=2 servercredits=32
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION]
				reply 2 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096 maxrequests=64} csr_back_chan_attrs={maxresponsesize=4096}}]
				    want ULB-014c
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an operation of version 2 grants more credits", Scene: `
				connect version=2 servercredits=32
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION]
				reply 2 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096 maxrequests=64} csr_back_chan_attrs={maxresponsesize=4096}}]
				optional 9 client REQ_XCHAR [RBSIZ=8192]
				optional 9 server RESP_XCHAR done=[0]
				    credits 64
				disconnect`},
			{Name: "as many slots as credits", Scene: `
				connect servercredits=32
				call 1 NFS4 COMPOUND [CREATE_SESSION]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096 maxrequests=32}}]
				disconnect`},
			{Name: "a short reply, and a Reply chunk of just that size", Scene: session014 + `
				call 2 NFS4 COMPOUND [SEQUENCE{sessionid="0123456789abcdef"} PUTFH READ{count=1024}]
				    write 0x801 1024
				    replychunk 0x802 2048
				reply 2 [SEQUENCE PUTFH READ{data=bytes(1024)}]
				disconnect`},
			{Name: "another session, which was created before", Scene: session014 + `
				call 2 NFS4 COMPOUND [SEQUENCE{sessionid="fedcba9876543210"} PUTFH READ{count=4096}]
				    write 0x801 4096
				reply 2 [SEQUENCE PUTFH READ{data=bytes(4096)}]
				disconnect`},
		},
	}
}

// session014 is a session whose replies have at most 2048 octets.
const session014 = `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=2048 maxrequests=1} csr_back_chan_attrs={maxrequestsize=2048 maxresponsesize=2048}}]`

func message014(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	if m.From != c.ClientEnd && m.Header.Directed() && m.Header.Direction == rpcrdma.DirectionReply && m.Header.Length >= rpcrdma.FixedSize {
		k := of(c)
		k.granted = max(k.granted, uint64(m.Header.Credits))
	}
}

func rpc014(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
	if m := r.Reply; m != nil && m.From != c.ClientEnd && m.Header.Length >= rpcrdma.FixedSize {
		k := of(c)
		k.granted = max(k.granted, uint64(m.Header.Credits))
	}
	if r.Call != nil && r.Reply != nil {
		sizes014(c, r)
	}
}

func end014(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil {
		return
	}
	if x := k.newest; x != nil && k.granted > 0 && x.slots > k.granted {
		if f := say.Moment("c", x.frame, x.time, nil, ""); f != nil {
			f.Sayf("the session has %d slots, and the server granted at most %d credits", x.slots, k.granted)
			f.See("ca_maxrequests", x.slots, k.granted)
		}
	}
}

// sizes are those of a reply, and of the room for it, to be compared with what their
// session allows.
type sizes struct {
	session        sessionID
	callback       bool
	reply, offered uint64
	whole          bool // the reply is
	about, room    *rules.About
}

// exceeds reports whether a session allows less.
func (x *sizes) exceeds(s *session) bool {
	limit := x.limit(s)
	return limit > 0 && (x.reply > limit && x.whole || x.offered > limit)
}

// limit is the most that a reply may have, 0 if that is not known.
func (x *sizes) limit(s *session) uint64 {
	if x.callback {
		return s.backResponse
	}
	return s.response
}

// sizes014 posts the sizes of an RPC, but for those that the session allows which was
// created last on the connection, as nearly all are.
func sizes014(c *rules.Conn, r *dissect.RPC) {
	x := sizes{reply: r.Reply.RPCLength, whole: !c.Cut(r.Reply)}
	x.offered, _ = room(&r.Call.Header)
	if a := rules.Along(c); a != nil && x.allowed(a) || called(c, r) == nil {
		return
	}
	b := values.Walked(c, r.Call)
	if b == nil {
		return
	}
	q, ok := sequenceOf(b)
	if !ok {
		return
	}
	x.session, x.callback = q.session, callback(c, r)
	if k := ifAny(c); k != nil && k.newest != nil && k.newest.id == x.session && !x.exceeds(k.newest) {
		return
	}
	x.about = rules.AboutRPC(r)
	if x.offered > 0 {
		x.room = rules.AboutPart(r, r.Call)
		x.room.ReplyChunk(r.Call)
	}
	rules.Post(c, x)
}

// allowed reports whether any session that is known allows as much.
func (x *sizes) allowed(a *rules.Across) bool {
	least := across(a).sessions.least
	return least == 0 || x.reply <= least && x.offered <= least
}

// judge014 compares them with the limits of the session.
func judge014(e *rules.Entry, x *sizes, say rules.Say) {
	s := across(e.Across).sessions.known[x.session]
	if s == nil || !x.exceeds(s) {
		return
	}
	limit := x.limit(s)
	if x.reply > limit && x.whole {
		if f := say.About("a", x.about, ""); f != nil {
			f.Sayf("the reply has %d octets, and the session allows %d", x.reply, limit)
			f.See("octets of the RPC reply", x.reply, limit).With(s.frame)
		}
	}
	if x.offered > limit {
		if f := say.About("b", x.room, ""); f != nil {
			f.Sayf("the Reply chunk has room for %d octets, and the session allows replies of %d", x.offered, limit)
			f.See("length of the Reply chunk", x.offered, limit).With(s.frame)
		}
	}
}
