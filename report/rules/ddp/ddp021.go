package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp021() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReplyChunk, rpc021)},
	}
}

// rpc021 looks for a reply that ends with its Reply chunk and within an item.
func rpc021(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Reply == nil || r.Reply.Transfer != dissect.Long || !r.Call.Header.HasReply {
		return
	}
	room, n := r.Call.Header.ChunkLength(r.Call.Header.Reply), r.Reply.Header.ChunkLength(r.Reply.Header.Reply)
	if n != room || len(r.Reply.Header.Writes) > 0 {
		return
	}
	b := readingOf(c).reply(c, r)
	if b == nil || b.Dropped || !b.Fault.Bad() || !b.Cut {
		return
	}
	if f := report.RPC("", r, ""); f != nil {
		f.Messagef("the reply fills the Reply chunk of %d bytes and ends in the middle of an item", n)
		f.See("bytes of the Reply chunk", n, "more").ReplyChunk(r.Call).With(r.Call.Frame())
	}
}
