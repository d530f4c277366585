package sym

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// seen is what there is in a capture besides connections.
type seen struct {
	// rdma says that there is RDMA: a connection, or a packet that could be decoded.
	rdma bool
	// first is the first frame.
	first  flow.Moment
	frames int64
	// nfs are TCP segments with data from or to the port of NFS, rdmaPort all from or to that of
	// NFS over RDMA, strange those with data of other ports; cut are packets of RoCE too short to
	// be decoded.
	nfs, rdmaPort, otherTCP, cut int64
	// asked are TCP connections that somebody asked for.
	asked asked
	// others are what there is else.
	others []kind
}

// seenSlot is where a Checker keeps it.
const seenSlot = rules.CaptureSlot[seen](rules.KeepsSYMSeen)

// A kind is a protocol, and how many frames there are of it.
type kind struct {
	of     link.Packet
	frames int64
}

const (
	mostProtocols = 64 // that are told apart
	portNFS       = 2049
	portNFSRDMA   = 20049
)

// see counts a frame that is of no connection.
func (s *seen) see(v *dissect.FrameView) {
	if at := rules.Moment(v); s.frames == 0 || at.Ref.Compare(s.first.Ref) < 0 {
		s.first = at
	}
	s.frames++
	p := v.Link
	s.asked.see(p, rules.Moment(v))
	switch {
	case v.IB != nil && v.IB.Faulty():
		s.cut++
		return
	case v.IB != nil:
		s.rdma = true
		return
	case p.Transport != link.TCP:
	case p.SrcPort == portNFSRDMA || p.DstPort == portNFSRDMA:
		s.rdmaPort++
		return
	case p.End() <= p.TCPData():
	case p.SrcPort == portNFS || p.DstPort == portNFS:
		s.nfs++
		return
	default:
		s.otherTCP++
	}
	s.count(p)
}

func (s *seen) count(p *link.Packet) {
	for i := range s.others {
		if k := &s.others[i]; k.of.SameProtocol(p) {
			k.frames++
			return
		}
	}
	if len(s.others) < mostProtocols {
		s.others = append(s.others, kind{*p, 1})
	}
}

// addSeen adds what another part of the capture has.
func (s *seen) addSeen(o *seen) {
	if o.frames > 0 && (s.frames == 0 || o.first.Ref.Compare(s.first.Ref) < 0) {
		s.first = o.first
	}
	s.rdma = s.rdma || o.rdma
	s.asked.addAsked(o.asked)
	s.frames += o.frames
	s.nfs, s.rdmaPort, s.otherTCP, s.cut = s.nfs+o.nfs, s.rdmaPort+o.rdmaPort, s.otherTCP+o.otherTCP, s.cut+o.cut
	for i := range o.others {
		k := &o.others[i]
		j := slices.IndexFunc(s.others, func(x kind) bool { return x.of.SameProtocol(&k.of) })
		if j < 0 {
			s.others = append(s.others, *k)
		} else {
			s.others[j].frames += k.frames
		}
	}
}

// protocols are the most frequent others, for a person.
func (s *seen) protocols() string {
	const most = 4
	slices.SortFunc(s.others, func(a, b kind) int {
		return cmp.Or(cmp.Compare(b.frames, a.frames), strings.Compare(a.of.Protocol(), b.of.Protocol()))
	})
	var parts []string
	for i := range s.others[:min(most, len(s.others))] {
		parts = append(parts, fmt.Sprintf("%d of %s", s.others[i].frames, s.others[i].of.Protocol()))
	}
	if rest := len(s.others) - most; rest > 0 {
		parts = append(parts, fmt.Sprintf("and %d other protocols", rest))
	}
	return strings.Join(parts, ", ")
}

// tunneled reports whether most of it is in a tunnel that is not looked into.
func (s *seen) tunneled() (name string, is bool) {
	if s.protocols(); len(s.others) == 0 || 2*s.others[0].frames < s.frames {
		return "", false
	}
	switch name = s.others[0].of.Protocol(); name {
	case "GRE", "ERSPAN", "VXLAN", "Geneve", "MPLS", "PPPoE", "FabricPath", "VN-tag", "802.1ah", "Arista header", "NSH", "ESP", "MACsec":
		return name, true
	}
	return "", false
}
