package query

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
)

// messages are the fields of RPC-over-RDMA messages.
func messages(start *Start) (l list[*dissect.Message]) {
	addRefs(&l, "of a frame that carried it", func(m *dissect.Message) []flow.Ref { return m.Frames })
	addTimes(&l, start, "when its last frame was captured", func(m *dissect.Message) int64 { return m.Last })
	addEnds(&l, func(m *dissect.Message) (*dissect.Connection, flow.End) { return m.Connection, m.From })
	l.add(direction("where it goes"), func(m *dissect.Message, to *filter.Values) { toward(m.ToServer(), to) })
	return slices.Concat(l, messageFields(), rpcHeaderFields(), optionFields())
}

// addRefs adds the frames of what several frames carry.
func addRefs[T any](l *list[T], which string, refs func(T) []flow.Ref) {
	l.add(filter.Field{Name: "frame.number", Kind: filter.Uint, Doc: "number " + which},
		func(row T, to *filter.Values) {
			for _, r := range refs(row) {
				to.Uint(uint64(r.Number))
			}
		}).cell(Cell{Form: Runs, Near: true})
	l.add(filter.Field{Name: "frame.file", Kind: filter.Uint, Doc: "index of the file, from 0, " + which},
		func(row T, to *filter.Values) {
			for _, r := range refs(row) {
				to.Uint(uint64(r.File))
			}
		}).cell(Cell{Form: Runs, Near: true})
}

// messageFields are the fields of the message itself, which frames and RPCs have
// too.
func messageFields() (l list[*dissect.Message]) {
	addFixed(&l)
	addChunks(&l)
	l.add(filter.Field{Name: "rdma.invalidated", Kind: filter.Uint, Doc: "handle that the Send invalidates"},
		func(m *dissect.Message, to *filter.Values) {
			if m.HasInvalidated {
				to.Uint(uint64(m.Invalidated))
			}
		}).of(Handle)
	l.add(filter.Field{Name: "rdma.error", Kind: filter.Enum, Names: errorNames, Doc: "rdma_err of an RDMA_ERROR"},
		func(m *dissect.Message, to *filter.Values) {
			if h := &m.Header; h.Proc == rpcrdma.RDMAError && h.Error != 0 {
				to.Uint(uint64(h.Error))
			}
		}).cell(rarely(refused))
	addVersion2(&l)
	l.add(filter.Field{Name: "rdma.malformed", Kind: filter.String, Doc: "what could not be decoded, and at which byte"},
		func(m *dissect.Message, to *filter.Values) {
			// The text is made only if something is wrong.
			if reason := cmp.Or(m.Malformed(), m.Undecodable()); reason != "" {
				to.String(reason)
			}
		})
	l.add(filter.Field{Name: "rdma.whole", Kind: filter.Bool, Doc: "all bytes of the Send are in the capture"},
		func(m *dissect.Message, to *filter.Values) { to.Bool(m.Whole) })
	l.add(filter.Field{Name: "rdma.missing", Kind: filter.String, Doc: "why not all of it is in the capture"},
		func(m *dissect.Message, to *filter.Values) {
			if m.Missing != "" {
				to.String(m.Missing)
			}
		})
	return l
}

// refused reports whether an RDMA_ERROR is among the two messages of an RPC.
func refused(r *dissect.RPC) bool {
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m != nil && m.Header.Proc == rpcrdma.RDMAError {
			return true
		}
	}
	return false
}

// addFixed adds the words that every transport header begins with, and lengths.
func addFixed(l *list[*dissect.Message]) {
	word := func(f filter.Field, of func(*rpcrdma.Header) uint32) *Field {
		return l.add(f, func(m *dissect.Message, to *filter.Values) {
			if m.Header.Length >= rpcrdma.FixedSize {
				to.Uint(uint64(of(&m.Header)))
			}
		})
	}
	word(filter.Field{Name: "rdma.xid", Kind: filter.Uint, Doc: "rdma_xid, which ties a reply to its call"},
		func(h *rpcrdma.Header) uint32 { return h.XID }).of(Handle).cell(column("xid"))
	word(filter.Field{Name: "rdma.version", Kind: filter.Uint, Doc: "rdma_vers"},
		func(h *rpcrdma.Header) uint32 { return h.Version }).cell(set())
	word(filter.Field{Name: "rdma.credits", Kind: filter.Uint, Doc: "rdma_credit, asked for by a call, granted by a reply"},
		func(h *rpcrdma.Header) uint32 { return h.Credits }).cell(set())
	word(filter.Field{Name: "rdma.proc", Kind: filter.Enum, Names: procNames, Doc: "rdma_proc, what the transport header is for; RDMA_MSG and RDMA2_MSG are one number, and so are the others that both versions have"},
		func(h *rpcrdma.Header) uint32 { return uint32(h.Proc) }).cell(set())
	l.add(filter.Field{Name: "rdma.length", Kind: filter.Uint, Doc: "bytes of the Send"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(m.Length)) }).of(Bytes)
	l.add(filter.Field{Name: "rdma.header_length", Kind: filter.Uint, Doc: "bytes of the transport header"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(m.Header.Length)) }).of(Bytes)
}

// addChunks adds the chunk lists.
func addChunks(l *list[*dissect.Message]) {
	l.add(filter.Field{Name: "rdma.reads.count", Kind: filter.Uint, Doc: "Read chunks, a Position-Zero Read chunk among them"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(m.Header.NumReadChunks())) }).cell(set())
	l.add(filter.Field{Name: "rdma.writes.count", Kind: filter.Uint, Doc: "Write chunks, without the Reply chunk"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(len(m.Header.Writes))) }).cell(set())
	l.add(filter.Field{Name: "rdma.reply", Kind: filter.Bool, Doc: "there is a Reply chunk"},
		func(m *dissect.Message, to *filter.Values) { to.Bool(m.Header.HasReply) }).cell(set())
	l.add(filter.Field{Name: "rdma.segments.count", Kind: filter.Uint, Doc: "segments of all chunks"},
		func(m *dissect.Message, to *filter.Values) {
			to.Uint(uint64(len(m.Header.Reads) + len(m.Header.Segments)))
		}).cell(set())
	l.add(filter.Field{Name: "rdma.position", Kind: filter.Uint, Doc: "Position of a Read segment"},
		func(m *dissect.Message, to *filter.Values) {
			for i := range m.Header.Reads {
				to.Uint(uint64(m.Header.Reads[i].Position))
			}
		})
	segment := func(name, doc string, of func(*rpcrdma.Segment) uint64) *Field {
		return l.add(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(m *dissect.Message, to *filter.Values) {
			for i := range m.Header.Reads {
				to.Uint(of(&m.Header.Reads[i].Segment))
			}
			for i := range m.Header.Segments {
				to.Uint(of(&m.Header.Segments[i]))
			}
		})
	}
	segment("rdma.handle", "handle of a segment (R_key, STag)", func(s *rpcrdma.Segment) uint64 { return uint64(s.Handle) }).
		of(Handle).cell(Cell{Form: List, Near: true})
	segment("rdma.offset", "offset of a segment (virtual address, tagged offset)", func(s *rpcrdma.Segment) uint64 { return s.Offset })
	segment("rdma.segment_length", "bytes of a segment", func(s *rpcrdma.Segment) uint64 { return uint64(s.Length) }).of(Bytes)
}
