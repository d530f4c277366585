package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// Fields of READ_PLUS and READ.
const (
	plusOffset   = "READ_PLUS4args.rpa_offset"
	plusCount    = "READ_PLUS4args.rpa_count"
	readOffset   = "READ4args.offset"
	plusContents = "READ_PLUS4res.rp_resok4.rpr_contents"
	plusEOF      = "READ_PLUS4res.rp_resok4.rpr_eof"
	plusData     = "READ_PLUS4res.rp_resok4.rpr_contents.rpc_data.d_data"
	plusHole     = "READ_PLUS4res.rp_resok4.rpr_contents.rpc_hole.di_length"
)

func ulb006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.NearEnd).In("c").Since("the reply"),
		},
		Fields: []string{plusContents, plusEOF, plusData, plusHole, plusOffset, plusCount, readOffset},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{onCompound(set(numbers.OpRead, numbers.OpReadPlus), compound006), rules.OnEnd(end006)},
	}
}

func compound006(c *rules.Conn, x *compound, report rules.Reporter) {
	asked(c, x)
	if !x.has.has(numbers.OpReadPlus) {
		return
	}
	r := x.rpc
	placed006(c, report, r)
	b := values.Walked(c, r.Reply)
	if b == nil {
		return
	}
	for i := values.Next(b, 0, numbers.OpReadPlus); i >= 0; i = values.Next(b, i+1, numbers.OpReadPlus) {
		const most = 2
		events := values.Within(b, i)
		e := all(c).contents.In(b, events)
		if e == nil {
			continue
		}
		if n := e.Value; n > most {
			if f := report.RPC("b", r, ""); f != nil {
				f.Messagef("READ_PLUS returned %d elements", n).See("rpr_contents", n, "at most 2")
				f.Body(r.Reply, b, int(e.Offset)-xdr.WordSize, xdr.WordSize)
			}
		}
		returned(c, r, x.call, b, i)
	}
}

// placed006 looks at where the first data element went.
func placed006(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	list := readingsOf(c).listOf(c, r)
	for i := range list {
		x := &list[i]
		if x.op != numbers.OpReadPlus || x.data() == 0 {
			continue
		}
		if x.item.Chunk >= 0 {
			if r.Reply.Header.Version != rpcrdma.Version1 {
				continue // its bindings are those of the draft
			}
			if f := report.RPC("d", r, ""); f != nil {
				f.Messagef("the server placed %d bytes of READ_PLUS in %s", x.data(), rpcrdma.WriteChunkName(int(x.item.Chunk)))
				f.WriteChunk(r.Reply, int(x.item.Chunk))
			}
			continue
		}
		room, unused := x.unused(r)
		if !unused {
			continue
		}
		if f := report.RPC("a", r, ""); f != nil {
			f.Messagef("the first data element of READ_PLUS, %d bytes, is not in %s, which has room for %d", x.data(), rpcrdma.WriteChunkName(x.order), room)
			f.See("data in "+rpcrdma.WriteChunkName(x.order), 0, x.data())
			f.Body(r.Reply, r.Reply.Body(), int(x.item.Offset), int(x.item.Length))
			f.WriteChunk(r.Reply, x.order)
		}
	}
}

// bytes006 is how many bytes of the file an element sequence reports.
func bytes006(b *dissect.Body, events []walk.Event, data, hole *values.Field) (n uint64) {
	for i := range events {
		if e := &events[i]; data.Is(b, e) || hole.Is(b, e) {
			n += e.Value
		}
	}
	return n
}
