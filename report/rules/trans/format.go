package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// format is what the packets of a connection must fit.
type format struct {
	// asks and answers are those that each end sends, the latter nil before the first
	// response to an RDMA Read; full is the payload of its First and Middle packets, in
	// bytes.
	asks    [2]order
	answers *[2]order
	full    [2]int
}

func frame007(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB == nil || v.IB.Faulty() {
		reserved007(c, v, report)
		return
	}
	f := rules.Some(&state.Of(c).format)
	op, from := v.IB.OpCode, v.Verdict.From&1
	if op.Position() == rocev2.PositionMiddle && v.Verdict.Note == flow.InOrder && f.goesOn(v.IB, from) {
		return
	}
	kind := op.Kind()
	switch kind {
	case rocev2.KindAcknowledge:
		if f.answers != nil && !v.IB.Syndrome().IsACK() {
			f.answers[from].known = false // a response may end here
		}
		return
	case rocev2.KindSend, rocev2.KindWrite, rocev2.KindReadRequest, rocev2.KindReadResponse:
	case rocev2.KindCNP:
		return
	default:
		f.asks[from].known = false
		unusedOperation(c, v, report)
		return
	}
	if !reliable(op) {
		return
	}
	if v.IB.ImmDt() != 0 {
		unusedOperation(c, v, report)
	}
	o := &f.asks[from]
	if kind == rocev2.KindReadResponse {
		o = &rules.Some(&f.answers)[from]
	}
	switch v.Verdict.Note {
	case flow.InOrder:
		f.order(c, o, v, kind, report)
	case flow.Gap, flow.LostOnWire:
		o.known = false
	}
}

// goesOn takes a packet that is the next of a message and full, as nearly all are that
// neither begin nor end one. It reports whether it is.
func (f *format) goesOn(ib *rocev2.Packet, from flow.End) bool {
	o := &f.asks[from]
	if ib.OpCode.IsResponse() {
		if f.answers == nil {
			return false
		}
		o = &f.answers[from]
	}
	n := ib.PayloadLength()
	return n == f.full[from] && isFull(n) && reliable(ib.OpCode) && o.goesOn(ib, uint64(n))
}

// reliable reports whether a packet is of a reliable connection.
func reliable(op rocev2.OpCode) bool {
	t := op.Transport()
	return t == rocev2.TransportRC || t == rocev2.TransportXRC
}

// isFull reports whether packets of so many bytes may be full.
func isFull(n int) bool { return n >= 256 && n <= 4096 && n&(n-1) == 0 }

// order holds a packet against the one before it.
func (f *format) order(c *rules.Conn, o *order, v *dissect.FrameView, kind rocev2.Kind, report rules.Reporter) {
	ib, position := v.IB, v.IB.OpCode.Position()
	count, announced, measured := 1, uint64(0), false
	again := c.Retransmissions
	switch {
	case kind == rocev2.KindReadRequest:
		if count = 0; ib.RETH() != 0 && c.PathMTU > 0 {
			count = requests.Packets(ib.DMALen(), c.PathMTU)
		}
	case kind == rocev2.KindWrite && ib.RETH() != 0:
		announced, measured = uint64(ib.DMALen()), true
	case kind == rocev2.KindReadResponse && position != rocev2.PositionMiddle && position != rocev2.PositionLast:
		if q := requests.Of(c).Read(v.Verdict.From.Peer(), ib.PSN); q != nil && q.Named && !q.SentAgain(c) {
			announced, measured = uint64(q.Length), true
		}
	}
	before, begun, since := o.open, o.begun, o.again
	b := o.takePacket(v, position, count, announced, measured)
	if b == noBreach {
		b = f.size(v, position)
	}
	if o.longer != nil && (position == rocev2.PositionMiddle || position == rocev2.PositionLast) && b == noBreach {
		o.describe(c, o.longer, v)
	}
	if b == noLast && kind == rocev2.KindReadResponse {
		return // the rest was asked for again, by a request that the capture may lack without a trace
	}
	if b == noBreach || kind == rocev2.KindReadResponse && since != again && b != notFull && b != longerThanMTU {
		return // it may be the rest of a response, asked for again
	}
	if b == wrongSum && kind == rocev2.KindReadResponse && o.sum > o.announced {
		x := longer{v: v, asked: o}
		rules.Raise(c, 0, &x)
		o.longer = x.finding
		return
	}
	f.breach(c, b, v, before, begun, o, report)
}

// size holds the payload of a packet against the path MTU.
func (f *format) size(v *dissect.FrameView, position rocev2.Position) breach {
	n, full := v.IB.PayloadLength(), &f.full[v.Verdict.From&1]
	switch position {
	case rocev2.PositionFirst, rocev2.PositionMiddle:
		if *full == 0 {
			*full = n
		}
		if n != *full || !isFull(n) {
			return notFull
		}
	default:
		if *full != 0 && n > *full {
			return longerThanMTU
		}
	}
	return noBreach
}

func (f *format) breach(c *rules.Conn, b breach, v *dissect.FrameView, open rocev2.Kind, begun flow.Ref, o *order, report rules.Reporter) {
	letter := ""
	if b == wrongSum {
		letter = "b"
	}
	x := report.Key(b).Frame(letter, v, "") // one breach must not hide another
	if x == nil {
		return
	}
	sender := c.Sender(v.Verdict.From)
	x.See("OpCode", v.IB.OpCode.String(), nil).See("PSN", v.IB.PSN, nil)
	switch b {
	case noLast:
		x.Messagef("the %s begins another message with %s before the last packet of the %s in frame %s", sender, v.IB.OpCode, open, c.Capture.FrameName(begun))
		x.With(begun)
		x.At(opcodeOf(v))
	case noFirst:
		x.Messagef("the %s sends %s, but no message is open", sender, v.IB.OpCode)
		x.At(opcodeOf(v))
	case otherKind:
		x.Messagef("the %s sends %s in the middle of a message of another kind", sender, v.IB.OpCode)
		x.At(opcodeOf(v))
	case wrongSum:
		x.Messagef("the %s announced %d bytes and sent %d, the last in %s", sender, o.announced, o.sum, v.IB.OpCode)
		x.See("bytes", o.sum, o.announced).With(o.begun)
	case notFull, longerThanMTU:
		full := f.full[v.Verdict.From&1]
		x.Messagef("the %s sends %d bytes in %s; a full packet has %d", sender, v.IB.PayloadLength(), v.IB.OpCode, full)
		x.See("bytes", v.IB.PayloadLength(), full)
	}
}

// opcodeOf is the opcode in its frame.
func opcodeOf(v *dissect.FrameView) flow.Place {
	return flow.Place{Ref: rules.Ref(v), Offset: v.Link.Start(), Length: 1}
}

// unusedOperation reports an operation that RPC-over-RDMA has no use for.
func unusedOperation(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.RPCRDMA() || v.IB.OpCode.Transport() == rocev2.TransportUD || v.Verdict.Note == flow.Duplicate {
		return
	}
	if x := report.Key(v.IB.OpCode).Frame("d", v, ""); x != nil {
		x.Messagef("the %s uses %s", c.Sender(v.Verdict.From), v.IB.OpCode).See("OpCode", v.IB.OpCode.String(), nil).At(opcodeOf(v))
	}
}

// message007 reports RPC-over-RDMA over a service that may lose packets.
func message007(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	switch c.TransportService() {
	case rocev2.TransportRC, rocev2.TransportXRC:
		return
	}
	if x := report.Message("c", m, ""); x != nil {
		x.Messagef("the %s sends RPC-over-RDMA over the %s service", c.Sender(m.From), c.TransportService())
		x.See("transport service", c.TransportService().String(), "RC")
	}
}
