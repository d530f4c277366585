package qp

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// managed notes a message of connection management that an end sent.
func (c *qpConn) managed(f *flow.Frame, m *rocev2.CM, from flow.End, note flow.Note) {
	k, ends := &c.Handshake, false
	switch m.Kind {
	case rocev2.CMReq, rocev2.CMRep:
		k.Declared[from] = declaredByCM(f, m, c.Ends[from].PrivateData)
	case rocev2.CMRtu:
		k.RTU = true
	case rocev2.CMDreq, rocev2.CMDrep, rocev2.CMRej:
		ends = true
	}
	k.AddStep(flow.Step{Name: m.Kind.String(), From: from, Frame: f.Ref(), Time: f.Time, Again: note == flow.Retransmission, Answers: m.Kind == rocev2.CMDrep}, ends)
}

// declaredByCM is what a REQ or REP says; private is the private data that is kept of the end
// already.
func declaredByCM(f *flow.Frame, m *rocev2.CM, private []byte) flow.Declared {
	t := flow.Declared{Captured: true, Whole: !m.Fault.Bad(), Frame: f.Ref(), Time: f.Time, CommID: m.LocalCommID, QPN: m.QPN}
	at := f.Link.Start() + f.IB.PayloadStart() // of the MAD in the frame
	if t.Whole {
		if t.PrivateData = private; !bytes.Equal(private, m.PrivateData) {
			t.PrivateData = bytes.Clone(m.PrivateData)
		}
		t.Private = flow.Place{Ref: f.Ref(), Offset: at + m.PrivateDataOffset, Length: len(m.PrivateData)}
	}
	term := func(key string, value int) flow.Term {
		offset, n := m.Kind.Bytes(key)
		if n == 0 || m.Fault.Bad() && m.Fault.Offset < offset+n {
			return flow.Term{}
		}
		return flow.Term{Value: value, Known: true, At: uint32(at + offset), Bytes: uint8(n)}
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
