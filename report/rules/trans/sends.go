package trans

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// mostSends is how many packets of Sends are remembered of an end.
const mostSends = 64

// A packetRing has the last packets of Sends of an end, each as it was sent first.
// What they held is remembered by their ICRC.
type packetRing struct {
	list    rules.Ring[sendPacket]
	scratch []byte
}

// sendPacket is one of them: what of a packet may differ when it is sent again, and
// the ICRC, which covers that and the payload.
type sendPacket struct {
	ref    flow.Ref
	bth    [rocev2.BTHSize]byte
	icrc   uint32
	length uint32 // octets from BTH to ICRC
	ipid   uint16
	port   uint16 // of the sender
}

func (s *packetRing) note(v *dissect.FrameView) {
	p := s.list.Add(mostSends)
	p.ref = rules.Ref(v)
	copy(p.bth[:], v.IB.Octets)
	p.icrc, p.length = v.IB.ICRC, uint32(v.Link.End()-v.Link.Start())
	p.ipid, p.port = v.Link.IPID, v.Link.SrcPort
}

// find is the packet with a PSN that was sent last, nil if it is not remembered.
func (s *packetRing) find(psn uint32) *sendPacket {
	for p := range s.list.Backward() {
		if binary.BigEndian.Uint32(p.bth[8:])&0xffffff == psn {
			return p
		}
	}
	return nil
}

// same reports whether a frame is the packet p, sent again. It is, if it has p's
// ICRC once the identification of the IPv4 header, the source port and the flags
// of the BTH are put back: all that a sender may change.
func (s *packetRing) same(p *sendPacket, v *dissect.FrameView) bool {
	l := v.Link
	if int(p.length) != l.End()-l.Start() || p.bth[0] != v.IB.Octets[0] {
		return false
	}
	if l.Transport != link.RoCEv2 && l.Transport != link.RoCEv1 {
		return true // nothing is known of what else may change
	}
	s.scratch = append(s.scratch[:0], v.Frame.Data...)
	b := s.scratch
	copy(b[l.Start():], p.bth[:])
	if l.Transport == link.RoCEv2 {
		const identification, udp = 4, 8 // its offset; octets of the UDP header
		if b[l.Network()]>>4 == 4 {
			binary.BigEndian.PutUint16(b[l.Network()+identification:], p.ipid)
		}
		binary.BigEndian.PutUint16(b[l.Start()-udp:], p.port)
	}
	computed, _, ok := rocev2.ICRC(b, l)
	return !ok || computed == p.icrc
}
