package stats

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Subject is what RPCs have in common that are counted together: the
// procedure, and of a COMPOUND the operation that it is for.
type Subject struct {
	// Program, Version and Procedure are those of the call, if Known. Of an NFS
	// callback Program is 0, since each client chooses a number for it.
	Program, Version, Procedure uint32
	Known                       bool
	// Reverse is true of calls from server to client.
	Reverse bool
	// GSS is the RPCSEC_GSS procedure of a control message, GSSData for all others.
	GSS rpc.GSSProc
	// Operation is the operation that a COMPOUND is for ("OPEN"), or one of those
	// that it has; "" of any other procedure.
	Operation string
}

// subjectOf is the subject of an RPC with these operations.
func subjectOf(r *dissect.RPC, ops []dissect.Op) Subject {
	c := r.CallHeader()
	if c == nil {
		return Subject{Reverse: r.Reverse()}
	}
	s := Subject{Known: true, Reverse: r.Reverse(), Program: c.Program, Version: c.Version, Procedure: c.Procedure}
	if s.Reverse && rpc.ProgramName(c.Program) == "" {
		s.Program = 0
	}
	if c.Control() {
		s.GSS = c.Cred.GSS.Proc
	}
	if op := dissect.MainOperation(ops); op != nil {
		s.Operation = op.Name
	}
	return s
}

// Transfers counts RPC messages by how they travelled; of those that are not
// whole in the capture, or malformed, nobody can tell.
type Transfers struct{ Inline, Chunked, Long int64 }

// Total is how many are counted.
func (t *Transfers) Total() int64 { return t.Inline + t.Chunked + t.Long }

func (t *Transfers) add(how travelled) {
	switch how {
	case inline:
		t.Inline++
	case chunked:
		t.Chunked++
	case long:
		t.Long++
	}
}

func (t *Transfers) merge(o *Transfers) {
	t.Inline += o.Inline
	t.Chunked += o.Chunked
	t.Long += o.Long
}

// An Operation is what is counted of the RPCs with one subject.
type Operation struct {
	Subject
	// Name is what a person calls it: "NFS3 READ", "NFS4 OPEN".
	Name string
	// Calls and Replies are those in the capture; an RDMA_ERROR counts as a reply.
	// Unanswered are the calls without one.
	Calls, Replies, Unanswered int64
	// Incomplete are RPCs of which some part is not in the capture.
	Incomplete int64
	// CallOctets and ReplyOctets are those of the RPC messages as the upper layer
	// saw them, chunks put back, as far as that is known.
	CallOctets, ReplyOctets uint64
	// ReadOctets and WriteOctets are those that RDMA Reads and Writes moved.
	ReadOctets, WriteOctets uint64
	// CallTransfers and ReplyTransfers say how the messages travelled.
	CallTransfers, ReplyTransfers Transfers
	// Errors are the replies that say that the call failed, by what they say: the
	// status of the program ("NFS4ERR_NOENT"), of RPC ("PROG_MISMATCH"), or the
	// error of an RDMA_ERROR ("ERR_CHUNK").
	Errors Names
	// Latency has the times from the call's last frame to the reply's first.
	Latency latency.Histogram
	// Parts is where that time went, of all of them together.
	Parts Phases
}

// add counts an RPC.
func (o *Operation) add(f *Fact) {
	if f.called {
		o.Calls++
		if !f.answered {
			o.Unanswered++
		}
	}
	if f.answered {
		o.Replies++
	}
	if f.failure != "" {
		o.Errors.add(f.failure, 1)
	}
	if !f.complete {
		o.Incomplete++
	}
	o.CallOctets += f.callOctets
	o.ReplyOctets += f.replyOctets
	o.CallTransfers.add(f.callTravelled)
	o.ReplyTransfers.add(f.replyTravelled)
	o.ReadOctets += f.readOctets
	o.WriteOctets += f.writeOctets
	if f.latency >= 0 {
		o.Latency.Add(f.latency)
		o.Parts.Add(&f.parts)
	}
}

// Failure is what the reply of an RPC names as the reason why the call failed: the status of
// the program, of RPC, or the error of an RDMA_ERROR. It is "" if the call did not fail, or
// if that cannot be told, as without a reply.
func Failure(r *dissect.RPC) string {
	if r.Reply == nil {
		return ""
	}
	if h := &r.Reply.Header; h.Proc == rpcrdma.RDMAError && !h.Fault.Bad() {
		return h.ErrorName()
	}
	s := r.ReplyHeader()
	if s == nil {
		return ""
	}
	if s.Denied || s.Accept != rpc.Success {
		return s.Status()
	}
	if name, ok := r.Status(); !ok {
		return name
	}
	return ""
}

// merge adds the counts of another.
func (o *Operation) merge(p *Operation) {
	o.Calls += p.Calls
	o.Replies += p.Replies
	o.Unanswered += p.Unanswered
	o.Incomplete += p.Incomplete
	o.CallOctets += p.CallOctets
	o.ReplyOctets += p.ReplyOctets
	o.ReadOctets += p.ReadOctets
	o.WriteOctets += p.WriteOctets
	o.CallTransfers.merge(&p.CallTransfers)
	o.ReplyTransfers.merge(&p.ReplyTransfers)
	o.Errors.merge(&p.Errors)
	o.Latency.Merge(&p.Latency)
	o.Parts.Add(&p.Parts)
}
