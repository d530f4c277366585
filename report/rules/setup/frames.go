package setup

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// gsi is the queue pair of the general services interface, to which connection
// management belongs.
const gsi = 1

// Offsets of the two depths in a MAD (InfiniBand Architecture 1.3, volume 1,
// sections 12.6.5 and 12.6.8), of one octet each.
const (
	reqResources, reqDepth = rocev2.MADHeaderSize + 35, rocev2.MADHeaderSize + 39
	repResources, repDepth = rocev2.MADHeaderSize + 24, rocev2.MADHeaderSize + 25
)

// management takes a message of connection management.
func (b *Book) management(v *dissect.FrameView) {
	m := &b.cm
	if v.Verdict.Note == flow.Duplicate || !m.Decode(v.IB.Payload()) {
		return
	}
	at := v.Link.Start() + v.IB.PayloadStart()
	switch m.Kind {
	case rocev2.CMReq:
		b.told(v, m, at, reqResources, reqDepth)
	case rocev2.CMRep:
		b.told(v, m, at, repResources, repDepth)
	case rocev2.CMRtu:
		b.RTU = true
	}
	ends := m.Kind == rocev2.CMDreq || m.Kind == rocev2.CMDrep || m.Kind == rocev2.CMRej
	b.step(v, m.Kind.String(), ends)
}

// told enters a REQ or REP, whose MAD begins at an octet of the frame.
func (b *Book) told(v *dissect.FrameView, m *rocev2.CM, at, resources, depth int) {
	t := &b.Told[v.Verdict.From&1]
	*t = Told{Heard: true, Frame: rules.Ref(v), Time: v.Frame.Time}
	if m.Fault.Bad() && m.Fault.Offset <= depth {
		return
	}
	t.Takes, t.Issues, t.HasDepths = int(m.ResponderResources), int(m.InitiatorDepth), true
	t.TakesPlace = flow.Place{Ref: t.Frame, Offset: at + resources, Length: 1}
	t.IssuesPlace = flow.Place{Ref: t.Frame, Offset: at + depth, Length: 1}
	if !m.Fault.Bad() {
		t.Private = flow.Place{Ref: t.Frame, Offset: at + m.PrivateDataOffset, Length: len(m.PrivateData)}
	}
}

// tcp takes a frame of iWARP.
func (b *Book) tcp(v *dissect.FrameView) {
	if !b.Told[0].Heard || !b.Told[1].Heard {
		for i := range v.Verdict.Units {
			if u := &v.Verdict.Units[i]; u.IsStart {
				b.start(v, u)
			}
		}
	}
	const ending = link.FIN | link.RST
	switch flags := v.Link.TCP.Flags; {
	case flags&ending == 0 || v.Verdict.Note == flow.Duplicate:
	case flags&link.RST != 0:
		b.step(v, "RST", true)
	default:
		b.step(v, "FIN", true)
	}
}

// Sizes and offsets of the enhanced set-up, which stands in front of the
// consumer's private data (RFC 6581, section 9).
const (
	enhanced      = 4 // octets
	depth         = 2 // octets of IRD, then of ORD
	notNegotiated = 0x3fff
)

// start takes an MPA Request or Reply.
func (b *Book) start(v *dissect.FrameView, u *flow.Unit) {
	t := &b.Told[v.Verdict.From&1]
	if t.Heard {
		return
	}
	s := &u.Start
	*t = Told{Heard: true, Frame: rules.Ref(v), Time: v.Frame.Time}
	private := iwarp.StartSize
	if s.HasDepths {
		private += enhanced
		t.Takes, t.Issues = int(s.IRD), int(s.ORD)
		t.HasDepths = s.IRD != notNegotiated && s.ORD != notNegotiated
	}
	if u.At >= 0 && !s.Fault.Bad() {
		at := v.Link.TCPData() + u.At
		t.Private = flow.Place{Ref: t.Frame, Offset: at + private, Length: iwarp.StartSize + s.PDLength - private}
		if s.HasDepths {
			t.TakesPlace = flow.Place{Ref: t.Frame, Offset: at + iwarp.StartSize, Length: depth}
			t.IssuesPlace = flow.Place{Ref: t.Frame, Offset: at + iwarp.StartSize + depth, Length: depth}
		}
	}
	name := "MPA Request"
	if s.Reply {
		name = "MPA Reply"
		if s.Reject {
			name = "MPA Reply that rejects"
		}
	}
	b.step(v, name, s.Reply && s.Reject)
}
