package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/size"
)

// What leaves it open whether a reply did not fit.
const doubtError = "in version 1 the same answer is given to a call that cannot be decoded"

func ulb011() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-011", Title: "Too little room for the reply",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call that nothing else is wrong with was refused or took the connection down, and its reply may be, or was when the call " +
			"was made again, longer than what it offers room for.",
		Why: "The server had carried the call out before it found that it could not send the reply. The client does not learn that: for it the " +
			"operation failed. In version 2 rdma_processed tells it.",
		Advice: "Make the client's estimate of this reply larger: a longer Reply chunk, or one where there is none. Look at what may be unbounded " +
			"in the reply, such as ACLs.",
		Reference: "RFC 8267, sections 3 and 3.1; RFC 8166, section 4.5.3; draft-dnoveck-nfsv4-nfsulb-01, sections 2.5, 3.1 and 3.2; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostSince).Of("a call without a reply"),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
		},
		Limits: "The estimate is the least that the arguments prove: the counts in them, and items without any limit. In version 1 it " +
			"is certain only if the same call succeeds later with a reply that is longer than the room of the first. In version 2 " +
			"RDMA2_ERR_CANT_REPLY says that the room was too small, and may say where; other errors are not about the room. Silent " +
			"if the call has a finding of HDR, DDP or V2.",
		Causes: []string{"THRESH-009"},
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{failing()},
		On:     []rules.Event{onRepeated(repeated011), rules.OnJudged(rules.Refused|rules.WithoutReply, judged011)},
		Fires: []rules.Sample{
			{Name: "READDIR may return more than the Reply chunk takes", Scene: `
				connect
				call 1 NFS3 READDIR count=32768
				    replychunk 0x801 8192
				    want ULB-011 replychunk
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a READ without a Write chunk, and the connection ends", Scene: `
				connect
				call 1 NFS3 READ count=65536
				    want ULB-011
				    want THRESH-009
				disconnect`},
			{Name: "an ACL without a Reply chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH GETATTR{attr_request=[ACL]}]
				    want ULB-011 replychunk.flag
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "RDMA2_ERR_CANT_REPLY says which segment is too short", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READDIR count=1000
				    replychunk 0x801 200
				    want ULB-011 replychunk.1.length
				error 2 CANT_REPLY TRUE 1 900
				disconnect`},
			{Name: "RDMA2_ERR_CANT_REPLY says nothing more, and READDIR may return more than 4096 octets", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READDIR count=32768
				    want ULB-011 replychunk.flag
				    want THRESH-009
				error 2 CANT_REPLY TRUE 0 0
				disconnect`},
			{Name: "the first try of version 2 failed, and the reply to the second is longer than its room", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READLINK
				error 2 CANT_REPLY TRUE 0 0
				call 3 like 2
				    replychunk 0x801 8192
				    want ULB-011
				reply 3 data=text(5000)
				disconnect`},
			{Name: "the reply to the second attempt is longer than the room of the first", Scene: `
				connect
				call 1 NFS3 READLINK
				error 1 ERR_CHUNK
				call 2 like 1
				    replychunk 0x801 8192
				    want ULB-011
				reply 2 data=text(5000)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the second reply fits where the first had to", Scene: `
				connect
				call 1 NFS3 READLINK
				error 1 ERR_CHUNK
				call 2 like 1
				    replychunk 0x801 8192
				reply 2 data=text(3000)
				disconnect`},
			{Name: "there was room for all", Scene: `
				connect
				call 1 NFS3 READDIR count=8192
				    replychunk 0x801 8400
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "errors of version 2 that are not about the room, and none that there is", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READDIR count=32768
				    want THRESH-009
				error 2 BAD_XDR
				call 3 NFS3 READDIR count=32768
				reply 3 GARBAGE_ARGS
				call 4 NFS3 READDIR count=4000
				error 4 CANT_REPLY TRUE 0 0
				disconnect`},
			{Name: "the server of version 2 needs no more than there is", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READDIR count=1000
				    replychunk 0x801 1200
				error 2 CANT_REPLY TRUE 1 900
				    want V2-008b
				disconnect`},
			{Name: "the READ has a Write chunk", Scene: `
				connect
				call 1 NFS3 READ count=65536
				    write 0x801 65536
				error 1 ERR_CHUNK
				disconnect`},
		},
	}
}

func repeated011(c *rules.Conn, s *failures, say rules.Say) {
	if s.failed == nil {
		needed011(c, say, s.rpc, s.found)
	}
}

func judged011(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := failuresOf(c)
	switch {
	case s != nil && s.failed != nil:
		refused011(c, s, say, r)
	case s != nil && s.found != nil:
	case r.Reply == nil && r.Call != nil && !c.Opaque(r) && ended(c) && c.Whole(r.Call.Frame()) &&
		c.LastTime-r.Call.Last <= int64(c.Capture.Config.Consequence):
		short011(c, say, r, "was the last before the connection ended", "other calls were on their way")
	}
}

// ended reports whether an end closed the connection, or broke it.
func ended(c *rules.Conn) bool {
	return c.Closing == flow.Terminated || c.Closing == flow.Reset || c.Closing == flow.Disconnected
}

// refused011 judges a call that was refused. In version 2 the error for it tells: only
// RDMA2_ERR_CANT_REPLY is about the room.
func refused011(c *rules.Conn, s *failures, say rules.Say, r *dissect.RPC) {
	what, call, h := "was answered with "+s.failed.how, &r.Call.Header, &r.Reply.Header
	switch {
	case call.Version == rpcrdma.Version1:
		short011(c, say, r, what, doubtError)
	case !s.failed.short:
	case h.SegmentIndex == 0 || h.SegmentIndex > uint32(len(call.Segments)):
		short011(c, say, r, what, "")
	default:
		k := int(h.SegmentIndex) - 1
		had := call.Segments[k].Length
		if h.LengthNeeded <= had || called(c, r) == nil || malformed(c, r) {
			return // V2-008b
		}
		if f := say.Part("", r, r.Call, ""); f != nil {
			f.Sayf("the call offers %d octets in segment %d of its Write and Reply chunks, and %s: the reply needs %d there", had, k+1, what, h.LengthNeeded)
			f.See("length of the segment", had, h.LengthNeeded).See("rdma_processed", h.Processed, nil)
			f.Word(r.Call, call.SegmentAt(k)+rpcrdma.SegmentLength)
		}
		s.failed.told = true
	}
}

// short011 compares what a call asks for with the room that it has.
func short011(c *rules.Conn, say rules.Say, r *dissect.RPC, what, doubt string) {
	h := called(c, r)
	if h == nil || malformed(c, r) {
		return
	}
	room, known := roomForReply(c, r)
	octets, unbounded := size.Of(c.Capture).Least(h, r)
	if !known || octets <= room && unbounded == "" {
		return
	}
	f := say.Part("", r, r.Call, doubt)
	if f == nil {
		return
	}
	if octets > room {
		f.Sayf("the call lets the server return %d octets, has room for %d, and %s", octets, room, what)
		f.See("room for the reply", room, octets)
	} else {
		f.Sayf("the call asks for %s, which has no limit, has room for %d octets, and %s", unbounded, room, what)
		f.See("room for the reply", room, nil)
	}
	f.ReplyChunk(r.Call)
}

// malformed reports whether something was found about a call that explains why it
// was refused.
func malformed(c *rules.Conn, r *dissect.RPC) bool {
	for _, x := range c.Said(r) {
		if family := x.Rule.Family(); (family == "HDR" || family == "DDP" || family == "V2") && x.Finding.Severity == rules.Error {
			return true
		}
	}
	return false
}

// needed011 compares the reply to a second attempt with the room of the first.
func needed011(c *rules.Conn, say rules.Say, r *dissect.RPC, before *failure) {
	if !accepted(c, r) || before.inline == 0 || before.told {
		return
	}
	needed := uint64(r.Reply.Length - r.Reply.Header.Length)
	if r.Reply.Transfer == dissect.Long {
		needed, _ = room(&r.Reply.Header)
	}
	had := max(before.reply, before.inline)
	if needed <= had {
		return
	}
	if f := say.Part("", r, r.Call, ""); f != nil {
		f.Sayf("the same call, with XID 0x%08x, was answered with %s; it had room for %d octets, and the reply has %d", before.xid, before.how, had, needed)
		f.See("room for the reply", had, needed).With(before.frame).Also(before.xid)
	}
}
