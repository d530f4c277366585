package v2

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func v2008() *rules.Rule {
	return &rules.Rule{
		ID: "V2-008", Title: "RDMA2_ERR_CANT_REPLY contents or follow-up",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "An RDMA2_ERR_CANT_REPLY names a segment that the call does not have, or says that it needs no more than it has; or it was not " +
			"needed; or the call came again with the same XID.",
		Why: "The requester takes from the error how much memory its next try must offer. With the wrong segment or length it fails again, and a " +
			"request that was carried out before the error is carried out twice.",
		Advice: "Let the responder count segments from 1 through the Write list and the Reply chunk, and tell the octets that the first one which is " +
			"too short would need.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.4; draft-dnoveck-nfsv4-nfsulb-01, sections 3.2 and 5.5",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince, rules.Unpaired, rules.Cut)},
		Limits: "A segment of number 0 says that it is not known, with any length. Of the tries that follow only those on the same connection with " +
			"the same XID are seen. What must not be carried out twice is known of NFS version 2 and 3. That the reply would have fitted at " +
			"first is only likely if the error came before the request was carried out.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the call has no such segment", Severity: rules.Error},
			{Letter: "b", Title: "it needs no more than the segment has", Severity: rules.Error},
			{Letter: "c", Title: "the reply would have fitted at first", Severity: rules.Warning},
			{Letter: "d", Title: "sent again with no more room", Severity: rules.Warning,
				Advice: "Let the requester offer more: rdma_length_needed says how much, or, if that is not known, the largest reply that the call allows."},
			{Letter: "e", Title: "sent again with more room", Severity: rules.Note,
				Advice: "Nothing, unless it must not be carried out twice: then let the requester reckon the largest reply in advance, or use sessions."},
		},
		Causes: []string{"THRESH-009", "ULB-011", "DDP-020a"},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message008), rules.OnRPC(rules.OtherVersion, rpc008)},
		Fires: []rules.Sample{
			{Name: "segment 2 of one", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50
				    want DDP-020a
				error 2 CANT_REPLY TRUE 2 100
				    want V2-008a index
				disconnect`},
			{Name: "it needs less than there is", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50 0x1002 50
				    replychunk 0x1003 300
				error 2 CANT_REPLY TRUE 3 300
				    want V2-008b needed
				disconnect`},
			{Name: "the reply needs no more than was offered first", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				error 2 CANT_REPLY TRUE 1 200
				call 2 again
				    write 0x1002 200
				    want V2-008e xid
				reply 2 data=bytes(100)
				    want V2-008c
				disconnect`},
			{Name: "again with the same room", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50
				    want DDP-020a
				error 2 CANT_REPLY TRUE 1 100
				call 2 again
				    write 0x1001 50
				    want V2-008d xid
				error 2 CANT_REPLY TRUE 1 100
				disconnect`},
			{Name: "again with more room, though it was carried out", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 CREATE where.name="file"
				    replychunk 0x1001 50
				error 2 CANT_REPLY TRUE 1 300
				call 2 again
				    replychunk 0x1001 300
				    want V2-008e xid
				reply 2 NFS3ERR_EXIST
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "each segment that is too short, and none", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50 0x1002 20
				    want DDP-020a
				error 2 CANT_REPLY TRUE 2 50
				call 3 NFS3 READDIR
				    replychunk 0x1003 50
				error 3 CANT_REPLY FALSE 1 4096
				call 4 NFS3 READDIR
				    replychunk 0x1003 50
				error 4 CANT_REPLY FALSE 0 0
				disconnect`},
			{Name: "another call takes the XID after a reply", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50
				    want DDP-020a
				reply 2 data=bytes(50)
				call 2 again
				    write 0x1001 50
				reply 2 data=bytes(50)
				disconnect`},
		},
	}
}

func message008(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !sound(c, m) {
		return
	}
	switch r := m.RPC(); {
	case r == nil:
	case r.Call == m && lists(m):
		if s := of(c).shortages.find(m.From, r.XID); s != nil {
			s.again = m.Frame()
			retried(c, say, s, m)
		}
	case m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.Err2CantReply && answers(c, r):
		segment(c, say, m, &r.Call.Header)
		*of(c).shortages.Add(mostShortages) = shortage{requester: r.Requester, xid: r.XID, frame: m.Frame(), room: roomOf(&r.Call.Header), processed: m.Header.Processed}
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	w := &of(c).shortages
	if w.Len() == 0 || r.Call == nil {
		return
	}
	s := w.find(r.Requester, r.XID)
	if s == nil || s.again != r.Call.Frame() {
		return
	}
	s.over = true
	if r.Complete && sound(c, r.Reply) && r.Reply.Header.Proc != rpcrdma.RDMAError && c.Paired(r) {
		needless(c, say, s, r)
	}
}

// segment judges which segment a CANT_REPLY means, and what it needs.
func segment(c *rules.Conn, say rules.Say, m *dissect.Message, call *rpcrdma.Header) {
	h := &m.Header
	n, index := uint32(len(call.Segments)), h.SegmentIndex
	switch at := h.ErrorAt() + 2*xdr.WordSize; {
	case index == 0:
	case index > n:
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s's CANT_REPLY is about segment %d, and the call has %d", c.Sender(m.From), index, n)
			f.See("rdma_segment_index", index, fmt.Sprintf("at most %d", n)).Word(m, at).With(m.RPC().Call.Frames...)
		}
	case h.LengthNeeded <= call.Segments[index-1].Length:
		if f := say.Message("b", m, ""); f != nil {
			length := call.Segments[index-1].Length
			f.Sayf("the %s's CANT_REPLY needs %d octets in segment %d, which has %d", c.Sender(m.From), h.LengthNeeded, index, length)
			f.See("rdma_length_needed", h.LengthNeeded, fmt.Sprintf("above %d", length)).Word(m, at+xdr.WordSize).With(m.RPC().Call.Frames...)
		}
	}
}

// retried judges a call that comes again behind a CANT_REPLY.
func retried(c *rules.Conn, say rules.Say, s *shortage, m *dissect.Message) {
	now := roomOf(&m.Header)
	if !now.larger(&s.room) {
		if f := say.Message("d", m, ""); f != nil {
			f.Sayf("the %s sent the call again, and offers no more room than drew CANT_REPLY", c.Sender(m.From))
			f.See("room for the reply", now.String(), "more than before").With(s.frame).Word(m, rpcrdma.AtXID)
		}
		return
	}
	twice := ""
	if h := &m.CallHeader; s.processed && m.HasRPC && h.Program == rpc.ProgramNFS {
		twice = values.NonIdempotent(h.Version, h.Procedure)
	}
	if twice != "" {
		say = say.As(rules.Warning)
	}
	if f := say.Message("e", m, ""); f != nil {
		f.Sayf("the %s sent the call again, with more room for the reply", c.Sender(m.From))
		if twice != "" {
			f.Message += ": " + twice + " was carried out before, and must not be twice"
		}
		f.See("room for the reply", now.String(), nil).See("room before", s.room.String(), nil).With(s.frame).Word(m, rpcrdma.AtXID)
	}
}

// doubtReckoned is why a reply may be shorter than the responder thought.
const doubtReckoned = "the responder may have gone by the largest reply that the call allows"

// needless looks whether the reply to a call that came again would have fitted what
// the first one offered.
func needless(c *rules.Conn, say rules.Say, s *shortage, r *dissect.RPC) {
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.Success || len(r.Reply.Header.Writes) != s.room.chunks {
		return
	}
	if status, ok := r.Status(); !ok && status != "" {
		return // an error is short
	}
	if used := roomOf(&r.Reply.Header); used.larger(&s.room) {
		return
	}
	doubt := ""
	if !s.processed {
		doubt = doubtReckoned
	}
	if f := say.RPC("c", r, doubt); f != nil {
		used := roomOf(&r.Reply.Header)
		f.Sayf("the reply fits what the call offered when the %s answered CANT_REPLY", c.Sender(r.Reply.From))
		f.See("room used", used.String(), nil).See("room at first", s.room.String(), nil).With(s.frame)
	}
}
