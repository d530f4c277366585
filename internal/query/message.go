package query

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
)

// messages is the table of what there is to say of RPC-over-RDMA messages.
func messages(start *Start) (l list[*dissect.Message]) {
	l.structure(Member{Name: "connection", Asked: "connection", Type: "number", Doc: "number of its connection"})
	l.structure(Member{Name: "frame", Type: "number", Doc: "the last of `frames`"})
	l.structure(Member{Name: "frames", Asked: "frame.number", Type: "array", Doc: "the frames that carried it"})
	addRefs(&l, "of a frame that carried it", func(m *dissect.Message) []flow.Ref { return m.Frames })
	addTimes(&l, start, "when its last frame was captured", func(m *dissect.Message) int64 { return m.Last }).
		in(Member{Name: "time", Absent: Null, Doc: "of the last frame"})
	addEnds(&l, func(m *dissect.Message) (*dissect.Connection, flow.End) { return m.Connection, m.From })
	addDirection(&l, "where it goes", func(m *dissect.Message) (server, ok bool) { return m.ToServer(), true }).
		in(Member{Name: "direction"})
	return slices.Concat(l, messageFields(), rpcHeaderFields(), optionFields())
}

// addRefs adds the frames of what several frames carry.
func addRefs[T any](l *list[T], which string, refs func(T) []flow.Ref) {
	l.addField(filter.Field{Name: "frame.number", Kind: filter.Uint, Doc: "number " + which},
		func(row T, to *filter.Values) {
			for _, r := range refs(row) {
				to.Uint(uint64(r.Number))
			}
		}).cell(Cell{Form: Runs, Near: true})
	l.addField(filter.Field{Name: "frame.file", Kind: filter.Uint, Doc: "index of the file, from 0, " + which},
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
	l.one(filter.Field{Name: "rdma.invalidated", Kind: filter.Uint, Doc: "handle that the Send invalidates"},
		func(m *dissect.Message) (uint64, bool) { return uint64(m.Invalidated), m.HasInvalidated }).ofUnit(Handle).in(Member{Name: "invalidated", Absent: Null, Doc: "R_key or STag of a Send with Invalidate"})
	addChunks(&l)
	l.addField(filter.Field{Name: "rdma.error", Kind: filter.Enum, Names: errorNames, Doc: "rdma_err of an RDMA_ERROR"},
		func(m *dissect.Message, to *filter.Values) {
			if h := &m.Header; h.Proc == rpcrdma.RDMAError && h.Error != 0 {
				to.Named(uint64(h.Error), h.ErrorName())
			}
		}).cell(rarely(refused))
	l.structure(Member{Name: "error", Type: "object or null", Doc: "`code`, `name`, and with ERR_VERS `vers_low`, `vers_high`, with RDMA2_ERR_CANT_REPLY `processed`, `segment_index`, `length_needed`"})
	addVersion2(&l)
	l.addField(filter.Field{Name: "rdma.malformed", Kind: filter.String, Doc: "what could not be decoded, and at which byte"},
		func(m *dissect.Message, to *filter.Values) {
			// The text is made only if something is wrong.
			if reason := cmp.Or(m.Malformed(), m.Undecodable()); reason != "" {
				to.String(reason)
			}
		}).in(Member{Name: "malformed", Absent: Null, Doc: "what could not be decoded, and at which byte offset of the message"})
	l.one(filter.Field{Name: "rdma.whole", Kind: filter.Bool, Doc: "all bytes of the Send are in the capture"},
		func(m *dissect.Message) (uint64, bool) { return truth(m.Whole), true }).
		in(Member{Name: "whole", Beyond: true, Doc: "false if part of it is not in the capture"})
	l.addField(filter.Field{Name: "rdma.missing", Kind: filter.String, Doc: "why not all of it is in the capture"},
		func(m *dissect.Message, to *filter.Values) {
			if m.Missing != "" {
				to.String(m.Missing)
			}
		}).in(Member{Name: "missing", Absent: LeftOut, Beyond: true, Doc: "what is missing, if `whole` is false"})
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

// addFixed adds lengths, and the words that every transport header begins with.
func addFixed(l *list[*dissect.Message]) {
	l.one(filter.Field{Name: "rdma.length", Kind: filter.Uint, Doc: "bytes of the Send"},
		func(m *dissect.Message) (uint64, bool) { return uint64(m.Length), true }).
		ofUnit(Bytes).in(Member{Name: "length"})
	l.one(filter.Field{Name: "rdma.header_length", Kind: filter.Uint, Doc: "bytes of the transport header"},
		func(m *dissect.Message) (uint64, bool) { return uint64(m.Header.Length), true }).
		ofUnit(Bytes).in(Member{Name: "header_length"})
	end := 0 // of the word, in bytes from the first
	word := func(f filter.Field, of func(*rpcrdma.Header) uint32) *Field {
		end += 4
		end := end
		return l.one(f, func(m *dissect.Message) (uint64, bool) {
			return uint64(of(&m.Header)), m.Header.Length >= end
		})
	}
	word(filter.Field{Name: "rdma.xid", Kind: filter.Uint, Doc: "rdma_xid, which ties a reply to its call"},
		func(h *rpcrdma.Header) uint32 { return h.XID }).
		ofUnit(Handle).cell(column("xid")).in(Member{Name: "xid", Absent: Zero})
	word(filter.Field{Name: "rdma.version", Kind: filter.Uint, Doc: "rdma_vers"},
		func(h *rpcrdma.Header) uint32 { return h.Version }).
		cell(set()).in(Member{Name: "version", Absent: Zero})
	word(filter.Field{Name: "rdma.credits", Kind: filter.Uint, Doc: "rdma_credit, requested by a call, granted by a reply"},
		func(h *rpcrdma.Header) uint32 { return h.Credits }).
		cell(set()).in(Member{Name: "credits", Absent: Zero})
	l.addField(filter.Field{Name: "rdma.proc", Kind: filter.Enum, Names: procNames, Doc: "rdma_proc, the type of the message; RDMA_MSG and RDMA2_MSG have the same number, as do the others that both versions have"},
		func(m *dissect.Message, to *filter.Values) {
			if h := &m.Header; h.Length >= rpcrdma.FixedSize {
				to.Named(uint64(h.Proc), h.ProcName())
			}
		}).
		spelled(func(v uint64) string { return rpcrdma.Proc(v).String() }).cell(set()).
		in(Member{Name: "proc", Absent: Empty, Doc: procDoc})
}

const procDoc = "`\"RDMA_MSG\"`, `\"RDMA_NOMSG\"`, `\"RDMA_MSGP\"`, `\"RDMA_DONE\"`, `\"RDMA_ERROR\"`; of version 2 `\"RDMA2_MSG\"`, " +
	"`\"RDMA2_NOMSG\"`, `\"RDMA2_ERROR\"`, `\"RDMA2_OPTIONAL\"`; `\"rdma_proc 15\"` if the header is malformed because of another value; `\"\"` if the capture does not have it"

// addChunks adds the chunk lists.
func addChunks(l *list[*dissect.Message]) {
	l.addField(filter.Field{Name: "rdma.reads.count", Kind: filter.Uint, Doc: "Read chunks, a Position-Zero Read chunk among them"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(m.Header.NumReadChunks())) }).cell(set())
	l.addField(filter.Field{Name: "rdma.writes.count", Kind: filter.Uint, Doc: "Write chunks, without the Reply chunk"},
		func(m *dissect.Message, to *filter.Values) { to.Uint(uint64(len(m.Header.Writes))) }).cell(set())
	l.addField(filter.Field{Name: "rdma.reply", Kind: filter.Bool, Doc: "there is a Reply chunk"},
		func(m *dissect.Message, to *filter.Values) { to.Bool(m.Header.HasReply) }).cell(set())
	l.addField(filter.Field{Name: "rdma.segments.count", Kind: filter.Uint, Doc: "segments of all chunks"},
		func(m *dissect.Message, to *filter.Values) {
			to.Uint(uint64(len(m.Header.Reads) + len(m.Header.Segments)))
		}).cell(set())
	l.addField(filter.Field{Name: "rdma.position", Kind: filter.Uint, Doc: "Position of a Read segment"},
		func(m *dissect.Message, to *filter.Values) {
			for i := range m.Header.Reads {
				to.Uint(uint64(m.Header.Reads[i].Position))
			}
		})
	for _, chunks := range [...]Member{
		{Name: "reads", Type: "array", Doc: "`{\"position\", \"segments\": [segment]}`"},
		{Name: "writes", Type: "array", Doc: "`{\"segments\": [segment]}`"},
		{Name: "reply", Type: "object or null", Doc: "`{\"segments\": [segment]}`"},
	} {
		l.structure(chunks)
	}
	segment := func(name, doc string, of func(*rpcrdma.Segment) uint64) *Field {
		return l.addField(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(m *dissect.Message, to *filter.Values) {
			for i := range m.Header.Reads {
				to.Uint(of(&m.Header.Reads[i].Segment))
			}
			for i := range m.Header.Segments {
				to.Uint(of(&m.Header.Segments[i]))
			}
		})
	}
	segment("rdma.handle", "handle of a segment (R_key, STag)", func(s *rpcrdma.Segment) uint64 { return uint64(s.Handle) }).
		ofUnit(Handle).cell(Cell{Form: List, Near: true})
	segment("rdma.offset", "offset of a segment (virtual address, tagged offset)", func(s *rpcrdma.Segment) uint64 { return s.Offset })
	segment("rdma.segment_length", "bytes of a segment", func(s *rpcrdma.Segment) uint64 { return uint64(s.Length) }).ofUnit(Bytes)
}
