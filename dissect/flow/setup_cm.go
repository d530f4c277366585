package flow

import (
	"bytes"

	"github.com/rdmacap/rdmacap/rocev2"
)

// managed notes a message of connection management that an end sent.
func (c *qpConn) managed(f *Frame, m *rocev2.CM, from End, note Note) {
	k, ends := &c.Handshake, false
	switch m.Kind {
	case rocev2.CMReq, rocev2.CMRep:
		k.Told[from] = toldCM(f, m, c.Ends[from].PrivateData)
	case rocev2.CMRtu:
		k.RTU = true
	case rocev2.CMDreq, rocev2.CMDrep, rocev2.CMRej:
		ends = true
	}
	k.step(Step{m.Kind.String(), from, f.Ref(), f.Time, note == Retransmission}, ends)
}

// toldCM is what a REQ or REP says; private is the private data that is kept of the end
// already.
func toldCM(f *Frame, m *rocev2.CM, private []byte) Told {
	t := Told{Heard: true, Whole: !m.Fault.Bad(), Frame: f.Ref(), Time: f.Time, CommID: m.LocalCommID, QPN: m.QPN}
	at := f.Link.Start() + f.IB.PayloadStart() // of the MAD in the frame
	if t.Whole {
		if t.PrivateData = private; !bytes.Equal(private, m.PrivateData) {
			t.PrivateData = bytes.Clone(m.PrivateData)
		}
		t.Private = Place{f.Ref(), at + m.PrivateDataOffset, len(m.PrivateData)}
	}
	term := func(key string, value int) Term {
		offset, n := m.Kind.Octets(key)
		if n == 0 || m.Fault.Bad() && m.Fault.Offset < offset+n {
			return Term{}
		}
		return Term{value, true, uint32(at + offset), uint8(n)}
	}
	t.Takes = term("responderresources", int(m.ResponderResources))
	t.Issues = term("initiatordepth", int(m.InitiatorDepth))
	t.StartingPSN = term("startingpsn", int(m.StartingPSN))
	t.RNRRetry = term("rnrretrycount", int(m.RNRRetryCount))
	t.Retry = term("retrycount", int(m.RetryCount))
	t.AckTimeout = term("primary_acktimeout", int(m.LocalACKTimeout))
	t.PathMTU = term("pathmtu", int(m.PathMTU))
	return t
}
