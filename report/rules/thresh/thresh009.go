package thresh

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
	"github.com/rdmacap/rdmacap/report/rules/size"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func thresh009() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-009", Title: "Reply chunk missing though the reply may not fit",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call has no Reply chunk, and the reply that it allows can be longer than the inline threshold: by the counts in its " +
			"arguments, or since it asks for something without a limit.",
		Why: "A server that has more to say than fits can only answer ERR_CHUNK, send more than the client takes, or drop the connection. " +
			"It has carried the call out by then.",
		Advice: "Let the client offer a Reply chunk for the largest reply. Look at READDIR with its maxcount, at bitmaps of attributes with " +
			"ACLs or fs_locations, and at READLINK.",
		Reference: "RFC 8166, sections 3.5.3 and 4.3.3; RFC 8267, section 3; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
			rules.DetailIf(rules.LostSince),
		},
		Limits: "A warning if nothing shows that a reply did not fit, and for what has no limit. The estimate is the least that the " +
			"arguments prove. Data that a Write chunk takes do not count. Security labels and lists of layout types have no limit " +
			"either, but are short in practice, and are left out.",
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(0, rpc009), rules.OnEnd(end009)},
		Fires: []rules.Sample{
			{Name: "READDIR of 32 KiB without a Reply chunk", Scene: `
				connect
				call 1 NFS3 READDIR count=32768
				    want THRESH-009 replychunk.flag
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "READDIR of version 2 without a Reply chunk", Scene: begin005 + `
				call 3 NFS4 COMPOUND [SEQUENCE PUTFH READDIR{maxcount=32768}]
				    want THRESH-009 replychunk.flag
				error 3 CANT_REPLY TRUE 0 32900
				disconnect`},
			{Name: "READ without a Write chunk, and the connection ends", Scene: `
				connect
				call 1 NFS3 READ count=65536
				    want THRESH-009 replychunk.flag
				disconnect server`},
			{Name: "READDIR whose replies fit", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH READDIR{maxcount=32768}]
				    want THRESH-009 replychunk.flag
				reply 1
				disconnect`},
			{Name: "an ACL", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH GETATTR{attr_request=[ACL]}]
				    want THRESH-009 replychunk.flag
				reply 1
				disconnect`},
			{Name: "a symbolic link without any chunk", Scene: `
				connect
				call 1 NFS3 READLINK
				    want THRESH-009 replychunk.flag
				reply 1 data=text(20)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the most that READDIR returns fits what the client announced", Scene: begin005 + `
				call 3 NFS4 COMPOUND [SEQUENCE PUTFH READDIR{maxcount=8000}]
				reply 3
				disconnect`},
			{Name: "the data go to a Write chunk", Scene: `
				connect
				call 1 NFS3 READ count=65536
				    write 0x801 65536
				reply 1 data=bytes(65536)
				disconnect`},
			{Name: "a Reply chunk is there", Scene: `
				connect
				call 1 NFS3 READDIR count=32768
				    replychunk 0x801 33000
				reply 1
				disconnect`},
			{Name: "the most that READ returns fits", Scene: `
				connect
				call 1 NFS3 READ count=3000
				reply 1 data=bytes(3000)
				disconnect`},
			{Name: "no threshold is known", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 READDIR count=32768
				error 2 ERR_CHUNK`},
		},
	}
}

// leastHeader is the shortest header of an RPC reply that was accepted, in octets.
const leastHeader = 24

// without is a call without a Reply chunk whose reply fitted all the same.
type without struct {
	rules.PastMessage
	count      int
	call, text string
}

func rpc009(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Call
	if m == nil || m.Header.HasReply && m.Header.ChunkLength(m.Header.Reply) > 0 || !c.Sound(m) || c.Opaque(r) {
		return
	}
	octets, unbounded := asks(size.Of(c.Capture), r.CallHeader(), r)
	needed := uint64(m.Header.LeastSize()) + writeList(&m.Header) + leastHeader + octets
	if unbounded == "" && needed <= rpcrdma.DefaultThreshold {
		return
	}
	l, known := setup.ReceivedOf(c).LimitAt(m.Header.Version, r.Requester.Peer(), m.Frame(), m.Last)
	if !known || unbounded == "" && needed <= uint64(l.Octets) {
		return
	}
	counted, k := needed > uint64(l.Octets), of(c)
	how := misfit(c, r, l.Octets)
	if how == "" {
		if fitted := rules.Some(&k.fitted); !fitted.Seen() {
			fitted.note(r, text009(needed, l.Octets, unbounded, counted))
		}
		k.fitted.count++
		return
	}
	k.failed = k.failed || counted
	as := rules.Warning
	if counted {
		as = rules.Error
	}
	if f := say.As(as).Part("", r, m, ""); f != nil {
		f.Sayf("%s; %s", text009(needed, l.Octets, unbounded, counted), how)
		f.See("Reply chunk", "none", "one").See("inline threshold", l.Octets, nil)
		f.ReplyChunk(m)
	}
}

func end009(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.fitted == nil || k.failed {
		return
	}
	fitted := k.fitted
	if f := say.As(rules.Warning).Past("", &fitted.PastMessage, ""); f != nil {
		f.Call = fitted.call
		f.Sayf("%s; nothing shows that a reply did not fit", fitted.text)
		f.See("Reply chunk", "none", "one").See("such calls", fitted.count, nil)
	}
}

// asks is the least that the longest reply needs, and what in it has no limit.
func asks(estimate *size.Estimate, h *rpc.Call, r *dissect.RPC) (octets uint64, unbounded string) {
	if h.Program == rpc.ProgramNFS && h.Version < 4 && h.Procedure == values.ProcReadlink && r.Call.Header.WriteLength(0) == 0 {
		return 0, "the text of a symbolic link"
	}
	octets, unbounded = estimate.Least(h, r)
	switch unbounded {
	case "the attribute fs_layout_types", "the attribute layout_types", "the attribute sec_label":
		unbounded = ""
	}
	return octets, unbounded
}

func text009(needed uint64, limit int, unbounded string, counted bool) string {
	if counted {
		return fmt.Sprintf("the reply may need %d octets, the threshold is %d, and the call has no Reply chunk", needed, limit)
	}
	return fmt.Sprintf("the call asks for %s, which has no limit, and has no Reply chunk; the threshold is %d", unbounded, limit)
}

// misfit says what shows that the reply to a call did not fit, "" if nothing does.
func misfit(c *rules.Conn, r *dissect.RPC, limit int) string {
	m := r.Reply
	switch {
	case m == nil:
		ended := c.Closing == flow.Terminated || c.Closing == flow.Reset || c.Closing == flow.Disconnected
		if ended && c.Whole(r.Call.Frame()) && c.LastTime-r.Call.Last <= int64(c.Capture.Config.Consequence) {
			return "the connection ended without a reply"
		}
	case !c.Sound(m):
	case m.Header.Version == rpcrdma.Version1 && m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.ErrChunk:
		return "it was answered with ERR_CHUNK"
	case m.Header.Version == rpcrdma.Version2 && m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.Err2CantReply:
		return "it was answered with RDMA2_ERR_CANT_REPLY"
	case m.Length > limit:
		return fmt.Sprintf("the reply has %d octets", m.Length)
	}
	return ""
}

// note remembers the first such call.
func (w *without) note(r *dissect.RPC, text string) {
	m := r.Call
	w.PastMessage, w.text = rules.PastPart(m, m.Header.ReplyAt(), xdr.WordSize), text
	w.call = string(r.AppendName(nil, r.Ops(nil)))
}
