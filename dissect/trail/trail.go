package trail

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An RPCFrames is that of some RPCs of one connection. It is to receive all frames of the connection
// in their order.
type RPCFrames struct {
	sent [2]span // by the end whose requests they are, or whose bytes of TCP
}

// Take takes a frame that an end sent, of which it is known whether it carried some of the RPCs. It
// reports whether the frame has a part in them.
func (t *RPCFrames) Take(v *dissect.FrameView, from flow.End, own bool) bool {
	if v.IB != nil {
		return t.packet(v.IB, from, own)
	}
	return t.segment(v, from, own)
}

// packet is Take for RoCE.
func (t *RPCFrames) packet(p *rocev2.Packet, from flow.End, own bool) bool {
	if p.DestQP <= managementQP {
		return own
	}
	first, last := psn(p.PSN), lastOf(p.PSN)
	response := p.OpCode.IsResponse()
	if response {
		from = from.Peer() // whose request it answers: it has the PSN of that
	}
	s := &t.sent[from]
	switch {
	case own && response:
		s.acknowledge(last)
		s.extend(first, last)
		s.open = false
	case own:
		s.extend(first, last)
	case !s.has(first, last):
		return response && acknowledges(p) && s.acknowledge(last)
	case response:
		s.acknowledge(last)
	}
	return true
}

// managementQP is the queue pair of connection management, the PSNs of which are its own.
const managementQP = 1

// acknowledges reports whether a response is an acknowledgement, and no data.
func acknowledges(p *rocev2.Packet) bool {
	return p.OpCode.Kind() == rocev2.KindAcknowledge
}

// segment is Take for TCP.
func (t *RPCFrames) segment(v *dissect.FrameView, from flow.End, own bool) bool {
	s, peer := &t.sent[from], &t.sent[from.Peer()]
	tcp := &v.Link.TCP
	n := v.PayloadLength()
	if tcp.Flags.Has(link.SYN) || tcp.Flags.Has(link.FIN) {
		n++ // which counts as a byte
	}
	first := place(tcp.Seq)
	if own && n > 0 {
		s.extend(first, first+place(n)-1)
	}
	has := own || n > 0 && s.has(first, first+place(n)-1)
	if !tcp.Flags.Has(link.ACK) {
		return has
	}
	upTo := place(tcp.Ack) - 1
	switch {
	case has:
		peer.acknowledge(upTo)
	case n == 0:
		return peer.acknowledge(upTo) || peer.has(upTo, upTo)
	}
	return has
}

// Acknowledged reports whether a frame that an end sent says that it has all of the RPCs that the
// other sent.
func (t *RPCFrames) Acknowledged(v *dissect.FrameView, from flow.End) bool {
	peer := &t.sent[from.Peer()]
	switch {
	case v.IB == nil:
		return v.Link.TCP.Flags.Has(link.ACK) && peer.covers(place(v.Link.TCP.Ack)-1)
	case v.IB.AETH() == 0 || !v.IB.Syndrome().IsACK():
		return false
	}
	return peer.covers(lastOf(v.IB.PSN))
}
