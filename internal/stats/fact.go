package stats

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
)

// A Fact is all that is counted of an RPC.
type Fact struct {
	subject Subject
	name    string // what a person calls it
	ops     []dissect.Op

	counts  Counts // of it alone
	failure string
	latency int64 // nanoseconds, -1 if it is not known
	parts   Phases
}

// Ops are the operations of the RPC, until another is noted.
func (f *Fact) Ops() []dissect.Op { return f.ops }

// Name is what a person calls the RPC.
func (f *Fact) Name() string { return f.name }

// note notes what is counted of an RPC whose operations f has. Names are kept in texts.
func (f *Fact) note(r *dissect.RPC, texts *texts) {
	f.subject = subjectOf(r, f.ops)
	f.name = texts.name(r, f.ops)
	f.counts = Counts{}
	f.failure = f.counts.Add(r)
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
