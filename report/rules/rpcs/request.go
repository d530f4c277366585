package rpcs

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// mostArguments is how many bytes of arguments are compared.
const mostArguments = 1024

// A request is what a call asks for.
type request struct {
	known                       bool // the RPC header is
	program, version, procedure uint32
	// opaque says that RPCSEC_GSS protects it, so that neither arguments nor length
	// tell whether two are the same.
	opaque bool
	length uint64 // of the RPC message; 0 if unknown
	// arguments are those that are inline, up to mostArguments bytes, if
	// hasArguments.
	hasArguments bool
	arguments    []byte
}

// setMessage takes a call.
func (q *request) setMessage(m *dissect.Message) {
	*q = request{arguments: q.arguments[:0]}
	h := &m.CallHeader
	if !m.HasRPC || !m.Whole {
		return
	}
	q.known = true
	q.program, q.version, q.procedure = h.Program, h.Version, h.Procedure
	q.opaque = h.Protected() || h.Control()
	q.length = m.RPCLength
	if b := m.Body(); b != nil && !q.opaque {
		q.hasArguments = true
		q.arguments = append(q.arguments, b.Bytes[:min(len(b.Bytes), mostArguments)]...)
	}
}

// differs names what of two requests differs, "" if nothing is known to.
func (q *request) differs(o *request) string {
	switch {
	case !q.known || !o.known:
		return ""
	case q.program != o.program || q.version != o.version || q.procedure != o.procedure:
		return "the procedures"
	case q.opaque || o.opaque:
		return ""
	case q.hasArguments && o.hasArguments && q.length == o.length && !bytes.Equal(q.arguments, o.arguments) && len(q.arguments) == len(o.arguments):
		return "the arguments"
	case q.length != 0 && o.length != 0 && q.length != o.length:
		return "the lengths of the RPC messages"
	}
	return ""
}

// mostHandles is how many segments of a call are remembered.
const mostHandles = 16

// memory are the first segments that a call advertises.
type memory struct {
	list [mostHandles]rpcrdma.Segment
	n    int // of all of them
}

func (m *memory) setHeader(h *rpcrdma.Header) {
	*m = memory{}
	for i := range h.Reads {
		m.addSegment(h.Reads[i].Segment)
	}
	for _, s := range h.Segments {
		m.addSegment(s)
	}
}

func (m *memory) addSegment(s rpcrdma.Segment) {
	if m.n < mostHandles {
		m.list[m.n] = s
	}
	m.n++
}

// first is the first handle, 0 if there is none.
func (m *memory) first() uint32 { return m.list[0].Handle }

// has reports whether a range of bytes lies in one of them.
func (m *memory) has(handle uint32, offset uint64, length int) bool {
	for i := range m.list[:min(m.n, mostHandles)] {
		s := &m.list[i]
		if s.Handle == handle && offset >= s.Offset && offset-s.Offset+uint64(length) <= uint64(s.Length) {
			return true
		}
	}
	return false
}
