package words

import "github.com/rdmacap/rdmacap/dissect"

// AppendName appends what a person calls the RPC: "NFS4 READ".
func (w *Words) AppendName(b []byte, r *dissect.RPC) []byte { return r.AppendName(b, w.Ops) }

// AppendTravel appends how call and reply travelled: "read chunk + long reply".
func (w *Words) AppendTravel(b []byte, r *dissect.RPC) []byte { return AppendTravel(b, r) }

// AppendStatus appends what came of it: "NFS4_OK", "no reply in the capture".
func (w *Words) AppendStatus(b []byte, r *dissect.RPC) []byte { return AppendStatus(b, r) }

// Failed reports whether the reply says that the call failed.
func (w *Words) Failed(r *dissect.RPC) bool {
	s := r.ReplyHeader()
	if s == nil {
		return r.Reply != nil
	}
	name, ok := r.Status()
	return s.Status() != "SUCCESS" || name != "" && !ok
}

// AppendSummary appends an RPC in one line: "NFS3 READ, write chunk, NFS3_OK:
// 0x1a2b3c4d offset 0 count 4096 → 4096 bytes, eof".
func (w *Words) AppendSummary(b []byte, r *dissect.RPC) []byte {
	b = r.AppendName(b, w.Ops)
	b = append(b, ", "...)
	b = AppendTravel(b, r)
	b = append(b, ", "...)
	b = AppendStatus(b, r)
	at := len(b)
	b = append(b, ": "...)
	if b = w.AppendOperations(b, r); len(b) == at+len(": ") {
		b = b[:at]
	}
	return b
}
