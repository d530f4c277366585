package hdr

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr017() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.DetailIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Uncalled)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.WithWrites|rules.WithReplyChunk, rpc017)},
	}
}

// rpc017 finds chunks without segments on a call.
func rpc017(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Call.Header.Fault.Bad() {
		return
	}
	h := &r.Call.Header
	first, count := 0, 0 // of the empty Write chunks
	for i, w := range h.Writes {
		if w.Count == 0 {
			if count++; count == 1 {
				first = i
			}
		}
	}
	reply := h.HasReply && h.Reply.Count == 0
	if count == 0 && !reply {
		return
	}
	what, followed := emptyChunks(count, reply), metWith(c, r)
	if followed != "" {
		report = report.As(finding.Warning).Key(what)
	}
	if f := report.Part("", r, r.Call, ""); f != nil {
		f.Messagef("the call has %s, which is legal%s", what, followed)
		f.See("Write chunks without segments", count, nil).See("Reply chunk without segments", reply, nil)
		if count > 0 {
			f.Word(r.Call, h.WriteCountAt(first))
		} else {
			f.Word(r.Call, h.ReplyCountAt())
		}
	}
}

// emptyChunks names the chunks of a call that have no segments.
func emptyChunks(writes int, reply bool) string {
	var all []string
	switch writes {
	case 0:
	case 1:
		all = append(all, "a Write chunk")
	default:
		all = append(all, fmt.Sprintf("%d Write chunks", writes))
	}
	if reply {
		all = append(all, "a Reply chunk")
	}
	return strings.Join(all, " and ") + " without segments"
}

// metWith says how a call failed, or is empty: by an RDMA_ERROR, or by the end of the connection while it
// was open.
func metWith(c *rules.Conn, r *dissect.RPC) string {
	responder := r.Requester.Peer()
	switch {
	case r.Reply != nil && r.Reply.Header.Proc == rpcrdma.RDMAError && r.Reply.Header.Error != rpcrdma.ErrVers:
		return "; the " + c.Sender(responder) + " refused it with " + r.Reply.Header.ErrorName()
	case r.Unreplied() && c.Closing != flow.Open && c.Closing != flow.Replaced && !c.OneDirection() && !c.LostOf(responder, r.Call.Frame()) && c.Called(r):
		return "; the connection ended before it was answered"
	}
	return ""
}
