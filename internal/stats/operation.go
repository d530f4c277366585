package stats

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/rpc"
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

// An Operation is what is counted of the RPCs with one subject.
type Operation struct {
	Subject
	Counts
	// Name is what a person calls it: "NFS3 READ", "NFS4 OPEN".
	Name string
	// Errors are the replies that say that the call failed, by what they say: the
	// status of the program ("NFS4ERR_NOENT"), of RPC ("PROG_MISMATCH"), or the
	// error of an RDMA_ERROR ("ERR_CHUNK").
	Errors Names
	// Latency has the times from the call's last frame to the reply's first.
	Latency latency.Histogram
	// Parts is where that time went, of all of them together.
	Parts Phases
}

// addFact counts an RPC.
func (o *Operation) addFact(f *Fact) {
	o.Counts.Merge(&f.counts)
	if f.failure != "" {
		o.Errors.addName(f.failure, 1)
	}
	if f.latency >= 0 {
		o.Latency.Add(f.latency)
		o.Parts.Add(&f.parts)
	}
}

// merge adds the counts of another.
func (o *Operation) merge(p *Operation) {
	o.Counts.Merge(&p.Counts)
	o.Errors.merge(&p.Errors)
	o.Latency.Merge(&p.Latency)
	o.Parts.Add(&p.Parts)
}
