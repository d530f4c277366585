package report

import "github.com/rdmacap/rdmacap/dissect"

// Words says of RPCs, one after the other, what their rows in text do. Nothing is allocated
// for an RPC once its buffers are large enough. The zero Words is ready.
type Words struct{ w wording }

// Take turns to an RPC, which the other methods are about until the next Take.
func (x *Words) Take(r *dissect.RPC) { x.w.take(r) }

// AppendName appends what a person calls the RPC: "NFS4 READ".
func (x *Words) AppendName(b []byte, r *dissect.RPC) []byte { return r.AppendName(b, x.w.ops) }

// AppendTravel appends how call and reply travelled: "read chunk + long reply".
func (x *Words) AppendTravel(b []byte, r *dissect.RPC) []byte { return appendTravel(b, r) }

// AppendStatus appends what came of it: "NFS4_OK", "no reply in the capture".
func (x *Words) AppendStatus(b []byte, r *dissect.RPC) []byte { return appendStatus(b, r) }

// AppendOperations appends what was asked for and what came of that, one operation after the
// other, nothing where that is not known.
func (x *Words) AppendOperations(b []byte, r *dissect.RPC) []byte { return x.w.appendOperations(b, r) }

// Failed reports whether the reply says that the call failed.
func (x *Words) Failed(r *dissect.RPC) bool {
	s := r.ReplyHeader()
	if s == nil {
		return r.Reply != nil
	}
	name, ok := r.Status()
	return s.Status() != "SUCCESS" || name != "" && !ok
}
