package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans007() rules.Check {
	return rules.Check{
		Needs:     []rules.Knowledge{wires()},
		On:        []rules.Event{rules.OnMessage(rules.Unreliable, message007), rules.OnFrame(rules.Packet|rules.Refusing, frame007), rules.OnPublished(stray007)},
		OnCapture: []rules.CaptureEvent{rules.OnCaptureFrame(rules.Undecoded|rules.Datagram, captured007)},
	}
}

// keptOfCapture is what the rules of the family use again for each frame of the capture.
type keptOfCapture struct {
	header rpcrdma.Header // TRANS-007
	pauses pauses         // TRANS-010
}

// captureSlot is where a Checker keeps it.
const captureSlot = rules.CaptureSlot[keptOfCapture](rules.KeepsTRANS)

// A stray is a packet that is malformed, or RPC-over-RDMA in a datagram.
type stray struct {
	about    *rules.About
	src, dst link.Addr
	queue    uint32
	opcode   rocev2.OpCode
	fault    field.Fault // none for a datagram
	at       flow.Place
}

// noConnection is the doubt about a packet whose opcode keeps it from being followed: a right
// ICRC alone does not make a datagram to UDP port 4791 one of RoCE.
const noConnection = "it belongs to no connection that could be followed"

// captured007 looks at packets that belong to no connection since their headers are
// malformed, or since they are datagrams.
func captured007(k *rules.Capture, v *dissect.FrameView) {
	if v.IB == nil || !v.IB.Faulty() && v.IB.OpCode.Transport() != rocev2.TransportUD || v.ICRC() != rocev2.ICRCRight {
		return
	}
	fault := v.IB.Fault()
	if !fault.Bad() && !datagram(k, v) || v.Connection != nil && fault.Bad() {
		return // frame007 has it
	}
	x := stray{about: rules.AboutFrame(v), src: v.Link.Src(), dst: v.Link.Dst(), queue: v.IB.DestQP, opcode: v.IB.OpCode,
		fault: fault, at: opcodeOf(v)}
	if fault.Bad() {
		x.at = flow.Place{}
		if at := v.Link.Start() + fault.Offset; at < len(v.Frame.Data) {
			x.at = flow.Place{Ref: rules.Ref(v), Offset: at, Length: 1}
		}
	}
	rules.PublishOfCapture(k, x)
}

// datagram reports whether a datagram carries RPC-over-RDMA.
func datagram(k *rules.Capture, v *dissect.FrameView) bool {
	if rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
		return false
	}
	data, h := v.IB.Payload(), &captureSlot.Of(k).header
	if h.Recognise(data) != rpcrdma.Strong {
		return false
	}
	_, ok := rpc.MessageType(data[min(h.Length, len(data)):])
	return ok
}

func stray007(_ *rules.ConnRef, x *stray, report rules.Reporter) {
	if x.fault.Bad() {
		if f := report.About("", x.about, noConnection); f != nil {
			f.Messagef("a packet from %s to %s, QP 0x%06x, is malformed: %s", x.src, x.dst, x.queue, x.fault)
			f.See("OpCode", x.opcode.String(), nil).At(x.at)
		}
		return
	}
	if f := report.About("c", x.about, ""); f != nil {
		f.Messagef("%s sends RPC-over-RDMA to QP 0x%06x of %s over the UD service", x.src, x.queue, x.dst)
		f.See("transport service", "UD", "RC").At(x.at)
	}
}

// reserved007 looks at a packet of the connection whose opcode is reserved.
func reserved007(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB == nil || v.IB.Fault().Offset != 0 || v.ICRC() != rocev2.ICRCRight {
		return
	}
	if f := report.Frame("", v, ""); f != nil {
		f.Messagef("the %s sent PSN %d with a %s", c.Sender(v.Verdict.From), v.IB.PSN, v.IB.OpCode)
		f.See("OpCode", v.IB.OpCode.String(), nil).See("PSN", v.IB.PSN, nil).At(opcodeOf(v))
	}
}
