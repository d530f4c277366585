package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Fields:      countFields(),
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc010)},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, _ := s.eligibleResults(c, r)
	h := &r.Call.Header
	for i := range min(len(list), len(h.Writes)) {
		if !list[i].counted || list[i].count%4 == 0 {
			continue
		}
		room := h.ChunkLength(h.Writes[i])
		if room <= list[i].count || room-list[i].count > 4 {
			continue
		}
		if f := report.Part("", r, r.Call, ""); f != nil {
			f.Messagef("the %s offered %d bytes for a %s of at most %d bytes", c.Sender(r.Requester), room, list[i].name, list[i].count)
			f.See("bytes offered", room, list[i].count)
			f.Word(r.Call, h.SegmentAt(h.Writes[i].First+h.Writes[i].Count-1)+rpcrdma.SegmentLength)
		}
		return
	}
}
