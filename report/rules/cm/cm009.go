package cm

import (
	"encoding/binary"
	"fmt"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

func cm009() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{setup.Knowledge()},
		On: []rules.Event{
			rules.OnFrame(rules.Datagram, frame009), rules.OnEnd(end009), rules.OnPublished(worked009), rules.OnPublished(failed009),
		},
	}
}

// A pathKind is what tells the paths between two Ethernet ports apart.
type pathKind struct {
	transport link.Transport
	gid       string // what the addresses are
	vlan      int    // -1 for none
}

func (k pathKind) String() string {
	vlan := "without a VLAN tag"
	if k.vlan >= 0 {
		vlan = fmt.Sprintf("in VLAN %d", k.vlan)
	}
	return fmt.Sprintf("%v with %s, %s", k.transport, k.gid, vlan)
}

// portPair are the Ethernet addresses of two ports, the requester's first.
type portPair [12]byte

// A request009 is the first REQ of a connection.
type request009 struct {
	about *rules.About
	ports portPair
	kind  pathKind
}

// frame009 looks at the first REQ of a connection.
func frame009(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	b := setup.Of(c)
	if k := state.IfAny(c); k != nil && k.request != nil || b.Declared[1].Captured || !b.Declared[0].Captured || v.Verdict.From != c.ClientEnd {
		return
	}
	const ethernet = 14
	at, d := v.Link.Network(), v.Frame.Data
	if at < ethernet || len(d) < at {
		return
	}
	r := &request009{about: rules.AboutFrame(v), kind: pathKind{v.Link.Transport, gidOf(v.Link.Src()), -1}}
	copy(r.ports[:6], d[6:12])
	copy(r.ports[6:], d[:6])
	const vlan, tag = 0x8100, 4
	if at >= ethernet+tag && binary.BigEndian.Uint16(d[at-2-tag:]) == vlan {
		r.kind.vlan = int(binary.BigEndian.Uint16(d[at-tag:]) & 0xfff)
	}
	state.Of(c).request = r
}

// gidOf says what an address, which is the port's GID, is.
func gidOf(a link.Addr) string {
	x := a.IP()
	switch {
	case x.Is4():
		return "IPv4 addresses"
	case x.IsLinkLocalUnicast():
		return "link-local addresses"
	}
	return "IPv6 addresses"
}

// A failure009 is a setup that failed, as its path may explain.
type failure009 struct {
	request009
	id    int // of the connection
	times int // that the REQ was sent, 0 if it was rejected
}

// end009 posts what became of a setup.
func end009(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.request == nil {
		return
	}
	b := setup.Of(c)
	switch {
	case c.Closing == flow.Rejected && ofPath(c.RejectReason):
		report.Moment("a", b.Over.Frame, b.Over.Time, &b.Over.From, "").
			Messagef("the %s rejected the path that the REQ requests: %v", c.Sender(b.Over.From), c.RejectReason).
			See("reason", c.RejectReason.String(), nil).See("path", k.request.kind.String(), nil).With(k.request.about.Frame)
	case c.Established:
		rules.Publish(c, *k.request)
	case !b.Declared[1].Captured && b.Again > 0 && c.Messages == 0 && c.Capture.Now-c.LastTime >= int64(c.Capture.Config.EndGuard):
		rules.Publish(c, failure009{request009: *k.request, times: b.Again + 1})
	}
}

// ofPath reports whether a REJ is for the primary path: its GIDs, service level, traffic
// class, hop limit, packet rate or flow label (IBA 12.6.7.2).
func ofPath(r rocev2.RejectReason) bool { return r >= 12 && r <= 17 || r == 32 }

// paths009 are the kinds of paths that worked between two ports, and the first setup that
// failed between them.
type paths009 = pasts.Table[portPair, pathsOf]

type pathsOf struct {
	worked []pathKind
	failed []failure009
}

// mostPaths is how many kinds and failures between two ports are remembered.
const mostPaths = 8

func worked009(e *rules.ConnRef, r *request009, report rules.Reporter) {
	x := historySlot.Of(e.CrossConnection).paths.Of(r.ports)
	if x == nil {
		return
	}
	for _, k := range x.worked {
		if k == r.kind {
			return
		}
	}
	if len(x.worked) < mostPaths {
		x.worked = append(x.worked, r.kind)
	}
	for i := range x.failed {
		x.failed[i].report(x, report)
	}
}

func failed009(e *rules.ConnRef, f *failure009, report rules.Reporter) {
	x := historySlot.Of(e.CrossConnection).paths.Of(f.ports)
	if x == nil {
		return
	}
	f.id = e.ID()
	if !f.report(x, report) && len(x.failed) < mostPaths {
		x.failed = append(x.failed, *f)
	}
}

// report reports a setup whose path never worked where another does; it reports whether it did.
// The connection that shows it may be the other one: this one may be over and told.
func (r *failure009) report(x *pathsOf, report rules.Reporter) bool {
	other := -1
	for i, k := range x.worked {
		if k == r.kind {
			return false // another reason
		}
		other = i
	}
	if other < 0 {
		return false
	}
	report.About("b", r.about, "").
		Messagef("the REQ of connection %d over %v was sent %d times and never answered; over %v the same two ports connect", r.id, r.kind, r.times, x.worked[other]).
		See("path", r.kind.String(), x.worked[other].String()).See("times", r.times, nil)
	return true
}
