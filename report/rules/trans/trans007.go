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

func trans007() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-007", Title: "Packet format or opcode sequence illegal",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A packet of the InfiniBand transport is not as the architecture wants it: a reserved opcode, a transport version that is " +
			"not 0, lengths that contradict each other, or a packet that does not fit the one before it.",
		Why: "A receiver drops such a packet or answers it with a NAK \"invalid request\", which ends the connection.",
		Advice: "Look at the adapter that sent it and at its firmware. If the header makes no sense at all, look at how the capture was " +
			"taken: a capturing tool may have cut or rewritten frames.",
		Reference: "InfiniBand Architecture 1.3, volume 1, sections 9.2, 9.4, 9.6 and 9.7; RFC 8166, section 2.2.2",
		Limits: "Headers are judged only in frames that were captured whole and whose ICRC is right. The order of packets is judged " +
			"only from one PSN to the next in frames that came in order; that of a response only if nothing was sent again meanwhile, and it may begin anew where the one before it broke off: the request for the rest may be " +
			"missing. A packet that belongs to no connection is only likely to be one of RoCE. " +
			"Case c knows datagrams by what they carry; XRC is a reliable connection. Case d looks only at InfiniBand and RoCE.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the payload of an RDMA operation is not as long as announced", Severity: rules.Error},
			{Letter: "c", Title: "RPC-over-RDMA over an unreliable service", Severity: rules.Error,
				Advice: "Set the connection up as a reliable one (RC): RPC-over-RDMA has no means against loss."},
			{Letter: "d", Title: "immediate data, Atomic or FLUSH on a connection of RPC-over-RDMA", Severity: rules.Note,
				Advice: "RPC-over-RDMA has no use for it. Find out which software shares the queue pair."},
		},
		Needs:     []rules.Knowledge{wires()},
		On:        []rules.Event{rules.OnMessage(rules.Unreliable, message007), rules.OnFrame(rules.Packet|rules.Refusing, frame007), rules.OnPosted(stray007)},
		OnCapture: []rules.CaptureEvent{rules.OnCaptureFrame(rules.Undecoded|rules.Datagram, captured007)},
		Fires: []rules.Sample{
			{Name: "a transport version of 1", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				packet client opcode=4 tver=1 payload=bytes(16)
				    want TRANS-007 frame 43+1
				disconnect`},
			{Name: "a Send that begins in the middle", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				packet client opcode=1 payload=bytes(1024) take=1
				    want TRANS-007 frame 42+1
				disconnect`},
			{Name: "a Send without its end", Over: rules.RoCE, Scene: `
				connect client=none server=none
				packet client opcode=0 payload=bytes(1024) take=1
				packet client opcode=4 payload=bytes(16) take=1
				    want TRANS-007 frame 42+1
				disconnect`},
			{Name: "a Middle packet that is not full", Over: rules.RoCE, Scene: `
				connect client=none server=none
				packet client opcode=0 payload=bytes(1024) take=1
				packet client opcode=1 payload=bytes(512) take=1
				    want TRANS-007 frame
				packet client opcode=2 payload=bytes(16) take=1
				disconnect`},
			{Name: "an RDMA Write of fewer octets", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=3000
				    write 0x1001 3000
				packet server opcode=6 reth=[0x1001 3000 0x100100000] payload=bytes(1024) take=1
				packet server opcode=8 payload=bytes(100) take=1
				    want TRANS-007b frame
				disconnect`},
			{Name: "an RDMA Read response of fewer octets", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(3000)
				    read 0x1001 3000
				    nopull
				rdma read server 0x1001 300
				    norespond
				packet client opcode=16 of=-1 aeth=[0 1] payload=bytes(100)
				    want TRANS-007b frame
				disconnect`},
			{Name: "a call over the UC service", Over: rules.RoCE, Scene: `
				setup
				call 1 NFS3 NULL
				    noack
				    edit frame 1 42 hex(24)
				    want TRANS-007c
				reply 1
				    noack
				    edit frame 1 42 hex(24)
				    want TRANS-007c`},
			{Name: "a Send with immediate data", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 NULL
				reply 1
				packet client opcode=5 immdt=7 take=1 payload=hex(00001002 00000001 00000040 00000000 00000000 00000000 00000000
				        00001002 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000)
				    want TRANS-007d frame
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the first packet of a Send is missing from the capture", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2500)
				    drop frame 1
				reply 2
				disconnect`},
			{Name: "an RDMA Write and an RDMA Read of several packets", Scene: `
				connect
				call 1 NFS3 READ count=3000
				    write 0x1001 3000
				reply 1 data=bytes(3000)
				call 2 NFS3 WRITE data=bytes(3000)
				    read 0x1002 3000
				reply 2
				disconnect`},
			{Name: "a Send of several packets goes again", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(2500)
				    noack
				wait 1ms
				resend 1
				reply 1
				disconnect`},
		},
	}
}

// keptOfCapture is what the rules of the family use again for each frame of the capture.
type keptOfCapture struct {
	header rpcrdma.Header // TRANS-007
}

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
	if !fault.Bad() && !datagram(k, v) {
		return
	}
	x := stray{about: rules.AboutFrame(v), src: v.Link.Src(), dst: v.Link.Dst(), queue: v.IB.DestQP, opcode: v.IB.OpCode,
		fault: fault, at: opcodeOf(v)}
	if fault.Bad() {
		x.at = flow.Place{}
		if at := v.Link.Start() + fault.Offset; at < len(v.Frame.Data) {
			x.at = flow.Place{Ref: rules.Ref(v), Offset: at, Length: 1}
		}
	}
	rules.PostOfCapture(k, x)
}

// datagram reports whether a datagram carries RPC-over-RDMA.
func datagram(k *rules.Capture, v *dissect.FrameView) bool {
	if rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
		return false
	}
	octets, h := v.IB.Payload(), &rules.KeptOfCapture[keptOfCapture](k, rules.KeepsTRANS).header
	if h.Recognise(octets) != rpcrdma.Strong {
		return false
	}
	_, ok := rpc.MessageType(octets[min(h.Length, len(octets)):])
	return ok
}

func stray007(_ *rules.Entry, x *stray, say rules.Say) {
	if x.fault.Bad() {
		if f := say.About("", x.about, noConnection); f != nil {
			f.Sayf("a packet from %s to %s, QP 0x%06x, is malformed: %s", x.src, x.dst, x.queue, x.fault)
			f.See("OpCode", x.opcode.String(), nil).At(x.at)
		}
		return
	}
	if f := say.About("c", x.about, ""); f != nil {
		f.Sayf("%s sends RPC-over-RDMA to QP 0x%06x of %s over the UD service", x.src, x.queue, x.dst)
		f.See("transport service", "UD", "RC").At(x.at)
	}
}
