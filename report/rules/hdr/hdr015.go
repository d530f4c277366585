package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr015() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-015", Title: "Faulty call not answered by an error",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A responder had to refuse a call with an RDMA_ERROR, because of its version, its XDR, its XID or a missing " +
			"carrier. It replied as if nothing were wrong, or said nothing while it answered later calls.",
		Why: "A responder that replies has guessed what the call meant. One that says nothing leaves the RPC " +
			"hanging until its timer fires, and keeps the credit.",
		Advice: "First mend the call, of which the finding that caused this one tells. Then look at the responder's parser: " +
			"each way out of it has to send an RDMA_ERROR or close the connection.",
		Reference: "RFC 8166, sections 4.5, 4.5.1 and 4.5.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.Unpaired, rules.Uncalled),
			rules.LikelyIf(rules.LostSince),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.NearEnd).Of("a missing answer"),
			rules.SilentIf(rules.BeganLate, rules.Lossy, rules.Disordered).Of("a missing answer to an undefined version"),
		},
		Limits: "A runt has to be dropped, so it is not asked for. Silent about a missing answer where no later call was answered, or " +
			"if the connection ended soon. A normal reply to a call that is wrong only in its XID is a note: a responder may go by " +
			"the header. Calls of version 2 are V2-007's.",
		Causes: []string{"HDR-002a", "HDR-003", "HDR-006", "HDR-004"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{onOdd(odd015), rules.OnJudged(rules.Malformed|rules.WithoutInline|rules.OtherXID, judged015), rules.OnEnd(end015)},
		Fires: []rules.Sample{
			{Name: "a call without a carrier gets a reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc NOMSG
				    payload none
				    want HDR-006a
				reply 1
				    want HDR-015
				disconnect`},
			{Name: "a call that cannot be decoded gets nothing", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				    want HDR-015
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "a call of version 9 gets nothing", Scene: `
				connect
				call 1 NFS3 GETATTR
				    vers 9
				    want HDR-002a
				    want HDR-015
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "a call with another XID inside gets a reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				    rpc xid=0x7777
				    want HDR-004
				reply 1
				    want HDR-015
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "version 9 is refused", Scene: `
				connect
				call 1 NFS3 GETATTR
				    vers 9
				    want HDR-002a
				error 1 ERR_VERS 1 1
				    vers 9
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "version 2 gets no answer, but is defined", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "a call of version 2 gets a reply of version 1, which is HDR-002's", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				reply 1
				    version 1
				    want HDR-002b
				disconnect`},
			{Name: "the answer may come behind the end of the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				call 2 NFS3 GETATTR
				reply 2`},
			{Name: "nothing was answered since", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				wait 5s
				call 2 NFS3 GETATTR`},
			{Name: "it is refused", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				error 1 ERR_CHUNK
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "the server closes the connection instead", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				call 2 NFS3 GETATTR
				reply 2
				wait 1500ms
				disconnect server`},
			{Name: "the frame of the answer may be lost", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				error 1 ERR_CHUNK
				    drop
				call 2 NFS3 GETATTR
				reply 2
				wait 5s
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
		},
	}
}

func judged015(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil {
		return
	}
	why, only := refusable(c, r)
	if why == "" || !c.Called(r) {
		return
	}
	if m := r.Reply; m == nil {
		unanswered(c, say, rules.Past(r.Call), why)
	} else if m.Header.Proc != rpcrdma.RDMAError && !m.Header.Fault.Bad() && c.Paired(r) {
		s := say
		if only {
			s = say.As(rules.Note)
		}
		if f := s.Part("", r, m, c.Doubt(r.Call.Frame(), false)); f != nil {
			f.Sayf("the %s replied to a call with %s", c.Sender(m.From), why)
			f.See("answer", m.Header.Proc.String(), "RDMA_ERROR").With(r.Call.Frames...).Word(m, rpcrdma.AtProc)
		}
	}
}

func end015(c *rules.Conn, say rules.Say) {
	for s := range c.History().Unpaired().All() {
		// It may be an answer itself, to a reverse call that is missing.
		if s.Version != rpcrdma.Version2 && !s.Answered() && s.From == c.ClientEnd && c.AllCaptured() {
			call := rules.PastMessage{Moment: flow.Moment{Ref: s.Frame, Time: s.Time}, From: s.From, XID: s.XID}
			unanswered(c, say, call, "an undefined version")
		}
	}
}

// refusable says why the responder had to refuse the call of an RPC, "" if it had
// not; only is that nothing is wrong but the XID.
func refusable(c *rules.Conn, r *dissect.RPC) (why string, only bool) {
	switch {
	case r.Call.Header.Version != rpcrdma.Version1:
		return "", false
	case illegal(c, r.Call) != "":
		return "a header that cannot be decoded", false
	case uncarried(r.Call) != "":
		return "no chunk for its RPC message", false
	case otherXID(r):
		return "another XID in its RPC message", true
	}
	return "", false
}

// unanswered tells of a call that got nothing although later ones were answered.
func unanswered(c *rules.Conn, say rules.Say, call rules.PastMessage, why string) {
	later := c.History().AnsweredCall(call.From)
	if later.Compare(call.Ref) <= 0 || !c.Whole(call.Ref) || c.EndGuard(call.Time) {
		return
	}
	if c.LastTime-call.Time <= int64(c.Capture.Config.Consequence) {
		return // its end may be the answer, also if that is not in the capture
	}
	if f := say.NoAnswer("", &call, ""); f != nil {
		f.Sayf("the %s did not answer a call with %s, but later ones", c.Sender(call.From.Peer()), why)
		f.See("answer", "none", "RDMA_ERROR").With(later)
	}
}

// A message of another version is in no RPC.
func odd015(c *rules.Conn, x *odd, say rules.Say) {
	m := (*dissect.Message)(x)
	asked := m.Request()
	if asked == nil || asked.Failed || asked.Version == rpcrdma.Version2 || !m.Answer || m.Header.Fault.Bad() {
		return
	}
	if f := say.Message("", m, ""); f != nil {
		f.Sayf("the %s replied to a call of version %d", c.Sender(m.From), asked.Version)
		f.See("answer", m.Header.Proc.String(), "RDMA_ERROR").With(asked.Frame).Word(m, rpcrdma.AtProc)
	}
}
