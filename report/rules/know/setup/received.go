package setup

import (
	"math"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Received keeps, of version 2, what each end is known to have received of the other. An end
// that answered a message got all that the other had sent before it. Connections of
// version 1 pay nothing for it.
type Received struct {
	c *rules.Conn
	// upTo is the newest message of the other that an end answered.
	upTo [2]flow.Moment
	// speaks says that an end sent an operation of transport characteristics, ignored
	// that the other refused its INIT_XCHAR as one that it does not know.
	speaks, ignored [2]bool
	// cut says that an end sent a message that may have announced anything: it is not whole
	// in the capture, or a RESP_XCHAR that does not fit its request.
	cut [2]bool
	// short says that so little was captured of a message that one before may not even be
	// known to be of the protocol.
	short bool
}

// receivedSlot is where each connection keeps it.
const receivedSlot = rules.ConnSlot[Received](rules.KeepsSetupReceived)

// enough is how many bytes of a message are enough for an INIT_XCHAR.
const enough = 256

// ReceivedOf is the Received of a connection, for rules that need ReceivedKnowledge.
func ReceivedOf(c *rules.Conn) *Received {
	h := receivedSlot.Of(c)
	h.c = c
	return h
}

// ReceivedKnowledge takes the events.
func ReceivedKnowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsSetupReceived, On: []rules.Event{
		rules.OnMessage(rules.OtherVersion, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) { ReceivedOf(c).message(m) }),
	}}
}

func (h *Received) message(m *dissect.Message) {
	if o := m.Header.Option(); o != nil && o.Known() {
		h.speaks[m.From&1] = true
	}
	h.cut[m.From&1] = h.cut[m.From&1] || Cut(m) || misfits(m)
	h.short = h.short || !m.Whole && len(m.Raw()) < enough
	var asked flow.Moment
	if r := m.RPC(); m.Answer && r != nil && r.Call != nil {
		asked = r.Call.Moment()
	} else if o := m.Optional(); o != nil {
		asked = flow.Moment{Ref: o.Frame, Time: o.Time}
		if o.Type == rpcrdma.InitXchar && m.Header.Error == rpcrdma.Err2InvalidOption {
			h.ignored[m.From.Peer()&1] = true
		}
	} else {
		return
	}
	if up := &h.upTo[m.From&1]; up.Before(asked) {
		*up = asked
	}
}

// Short reports whether so little was captured of a message that it may have been any.
func (h *Received) Short() bool { return h.short }

// Cut reports whether a message is not whole in the capture, and may have been one about
// transport characteristics.
func Cut(m *dissect.Message) bool {
	h := &m.Header
	return !m.Whole && (h.Length < rpcrdma.FixedSize || h.Version == rpcrdma.Version2 && h.Proc == rpcrdma.RDMA2Optional)
}

// misfits reports whether a message is a RESP_XCHAR with an element that was not
// requested, so that it may count the bits of its subsets in another order.
func misfits(m *dissect.Message) (odd bool) {
	o, asked := m.Header.Option(), m.Optional()
	if o == nil || o.Type != rpcrdma.RespXchar || asked == nil {
		return false // a Change says that it is not known
	}
	for _, s := range [...]rpcrdma.Subset{o.Done, o.Rejected, o.Pending} {
		o.Elements(s, func(n int) bool {
			odd = odd || n >= asked.Count
			return !odd
		})
	}
	return odd
}

// Knows reports whether an end is known to have got what the other announced.
func (h *Received) Knows(e flow.End, said *dissect.Change) bool {
	return flow.Moment{Ref: said.Frame, Time: said.Time}.Before(h.upTo[e&1])
}

// Known is the value of a characteristic of an end that held when a frame was captured, if
// it is known and the other end is known to have got it by now.
func (h *Received) Known(e flow.End, id rpcrdma.CharacteristicID, frame flow.Ref, time int64) (said dissect.Change, ok bool) {
	said, ok = h.c.Characteristics(e).At(id, frame, time)
	return said, ok && said.Known && !h.ignored[e&1] && h.Knows(e.Peer(), &said)
}

// LimitAt is how long a Send of an end may be that begins in a frame at a time: LimitOf
// in version 1. In version 2 it is what its receiver announced in XCHAR_RBSIZ before;
// while the sender may not know of a change, the larger of the values. It is not
// known before the ends agreed on version 2, nor where an announcement may be missing
// near there from the capture, and in doubt where it may be missing elsewhere.
func (h *Received) LimitAt(version uint32, from flow.End, frame flow.Ref, time int64) (l Limit, known bool) {
	c, receiver := h.c, from.Peer()
	if version != rpcrdma.Version2 {
		return LimitOf(c, from)
	}
	near := c.LostNear(receiver, frame)
	if l, known = h.announced(from, frame, time); known && c.LackingOf(receiver) {
		l.Doubt, known = finding.DoubtLoss, !near || c.Accounted(receiver, 0)
	}
	return l, known
}

// announced is LimitAt of version 2, as far as the capture has the announcements.
func (h *Received) announced(from flow.End, frame flow.Ref, time int64) (l Limit, known bool) {
	c := h.c
	n, ok := c.Negotiation()
	if !ok || n.Agreed != rpcrdma.Version2 || frame.File != n.AgreedIn.File || frame.Compare(n.AgreedIn) <= 0 ||
		c.OneDirection() || c.Limited(rules.AnyCut, h.cut[from.Peer()&1]) {
		return l, false
	}
	receiver, at := from.Peer(), flow.Moment{Ref: frame, Time: time}
	line := c.Characteristics(receiver)
	if newest, said := line.At(rpcrdma.XcharRBSIZ, frame, time); said && !newest.Known {
		return l, false
	}
	for _, x := range slices.Backward(line.Changes()) {
		switch {
		case x.ID != rpcrdma.XcharRBSIZ || !(flow.Moment{Ref: x.Frame, Time: x.Time}).Before(at):
			continue
		case !x.Known:
			return l, false
		}
		if size := int(min(x.Value, math.MaxInt32)); size > l.Bytes {
			l = Limit{Bytes: size, Why: "the " + c.Sender(receiver) + "'s XCHAR_RBSIZ"}
		}
		if h.Knows(from, &x) {
			known = true
			break
		}
	}
	// Who does not know the extension goes by the default, and so does who has not received it.
	// Whether an INIT_XCHAR was refused is not known of a capture that began late.
	if known && (l.Bytes >= rpcrdma.Version2Threshold || h.speaks[from&1] && !h.ignored[receiver&1] && !c.BeganLate()) {
		return l, true
	}
	if known = known || !c.BeganLate() && !c.Limited(rules.AnyCut, h.short); !known {
		return l, false
	}
	if first, told := LimitOf(c, from); told && first.Bytes > max(l.Bytes, rpcrdma.Version2Threshold) {
		return first, true
	}
	if l.Bytes < rpcrdma.Version2Threshold {
		l = Limit{Bytes: rpcrdma.Version2Threshold, Default: true, Why: "the default of version 2"}
	}
	return l, true
}

// LimitOf is LimitAt for a Send that is a message.
func (h *Received) LimitOf(m *dissect.Message) (l Limit, known bool) {
	return h.LimitAt(m.Header.Version, m.From, m.Frames[0], m.First)
}
