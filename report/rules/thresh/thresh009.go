package thresh

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

func thresh009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Client), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.Lossy.From(rules.Client)).Of("messages of version 2"),
			rules.DetailIf(rules.BeganLate, rules.LostSince),
		},
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(0, rpc009), rules.OnEnd(end009)},
	}
}

// leastHeader is the shortest header of an RPC reply that was accepted, in bytes.
const leastHeader = 24

// without is a call without a Reply chunk whose reply fitted all the same.
type without struct {
	rules.PastMessage
	count      int
	call, text string
	doubt      string // of the limit
}

func rpc009(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Call
	if m == nil || m.Header.HasReply && m.Header.ChunkLength(m.Header.Reply) > 0 || !c.Sound(m) || c.Opaque(r) {
		return
	}
	length, unbounded := asks(size.Of(c.Capture), r.CallHeader(), r)
	needed := uint64(m.Header.LeastSize()) + writeList(&m.Header) + leastHeader + length
	if unbounded == "" && needed <= rpcrdma.DefaultThreshold {
		return
	}
	l, known := setup.ReceivedOf(c).LimitAt(m.Header.Version, r.Requester.Peer(), m.Frame(), m.Last)
	if !known && m.Header.Version == rpcrdma.Version1 {
		l, known = setup.MostOf(c, r.Requester.Peer())
	}
	if !known || unbounded == "" && needed <= uint64(l.Bytes) {
		return
	}
	counted, k := needed > uint64(l.Bytes), state.Of(c)
	how := misfit(c, r, l.Bytes)
	if how == "" {
		if fitted := rules.Some(&k.fitted); !fitted.Seen() {
			fitted.note(r, text009(needed, l.Bytes, unbounded, counted))
			fitted.doubt = l.Doubt
		}
		k.fitted.count++
		return
	}
	k.failed = k.failed || counted
	as := finding.Warning
	if counted {
		as = finding.Error
	}
	if f := report.As(as).Part("", r, m, l.Doubt); f != nil {
		f.Messagef("%s; %s", text009(needed, l.Bytes, unbounded, counted), how)
		f.See("Reply chunk", "none", "one").See("inline threshold", l.Bytes, nil)
		f.ReplyChunk(m)
	}
}

func end009(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.fitted == nil || k.failed {
		return
	}
	fitted := k.fitted
	if f := report.As(finding.Warning).Past("", &fitted.PastMessage, fitted.doubt); f != nil {
		f.Call = fitted.call
		f.Messagef("%s; nothing shows that a reply did not fit", fitted.text)
		f.See("Reply chunk", "none", "one").See("such calls", fitted.count, nil)
	}
}

// asks is the least that the longest reply needs, and what in it has no limit.
func asks(estimate *size.Estimate, h *rpc.Call, r *dissect.RPC) (length uint64, unbounded string) {
	if h.Program == rpc.ProgramNFS && h.Version < 4 && h.Procedure == numbers.ProcReadlink && r.Call.Header.WriteLength(0) == 0 {
		return 0, "the text of a symbolic link"
	}
	length, unbounded = estimate.Least(h, r)
	switch unbounded {
	case "the attribute fs_layout_types", "the attribute layout_types", "the attribute sec_label":
		unbounded = ""
	}
	return length, unbounded
}

func text009(needed uint64, limit int, unbounded string, counted bool) string {
	if counted {
		return fmt.Sprintf("the reply may need %d bytes, the threshold is %d bytes, and the call has no Reply chunk", needed, limit)
	}
	return fmt.Sprintf("the call requests %s, which has no limit, and has no Reply chunk; the threshold is %d bytes", unbounded, limit)
}

// misfit says what shows that the reply to a call did not fit, "" if nothing does.
func misfit(c *rules.Conn, r *dissect.RPC, limit int) string {
	m := r.Reply
	switch {
	case m == nil:
		ended := c.Closing == flow.Terminated || c.Closing == flow.Reset || c.Closing == flow.Disconnected
		if ended && !c.OneDirection() && !c.LostOf(r.Requester.Peer(), r.Call.Frame()) && c.LastTime-r.Call.Last <= int64(c.Capture.Config.Consequence) {
			return "the connection ended without a reply"
		}
	case !c.Sound(m):
	case m.Header.Version == rpcrdma.Version1 && m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.ErrChunk:
		return "it was answered with ERR_CHUNK"
	case m.Header.Version == rpcrdma.Version2 && m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.Err2CantReply:
		return "it was answered with RDMA2_ERR_CANT_REPLY"
	case m.Length > limit:
		return fmt.Sprintf("the reply has %d bytes", m.Length)
	}
	return ""
}

// note remembers the first such call.
func (w *without) note(r *dissect.RPC, text string) {
	m := r.Call
	w.PastMessage, w.text = rules.PastPart(m, m.Header.ReplyAt(), xdr.WordSize), text
	w.call = string(r.AppendName(nil, r.Ops(nil)))
}
