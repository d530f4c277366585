package cm

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{known()},
		On: []rules.Event{
			onHandshakeKnown(handshake005),
			rules.OnMessage(rules.AboveDefault|rules.Invalidating, message005),
			rules.OnFrame(rules.Datagram|rules.Ending, frame005),
			rules.OnOver(over005),
			rules.OnPublished(settings005),
			rules.OnPublished(closing005),
			rules.OnPublished(stale005),
		},
	}
}

// settings are what both ends of a connection told, when that is known.
type settings struct {
	peers pasts.Peers
	began int64
	given
	ends [2]settingsOf
}

// settingsOf are those of one end.
type settingsOf struct {
	end     flow.End
	sender  string
	current *rpcrdma.PrivateData
	moment  flow.Moment
	place   flow.Place
}

func handshake005(c *rules.Conn, b *setup.Handshake, _ rules.Reporter) {
	x := settings{peers: pasts.PeersOf(c), began: c.FirstTime}
	for i, e := range [...]flow.End{c.ClientEnd, c.ClientEnd.Peer()} {
		x.declared[i], x.captured[i] = setup.Private(c, e), c.Ends[e&1].PrivateData != nil
		x.ends[i] = settingsOf{e, c.Sender(e), setup.Private(c, e), declaredAt(b, e),
			b.PrivateAt(c, e, 0, rpcrdma.PrivateDataSize)}
	}
	state.Of(c).declared = true
	rules.Publish(c, x)
	if c.Closing != flow.Open {
		rules.Publish(c, closing{x.peers, c.LastTime})
	}
}

// changed is what the connection before told, of client and server, where this one tells
// something else.
type changed struct{ before [2]*rpcrdma.PrivateData }

// changedSlot is where CrossConnection keeps it of each connection.
const changedSlot = rules.RefSlot[changed](rules.KeepsCM)

func settings005(e *rules.ConnRef, x *settings, report rules.Reporter) {
	p := historySlot.Of(e.CrossConnection).pasts.Of(x.peers)
	if p == nil {
		return
	}
	before, ok := p.before(x.began)
	p.enter(e, x.given)
	if !ok {
		return
	}
	for i := range x.ends {
		t := &x.ends[i]
		if !x.captured[i] || !before.captured[i] || same(before.declared[i], t.current) {
			continue
		}
		changedSlot.Of(e).before = before.declared
		report.Moment("", t.moment.Ref, t.moment.Time, &t.end, "").
			Messagef("the %s declared %s; on the previous connection it declared %s", t.sender, described(t.current), described(before.declared[i])).
			See("private data", described(t.current), described(before.declared[i])).At(t.place)
	}
}

// A closing is a frame of a connection that has told its settings and is about to end.
type closing struct {
	peers pasts.Peers
	time  int64
}

func frame005(c *rules.Conn, _ *dissect.FrameView, _ rules.Reporter) {
	if k := state.IfAny(c); k != nil && k.declared && c.Closing != flow.Open {
		rules.Publish(c, closing{pasts.PeersOf(c), c.LastTime})
	}
}

func closing005(e *rules.ConnRef, x *closing, _ rules.Reporter) {
	if p := historySlot.Of(e.CrossConnection).pasts.Of(x.peers); p != nil {
		p.ends(e, x.time)
	}
}

func over005(e *rules.ConnRef, c *rules.Conn, _ rules.Reporter) {
	if k := state.IfAny(c); k == nil || !k.declared {
		return
	}
	if p := historySlot.Of(e.CrossConnection).pasts.Of(pasts.PeersOf(c)); p != nil {
		p.leave(e, c.LastTime)
	}
}

// same compares what matters.
func same(a, b *rpcrdma.PrivateData) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SendSizeCode == b.SendSizeCode && a.ReceiveSizeCode == b.ReceiveSizeCode && a.RemoteInvalidation() == b.RemoteInvalidation()
}

func described(p *rpcrdma.PrivateData) string {
	if p == nil {
		return "nothing"
	}
	return p.String()
}

// stale is a message that the settings of the connection do not allow. Perhaps those of the
// one before did.
type stale struct {
	about            *rules.About
	toServer         bool
	length, limit    int
	why              string
	long             bool // longer than the limit
	invalidates      bool // and the receiver has not set the flag R
	sender, receiver string
	settings         flow.Ref // the receiver's settings
}

// message005 looks for a message that only other settings allow.
func message005(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if k := state.IfAny(c); k == nil || !k.declared {
		return
	}
	if m.Header.Version != rpcrdma.Version1 || m.Length <= rpcrdma.DefaultThreshold && !m.HasInvalidated || m.Whole && m.Header.Fault.Bad() {
		return
	}
	l, known := setup.LimitOf(c, m.From)
	if !known {
		return
	}
	receiver := setup.Private(c, m.From.Peer())
	x := stale{
		toServer: c.ToServer(m.From), length: m.Length, limit: l.Bytes, why: l.Why, long: m.Length > l.Bytes,
		invalidates: m.HasInvalidated && m.Role() == dissect.RoleAnswer && (receiver == nil || !receiver.RemoteInvalidation()),
	}
	if !x.long && !x.invalidates {
		return
	}
	x.sender, x.receiver, x.settings = c.Sender(m.From), c.Sender(m.From.Peer()), setup.Of(c).Declared[m.From.Peer()&1].Frame
	x.about = c.AboutMessage(m)
	rules.Publish(c, x)
}

func stale005(e *rules.ConnRef, x *stale, report rules.Reporter) {
	k := changedSlot.IfAny(e)
	if k == nil {
		return
	}
	old := k.before
	was := rpcrdma.NegotiatedThresholds(old[0], old[1])
	most, before := was.ToClient, old[0]
	if x.toServer {
		most, before = was.ToServer, old[1]
	}
	var said []string
	if x.long && x.length <= most {
		said = append(said, fmt.Sprintf("sent %d bytes: %s now allows %d, and the limit on the previous connection was %d", x.length, x.why, x.limit, most))
	}
	if x.invalidates && before != nil && before.RemoteInvalidation() {
		said = append(said, fmt.Sprintf("replied by Send With Invalidate: the %s had set flag R on the previous connection, but not on this one", x.receiver))
	}
	if len(said) == 0 {
		return
	}
	if f := report.About("b", x.about, ""); f != nil {
		f.Messagef("the %s %s", x.sender, strings.Join(said, ", and "))
		f.See("Send length", x.length, finding.AtMost(x.limit)).See("limit before", most, nil).With(x.settings)
	}
}
