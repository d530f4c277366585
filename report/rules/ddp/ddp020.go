package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// longestPath is how many bytes the path of a READLINK may have that every NFS
// server must be able to return (RFC 1094, section 2).
const longestPath = 1024

func ddp020() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut), rules.SilentIf(rules.Protected).In("a")},
		Fields:      countFields(),
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnMessage(rules.WithChunks, message020), rules.OnRPC(rules.WithWrites, rpc020)},
	}
}

func message020(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if len(h.Reads)+len(h.Segments) == 0 || h.Fault.Bad() {
		return
	}
	if c.Sound(m) && m.Role() != dissect.RoleNone {
		geometry(c, report, m)
	}
}

func rpc020(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, _ := readingOf(c).eligibleResults(c, r)
	h := &r.Call.Header
	for i := range min(len(list), len(h.Writes)) {
		room := h.ChunkLength(h.Writes[i])
		need, doubt := list[i].count, ""
		if !list[i].counted && list[i].name == "READLINK" {
			need, doubt = longestPath, "READLINK does not say how long the path may be"
		}
		if room == 0 || room >= need {
			continue
		}
		if f := report.Part("a", r, r.Call, doubt); f != nil {
			f.Messagef("the %s offered %d bytes for a %s of up to %d bytes", c.Sender(r.Requester), room, list[i].name, need)
			f.See("bytes offered", room, "at least "+decimal(need))
			markWrite(f, r.Call, i)
		}
		return
	}
}
