package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A sessionID is that of a session of NFS version 4.1 (RFC 8881, section 2.10.3.1).
type sessionID [16]byte

// A sequence is what a SEQUENCE or CB_SEQUENCE asks for (RFC 8881, sections 18.46
// and 20.9).
type sequence struct {
	session            sessionID
	id, slot, highSlot uint32
	cache              bool
}

// sequenceOf is that of a COMPOUND or CB_COMPOUND whose first operation it is. Its
// arguments lie at fixed offsets, so that nobody needs to have asked for them.
func sequenceOf(b *dissect.Body) (s sequence, ok bool) {
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		const (
			id, slot, highSlot, cache = 20, 24, 28, 32 // after the operation's number
			size                      = 36
		)
		if e.Value != numbers.OpSequence && e.Value != numbers.OpCBSequence || uint64(e.Offset)+size > uint64(len(b.Bytes)) {
			return s, false
		}
		at := b.Bytes[e.Offset:]
		copy(s.session[:], at[xdr.WordSize:])
		s.id, s.slot = binary.BigEndian.Uint32(at[id:]), binary.BigEndian.Uint32(at[slot:])
		s.highSlot, s.cache = binary.BigEndian.Uint32(at[highSlot:]), binary.BigEndian.Uint32(at[cache:]) != 0
		return s, true
	}
	return s, false
}

// A session is what the server granted in CREATE_SESSION, in bytes (RFC 8881,
// section 18.36).
type session struct {
	id sessionID
	// response is ca_maxresponsesize and slots ca_maxrequests of the fore channel.
	response, slots uint64
	// backRequest and backResponse are ca_maxrequestsize and ca_maxresponsesize of
	// the back channel.
	backRequest, backResponse uint64
	frame                     flow.Ref // of the reply
	time                      int64
}

// sessions are those of a capture, in CrossConnection. A client may use a session on any connection.
type sessions struct {
	known map[sessionID]*session
	order rules.Ring[sessionID]
	// least is the least of all that bounds a reply, so that most are judged
	// without looking for their session; 0 if no session is known.
	least uint64
}

const mostSessions = 256

func (s *sessions) addSession(x *session) {
	if s.known == nil {
		s.known = make(map[sessionID]*session)
	}
	if s.known[x.id] == nil {
		id := s.order.Add(mostSessions)
		if s.order.Forgot() {
			delete(s.known, *id)
		}
		*id = x.id
	}
	s.known[x.id] = x
	for _, n := range [...]uint64{x.response, x.backResponse} {
		if n > 0 && (s.least == 0 || n < s.least) {
			s.least = n
		}
	}
}

// Fields of what CREATE_SESSION returned.
const (
	sessionName       = "CREATE_SESSION4res.csr_resok4.csr_sessionid"
	foreResponse      = "CREATE_SESSION4res.csr_resok4.csr_fore_chan_attrs.ca_maxresponsesize"
	foreRequests      = "CREATE_SESSION4res.csr_resok4.csr_fore_chan_attrs.ca_maxrequests"
	backRequestBytes  = "CREATE_SESSION4res.csr_resok4.csr_back_chan_attrs.ca_maxrequestsize"
	backResponseBytes = "CREATE_SESSION4res.csr_resok4.csr_back_chan_attrs.ca_maxresponsesize"
)

func sessionFields() []string {
	return []string{sessionName, foreResponse, foreRequests, backRequestBytes, backResponseBytes}
}

// creating enters the sessions that a connection creates.
func creating() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsULBSession, Needs: []rules.Knowledge{compounds()}, Limitations: []rules.Limitation{rules.Cut}, On: []rules.Event{
		onCompound(set(numbers.OpCreateSession), created), rules.OnPublished(entered),
	}}
}

func created(c *rules.Conn, x *compound, _ rules.Reporter) {
	s, r := all(c), x.rpc
	b := values.Walked(c, r.Reply)
	if b == nil {
		return
	}
	at := values.Next(b, 0, numbers.OpCreateSession)
	if at < 0 {
		return
	}
	events := values.Within(b, at)
	id := s.id.In(b, events)
	if id == nil || int(id.Length) != len(sessionID{}) {
		return
	}
	n := &session{
		response: s.response.Number(b, events), slots: s.fields.slots.Number(b, events),
		backRequest: s.backRequest.Number(b, events), backResponse: s.backResponse.Number(b, events),
		frame: r.Reply.Frame(), time: r.Reply.Last,
	}
	copy(n.id[:], b.Bytes[id.Offset:])
	state.Of(c).newest = n
	rules.Publish(c, *n)
}

func entered(e *rules.ConnRef, x *session, _ rules.Reporter) {
	s := *x
	crossState(e.CrossConnection).sessions.addSession(&s)
}

// callback reports whether an RPC is a call of an NFS callback program.
func callback(c *rules.Conn, r *dissect.RPC) bool {
	if !c.RolesKnown || !r.Reverse() {
		return false
	}
	h := r.CallHeader()
	return h == nil || h.Program == rpc.ProgramNFSCallback || rpc.ProgramName(h.Program) == ""
}
