package ulb

import (
	"hash/maphash"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A failure is a call that was answered with ERR_CHUNK or GARBAGE_ARGS, in version 2
// with RDMA2_ERR_BAD_XDR, RDMA2_ERR_CANT_REPLY or GARBAGE_ARGS.
type failure struct {
	request
	xid   uint32
	frame flow.Ref // of the answer
	time  int64
	// reply and write are how many bytes its Reply chunk and its Write chunks
	// had room for; inline is how many bytes of an RPC message the reply could have
	// inline, 0 if that is not known.
	reply, write, inline uint64
	how                  string
	// short says that the answer itself reports that the room was too small, told that
	// this was reported.
	short, reported bool
}

// A request is what a call asks for: two that ask for the same are equal. What is
// different each time stays out, the SEQUENCE of a COMPOUND.
type request struct {
	transport                   uint32 // version of RPC-over-RDMA
	program, version, procedure uint32
	requester                   flow.End
	bytes                       int
	hash                        uint64
}

// failures are those of a connection, as many and as long as a retry is likely.
type failures struct {
	list rules.Ring[failure]
	seed maphash.Seed
	// found is the failure that the call of the RPC that is over repeats, nil if
	// there is none; failed that which it is itself.
	found, failed *failure
	rpc           *dissect.RPC // the one that is over
}

// failuresSlot is where each connection keeps it.
const failuresSlot = rules.ConnSlot[failures](rules.KeepsULBFailures)

const (
	mostFailures = 16
	// retryTime is how long after a failure the same request counts as a retry.
	retryTime = int64(time.Minute)
)

// onRepeated calls do for an RPC that repeats a failure, for rules that need failing.
func onRepeated(do func(c *rules.Conn, s *failures, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// failing keeps the failures up to date.
func failing() rules.Knowledge {
	gates := []rules.Limitation{rules.BeganLate, rules.OneDirection, rules.Lossy, rules.LostAround, rules.Unpaired, rules.Cut, rules.AnyCut, rules.Protected}
	return rules.Knowledge{Keeping: rules.KeepsULBFailures, Needs: []rules.Knowledge{setup.ReceivedKnowledge()}, Limitations: gates, On: []rules.Event{
		rules.OnRPC(rules.Refused|rules.OtherProcedure|rules.AwaitedMessage, failed),
	}}
}

// failuresOf are those of a connection, nil if there was none.
func failuresOf(c *rules.Conn) *failures { return failuresSlot.IfAny(c) }

func failed(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	how, s := refused(c, r), failuresOf(c)
	if s == nil {
		if how == "" {
			return
		}
		s = failuresSlot.Of(c)
		s.seed = maphash.MakeSeed()
		c.AwaitMessages(rules.KeepsULBFailures, true)
	}
	s.look(c, r, how)
}

func (s *failures) look(c *rules.Conn, r *dissect.RPC, how string) {
	s.rpc, s.found, s.failed = r, nil, nil
	h := called(c, r)
	if h == nil || !c.Paired(r) {
		return
	}
	asked, ok := s.request(c, h, r)
	if !ok {
		return
	}
	for f := range s.list.All() {
		if f.time != 0 && f.request == asked && r.Call.First >= f.time && r.Call.First-f.time <= retryTime &&
			(s.found == nil || f.time > s.found.time) {
			s.found = f
		}
	}
	if s.found != nil {
		before := *s.found // its place may be taken
		s.found = &before
		defer rules.Raise(c, 0, s)
	}
	if accepted(c, r) {
		s.forget(&asked) // whatever was refused, it was not what is asked for
	}
	if how == "" {
		return
	}
	s.failed = s.list.Add(mostFailures)
	*s.failed = failure{request: asked, xid: r.XID, frame: r.Reply.Frame(), time: r.Reply.Last, how: how}
	s.failed.reply, s.failed.write = room(&r.Call.Header)
	s.failed.inline, _, _ = inline(c, r)
	s.failed.short = cantReply(&r.Reply.Header)
}

// forget takes out the failures of a request.
func (s *failures) forget(asked *request) {
	for f := range s.list.All() {
		if f.request == *asked {
			f.time = 0
		}
	}
}

// accepted reports whether an RPC was answered with SUCCESS.
func accepted(c *rules.Conn, r *dissect.RPC) bool {
	h := r.ReplyHeader()
	return h != nil && !h.Denied && h.Accept == rpc.Success && c.Sound(r.Reply)
}

// refused is with what an RPC was answered that a server could not decode, or
// whose reply it could not send; "" if it was not.
func refused(c *rules.Conn, r *dissect.RPC) string {
	if r.Call == nil || !c.Sound(r.Reply) {
		return ""
	}
	if h := &r.Reply.Header; h.Proc == rpcrdma.RDMAError {
		// 2 is RDMA2_ERR_BAD_XDR in version 2, the equivalent of ERR_CHUNK.
		if h.Error == rpcrdma.ErrChunk || cantReply(h) {
			return h.ErrorName()
		}
		return ""
	}
	if h := r.ReplyHeader(); h != nil && !h.Denied && h.Accept == rpc.GarbageArgs {
		return h.Accept.String()
	}
	return ""
}

// cantReply reports whether a header is of an RDMA2_ERROR that says that the call has
// not enough room for its reply.
func cantReply(h *rpcrdma.Header) bool {
	return h.Proc == rpcrdma.RDMAError && h.Version == rpcrdma.Version2 && h.Error == rpcrdma.Err2CantReply
}

// room is how many bytes the Reply chunk and all Write chunks of a call have
// room for.
func room(h *rpcrdma.Header) (reply, write uint64) {
	if h.HasReply {
		reply = h.ChunkLength(h.Reply)
	}
	for _, c := range h.Writes {
		write += h.ChunkLength(c)
	}
	return reply, write
}

// request is what a call asks for; not ok if its arguments are not known.
func (s *failures) request(c *rules.Conn, h *rpc.Call, r *dissect.RPC) (asked request, ok bool) {
	b := values.Walked(c, r.Call)
	if b == nil {
		return asked, false
	}
	data := b.Bytes
	if at := values.Next(b, 0, numbers.OpSequence); at >= 0 && b.Events[at].Index == 0 && !r.Reverse() {
		for i := range b.Events[at:] {
			if e := &b.Events[at+i]; e.Kind == walk.End {
				data = data[e.Offset:]
				break
			}
		}
	}
	return request{r.Call.Header.Version, h.Program, h.Version, h.Procedure, r.Requester, len(data), maphash.Bytes(s.seed, data)}, true
}
