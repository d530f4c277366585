package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// frames is the table of what there is to say of frames.
func frames(start *Start, parts *Parts) (l list[*dissect.FrameView]) {
	addFrame(&l, start)
	addTransport(&l)
	addPacket(&l)
	addSegment(&l)
	addConnection(&l)
	addNoticed(&l)
	for _, e := range slices.Concat(messageFields().asked(), rpcHeaderFields(), optionFields()) {
		of := mapped(e, func(v *dissect.FrameView, give func(*dissect.Message, *filter.Values), to *filter.Values) {
			if v.Message != nil {
				give(v.Message, to)
			}
		})
		if isXID(e.Name) {
			of = parts.traced(of)
		}
		l = append(l, of)
	}
	addEither(&l)
	addHeaders(&l)
	return l
}

// addFrame adds what the capture says of a frame.
func addFrame(l *list[*dissect.FrameView], start *Start) {
	l.structure(Member{Name: "frame", Asked: "frame.number", Type: "number", Doc: "number of the frame in its file, from 1"})
	l.addField(filter.Field{Name: "frame.number", Kind: filter.Uint, Doc: "number of the frame in its file, from 1"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(v.Frame.Number)) })
	l.addField(filter.Field{Name: "frame.file", Kind: filter.Uint, Doc: "index of its file on the command line, from 0"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(v.Frame.File)) })
	addTimes(l, start, "when it was captured", func(v *dissect.FrameView) int64 { return v.Frame.Time }).
		in(Member{Name: "time", Absent: Null})
	l.one(filter.Field{Name: "frame.length", Kind: filter.Uint, Doc: "its length in bytes on the wire"},
		func(v *dissect.FrameView) (uint64, bool) { return uint64(v.Frame.Length), true }).
		in(Member{Name: "length"})
	l.one(filter.Field{Name: "frame.captured", Kind: filter.Uint, Doc: "how many of its bytes were captured"},
		func(v *dissect.FrameView) (uint64, bool) { return uint64(len(v.Frame.Data)), true }).
		in(Member{Name: "captured"})
	l.addField(filter.Field{Name: "frame.cut", Kind: filter.Bool, Doc: "it had more bytes than were captured: the snap length or the mirror truncated it"},
		func(v *dissect.FrameView, to *filter.Values) {
			to.Bool(len(v.Frame.Data) < int(v.Frame.Length) || v.Link.Cut())
		})
	l.where(func(v *dissect.FrameView) bool { return v.Link.Src().IsValid() }, func() {
		l.structure(Member{Name: "source", Type: "string", Doc: "address, if there is one"})
		l.structure(Member{Name: "destination", Type: "string", Doc: "the same"})
	})
}

// addNoticed adds what is noticed of it, and what it completes.
func addNoticed(l *list[*dissect.FrameView]) {
	l.structure(Member{Name: "message", Type: "object or null", Doc: "the message that the frame completes, without `type`"})
	l.structure(Member{Name: "malformed", Type: "string or null", Doc: "the first fault in the headers, and its byte offset in the frame"})
	l.where(func(v *dissect.FrameView) bool { return len(v.Frame.Comments()) > 0 }, func() {
		l.structure(Member{Name: "comments", Asked: "frame.comment", Type: "array", Doc: "comments in the pcapng file"})
	})
	l.addField(filter.Field{Name: "frame.comment", Kind: filter.String, Doc: "comment on it in the capture file"},
		func(v *dissect.FrameView, to *filter.Values) {
			for _, c := range v.Frame.Comments() {
				to.String(c)
			}
		})
	l.addField(filter.Field{Name: "frame.malformed", Kind: filter.Bool, Doc: "a header, or what the frame completes, is malformed"},
		func(v *dissect.FrameView, to *filter.Values) { to.Bool(v.Faulty()) })
}

// addConnection adds a frame's place in its connection.
func addConnection(l *list[*dissect.FrameView]) {
	l.structure(Member{Name: "connection", Asked: "connection", Type: "number or null", Doc: "number of its connection"})
	l.addField(filter.Field{Name: "connection", Kind: filter.Uint, Doc: "number of its connection"},
		func(v *dissect.FrameView, to *filter.Values) {
			if v.Connection != nil {
				to.Uint(uint64(v.Connection.ID))
			}
		})
	addDirection(l, "where it goes", func(v *dissect.FrameView) (toServer, ok bool) {
		c := v.Connection
		return c != nil && c.ToServer(v.Verdict.From), c != nil
	}).in(Member{Name: "direction", Absent: LeftOut, Doc: "with a connection"})
	l.one(filter.Field{Name: "frame.note", Kind: filter.Enum, Names: named(upTo(flow.Corrupt)[1:]...), Doc: "notes on its place among the frames of its connection"},
		func(v *dissect.FrameView) (uint64, bool) {
			n := v.Verdict.Note
			return uint64(n), n != flow.InOrder
		}).spelled(func(v uint64) string { return flow.Note(v).String() }).
		in(Member{Name: "note", Absent: Null, Doc: "see the [guide](guide.md#loss-and-what-each-note-means)"})
	l.one(filter.Field{Name: "frame.missing", Kind: filter.Uint, Doc: "packets, or over TCP bytes, missing before it"},
		func(v *dissect.FrameView) (uint64, bool) {
			n := v.Verdict.Missing
			return uint64(max(n, 0)), n > 0
		}).in(Member{Name: "missing_before", Absent: LeftOut, Doc: "PSNs, or over TCP bytes, missing before the frame"})
	l.addField(filter.Field{Name: "ip.addr", Kind: filter.Address, Doc: "source or destination: IPv4 or IPv6 address, or GID"},
		func(v *dissect.FrameView, to *filter.Values) {
			to.Addr(v.Link.Src().IP())
			to.Addr(v.Link.Dst().IP())
		})
	addRoles(l, func(v *dissect.FrameView) *dissect.Connection { return v.Connection })
	l.addField(filter.Field{Name: "port", Kind: filter.Uint, Doc: "source or destination port of UDP or TCP, and those of its connection's IP CM service"},
		func(v *dissect.FrameView, to *filter.Values) {
			if p := v.Link; p.SrcPort != 0 || p.DstPort != 0 {
				to.Uint(uint64(p.SrcPort))
				to.Uint(uint64(p.DstPort))
			}
			if c := v.Connection; c != nil && !c.IWARP() {
				givePorts(c, to)
			}
		})
}

// rdmapOpCode is the first value of rdma.opcode that is one of RDMAP; those of
// the BTH are before it.
const rdmapOpCode = 0x100

// addTransport adds what both transports have.
func addTransport(l *list[*dissect.FrameView]) {
	l.addField(filter.Field{Name: "frame.protocol", Kind: filter.String, Doc: `what it carries: "RoCEv2", "RoCEv1", "InfiniBand", "iWARP", or the protocol if it is not RDMA`},
		func(v *dissect.FrameView, to *filter.Values) {
			switch {
			case v.IB != nil:
				to.String(v.Link.Transport.String())
			case v.IWARP():
				to.String("iWARP")
			default:
				to.String(v.Link.Protocol())
			}
		})
	l.addField(filter.Field{Name: "rdma.opcode", Kind: filter.Enum, Names: opCodes, Doc: "opcode of the BTH; for iWARP the RDMAP opcode plus 0x100"},
		func(v *dissect.FrameView, to *filter.Values) {
			if v.IB != nil {
				if len(v.IB.Bytes) > 0 {
					to.Uint(uint64(v.IB.OpCode))
				}
				return
			}
			for i := range v.Verdict.Units {
				if u := &v.Verdict.Units[i]; !u.IsStart && len(u.PDU.Bytes) > 1 {
					to.Uint(rdmapOpCode + uint64(u.PDU.OpCode))
				}
			}
		})
	l.addField(filter.Field{Name: "mpa.crc.state", Kind: filter.Enum, Names: named(iwarp.CRCRight, iwarp.CRCWrong, iwarp.CRCNotUsed, iwarp.CRCUnchecked), Doc: "result of checking the CRC of an FPDU"},
		func(v *dissect.FrameView, to *filter.Values) {
			for i := range v.Verdict.Units {
				if u := &v.Verdict.Units[i]; !u.IsStart && !u.FPDU.Lost {
					to.Uint(uint64(u.FPDU.CRCState))
				}
			}
		})
}

// opCodes are the opcodes of both transports.
func opCodes(yield func(string, uint64) bool) {
	for o := range rdmapOpCode {
		if c := rocev2.OpCode(o); c.Known() && !yield(c.String(), uint64(o)) {
			return
		}
	}
	for o := iwarp.OpCode(0); o.Known(); o++ {
		if !yield(o.String(), rdmapOpCode+uint64(o)) {
			return
		}
	}
}
