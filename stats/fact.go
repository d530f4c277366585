package stats

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Fact is all that is counted of an RPC.
type Fact struct {
	subject Subject
	name    string // what a person calls it
	ops     []dissect.Op

	called, answered, complete bool
	callTravelled              travelled
	replyTravelled             travelled
	callOctets, replyOctets    uint64
	readOctets, writeOctets    uint64
	failure                    string
	latency                    int64 // nanoseconds, -1 if it is not known
	parts                      Phases
}

// Ops are the operations of the RPC, until another is noted.
func (f *Fact) Ops() []dissect.Op { return f.ops }

// Name is what a person calls the RPC.
func (f *Fact) Name() string { return f.name }

// travelled is how an RPC message did.
type travelled uint8

const (
	unknown travelled = iota
	inline
	chunked
	long
)

func howTravelled(m *dissect.Message) travelled {
	if !m.Whole || m.Header.Fault.Bad() || m.Header.Proc == rpcrdma.RDMAError {
		return unknown
	}
	switch m.Transfer {
	case dissect.Chunked:
		return chunked
	case dissect.Long:
		return long
	}
	return inline
}

// note notes what is counted of an RPC whose operations f has. Names are kept in texts.
func (f *Fact) note(r *dissect.RPC, texts *texts) {
	f.subject = subjectOf(r, f.ops)
	f.name = texts.name(r, f.ops)
	f.called, f.answered, f.complete = r.Call != nil, r.Reply != nil, r.Complete
	f.callTravelled, f.callOctets = unknown, 0
	if m := r.Call; m != nil {
		f.callTravelled, f.callOctets = howTravelled(m), m.RPCLength
	}
	f.replyTravelled, f.replyOctets, f.failure = unknown, 0, ""
	if m := r.Reply; m != nil {
		f.replyTravelled, f.replyOctets, f.failure = howTravelled(m), m.RPCLength, Failure(r)
	}
	f.readOctets, f.writeOctets = r.Offer.ReadOctets, r.Offer.WriteOctets
	ns, ok := r.Latency()
	if f.latency = ns; !ok {
		f.latency = -1
	}
	f.parts.note(r)
}

// part is what a person calls one of the operations of a COMPOUND, which is called by the
// one that it is for.
func (f *Fact) part(op *dissect.Op) string {
	return strings.TrimSuffix(f.name, f.subject.Operation) + op.Name
}

// texts are names that were made before.
type texts struct {
	known map[string]string
	made  []byte
}

// maxTexts bounds the names that are kept.
const maxTexts = 4096

// name is what a person calls an RPC with these operations.
func (t *texts) name(r *dissect.RPC, ops []dissect.Op) string {
	t.made = r.AppendName(t.made[:0], ops)
	if s, ok := t.known[string(t.made)]; ok {
		return s
	}
	if t.known == nil || len(t.known) >= maxTexts {
		t.known = make(map[string]string)
	}
	s := string(t.made)
	t.known[s] = s
	return s
}
