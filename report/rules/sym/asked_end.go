package sym

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
	"github.com/rdmacap/rdmacap/rocev2"
)

// askedEnds are the DREQs for queue pairs that no open connection has, the newest ones: who sends them
// still holds a connection that the other has no more.
type askedEnds struct{ ring rules.Ring[askedEnd] }

// mostAskedEnds is how many are remembered.
const mostAskedEnds = 32

// An askedEnd is what one end sent to another to end a connection.
type askedEnd struct {
	from, to      link.Addr
	qpn           uint32 // of the receiver
	local, remote uint32 // the communication IDs
	first         flow.Ref
	count         int64
	answered      int64 // of count
}

// An ending is a DREQ, or DREP, of no connection that is open.
type ending struct {
	askedEnd
	answers bool
}

// ending004 looks for them.
func ending004(k *rules.Capture, v *dissect.FrameView) {
	if v.IB == nil || v.IB.OpCode.Transport() != rocev2.TransportUD || v.Connection != nil || v.ICRC() == rocev2.ICRCWrong {
		return
	}
	var m rocev2.CM
	if !m.Decode(v.IB.Payload()) || !m.Enough() || m.Kind != rocev2.CMDreq && m.Kind != rocev2.CMDrep {
		return
	}
	rules.PublishOfCapture(k, ending{
		askedEnd{from: v.Link.Src(), to: v.Link.Dst(), qpn: m.QPN, local: m.LocalCommID, remote: m.RemoteCommID, first: rules.Ref(v), count: 1},
		m.Kind == rocev2.CMDrep,
	})
}

// ended004 counts one.
func ended004(e *rules.ConnRef, x *ending, _ rules.Reporter) {
	ends := &historySlot.Of(e.CrossConnection).ends
	for a := range ends.ring.All() {
		switch {
		case x.answers && a.from == x.to && a.to == x.from && a.local == x.remote && a.remote == x.local:
			a.answered++
			return
		case !x.answers && a.from == x.from && a.to == x.to && a.qpn == x.qpn:
			a.count, a.local, a.remote = a.count+1, x.local, x.remote
			return
		}
	}
	if !x.answers {
		*ends.ring.Add(mostAskedEnds) = x.askedEnd
	}
}

// askedEndOf is what the server of two peers sent for a queue pair of the client, nil for nothing.
func (x *askedEnds) askedEndOf(p pasts.Peers, qpn uint32) *askedEnd {
	for a := range x.ring.All() {
		if a.from == p.Server && a.to == p.Client && a.qpn == qpn {
			return a
		}
	}
	return nil
}

// describe says what came of it.
func (a *askedEnd) describe(x *series, f *rules.Finding) {
	switch {
	case a == nil || x.by != "server":
		return
	case a.answered > 0:
		f.Message += "; the client answered the server's DREQ"
	case a.count == 1:
		f.Message += "; the client never answered the server's DREQ"
	default:
		f.Message += fmt.Sprintf("; the client answered none of the server's %s", field.Counted(a.count, "DREQ"))
	}
	f.See("DREQs for the old connection", a.count, nil).See("DREPs", a.answered, nil).With(a.first)
}
