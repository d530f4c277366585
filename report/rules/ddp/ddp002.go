package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc002)},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, ok := s.eligibleResults(c, r)
	if !ok {
		return
	}
	h := &r.Call.Header
	for i := 0; i < len(h.Writes) && len(list) == 0; i++ {
		room := h.ChunkLength(h.Writes[i])
		if room == 0 {
			continue
		}
		if f := report.Part("a", r, r.Call, ""); f != nil {
			f.Messagef("the %s offered a Write chunk of %d bytes in a call that has no DDP-eligible result", c.Sender(r.Requester), room)
			f.See("bytes offered", room, 0)
			markWrite(f, r.Call, i)
		}
		break
	}
	if m := r.Reply; c.Sound(m) && m.HasRPC && !s.checker.Resent(r) && !m.ReplyHeader.Denied && m.ReplyHeader.Accept == rpc.Success {
		h, b := &m.Header, s.reply(c, r)
		for i := len(list); i < len(h.Writes); i++ {
			used := h.ChunkLength(h.Writes[i])
			if used == 0 || b != nil && chunkItem(b, i) != nil {
				continue // unused, or used in place of one before it (ULB-001)
			}
			if f := report.Part("b", r, m, ""); f != nil {
				eligible := "no result of the call is DDP-eligible"
				if len(list) > 0 {
					eligible = "the call has only " + field.Counted(len(list), "DDP-eligible result")
				}
				f.Messagef("the %s returned %d bytes in %s, but %s", c.Sender(m.From), used, rpcrdma.WriteChunkName(i), eligible)
				f.See("bytes returned", used, 0).See("eligible results", len(list), nil)
				markWriteLengths(f, m, i)
			}
			break
		}
	}
}
