package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// frames are the fields of frames.
func frames(start *Start, parts *Parts) (l list[*dissect.FrameView]) {
	addFrame(&l, start)
	addConnection(&l)
	addTransport(&l)
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
	l.add(filter.Field{Name: "frame.number", Kind: filter.Uint, Doc: "number of the frame in its file, from 1"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(v.Frame.Number)) })
	l.add(filter.Field{Name: "frame.file", Kind: filter.Uint, Doc: "index of its file on the command line, from 0"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(v.Frame.File)) })
	addTimes(l, start, "when it was captured", func(v *dissect.FrameView) int64 { return v.Frame.Time })
	l.add(filter.Field{Name: "frame.length", Kind: filter.Uint, Doc: "bytes that it had on the wire"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(v.Frame.Length)) })
	l.add(filter.Field{Name: "frame.captured", Kind: filter.Uint, Doc: "bytes of it that were captured"},
		func(v *dissect.FrameView, to *filter.Values) { to.Uint(uint64(len(v.Frame.Data))) })
	l.add(filter.Field{Name: "frame.cut", Kind: filter.Bool, Doc: "it had more bytes than were captured: a snap length or a mirror cut it"},
		func(v *dissect.FrameView, to *filter.Values) {
			to.Bool(len(v.Frame.Data) < int(v.Frame.Length) || v.Link.Cut())
		})
	l.add(filter.Field{Name: "frame.comment", Kind: filter.String, Doc: "comment on it in the capture file"},
		func(v *dissect.FrameView, to *filter.Values) {
			for _, c := range v.Frame.Comments() {
				to.String(c)
			}
		})
	l.add(filter.Field{Name: "frame.malformed", Kind: filter.Bool, Doc: "a header, or what the frame completes, is malformed"},
		func(v *dissect.FrameView, to *filter.Values) { to.Bool(v.Faulty()) })
	l.add(filter.Field{Name: "frame.protocol", Kind: filter.String, Doc: `what it carries: "RoCEv2", "RoCEv1", "InfiniBand", "iWARP", or the protocol of what is not RDMA`},
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
}

// addConnection adds a frame's place in its connection.
func addConnection(l *list[*dissect.FrameView]) {
	l.add(filter.Field{Name: "frame.note", Kind: filter.Enum, Names: named(upTo(flow.Corrupt)[1:]...), Doc: "what is noticed of its place among the frames of its connection"},
		func(v *dissect.FrameView, to *filter.Values) {
			if n := v.Verdict.Note; n != flow.InOrder {
				to.Uint(uint64(n))
			}
		})
	l.add(filter.Field{Name: "frame.missing", Kind: filter.Uint, Doc: "packets, over TCP bytes, missing before it"},
		func(v *dissect.FrameView, to *filter.Values) {
			if n := v.Verdict.Missing; n > 0 {
				to.Uint(uint64(n))
			}
		})
	l.add(filter.Field{Name: "connection", Kind: filter.Uint, Doc: "number of its connection"},
		func(v *dissect.FrameView, to *filter.Values) {
			if v.Connection != nil {
				to.Uint(uint64(v.Connection.ID))
			}
		})
	addDirection(l, "where it goes", func(v *dissect.FrameView, to *filter.Values) {
		if c := v.Connection; c != nil {
			toward(c.ToServer(v.Verdict.From), to)
		}
	})
	l.add(filter.Field{Name: "ip.addr", Kind: filter.Address, Doc: "source or destination: IPv4 or IPv6 address, or GID"},
		func(v *dissect.FrameView, to *filter.Values) {
			to.Addr(v.Link.Src().IP())
			to.Addr(v.Link.Dst().IP())
		})
	addRoles(l, func(v *dissect.FrameView) *dissect.Connection { return v.Connection })
	l.add(filter.Field{Name: "port", Kind: filter.Uint, Doc: "source or destination port of UDP or TCP, and those of its connection's IP CM service"},
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
	l.add(filter.Field{Name: "rdma.opcode", Kind: filter.Enum, Names: opCodes, Doc: "opcode of the BTH; of iWARP the RDMAP opcode plus 0x100"},
		func(v *dissect.FrameView, to *filter.Values) {
			if v.IB != nil {
				if len(v.IB.Octets) > 0 {
					to.Uint(uint64(v.IB.OpCode))
				}
				return
			}
			for i := range v.Verdict.Units {
				if u := &v.Verdict.Units[i]; !u.IsStart && len(u.PDU.Octets) > 1 {
					to.Uint(rdmapOpCode + uint64(u.PDU.OpCode))
				}
			}
		})
	states := these([]name{{"right", uint64(rocev2.ICRCRight)}, {"wrong", uint64(rocev2.ICRCWrong)}, {"unchecked", uint64(rocev2.ICRCUnchecked)}})
	l.add(filter.Field{Name: "icrc.state", Kind: filter.Enum, Names: states, Doc: "what the check of the ICRC gave; a frame that was not captured whole is not checked"},
		func(v *dissect.FrameView, to *filter.Values) {
			if v.IB != nil {
				to.Uint(uint64(v.ICRC()))
			}
		})
	states = these([]name{{"right", uint64(iwarp.CRCRight)}, {"wrong", uint64(iwarp.CRCWrong)}, {"not used", uint64(iwarp.CRCNotUsed)}, {"unchecked", uint64(iwarp.CRCUnchecked)}})
	l.add(filter.Field{Name: "mpa.crc.state", Kind: filter.Enum, Names: states, Doc: "what the check of the CRC of an FPDU gave"},
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
