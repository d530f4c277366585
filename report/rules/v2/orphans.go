package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostOrphans is how many errors without a request are remembered on a connection.
const mostOrphans = 16

// An orphan is an RDMA2_ERROR that answers nothing which was known then: the request
// may be told behind it.
type orphan struct {
	from      flow.End
	xid       uint32
	frame     flow.Ref
	time      int64
	xidAt, at flow.Place // of rdma_xid and rdma_proc
}

// orphans are the first of a connection.
type orphans struct{ list []orphan }

func (o *orphans) add(m *dissect.Message) {
	if len(o.list) < mostOrphans {
		o.list = append(o.list, orphan{m.From, m.Header.XID, m.Frame(), m.Last, wordAt(m, rpcrdma.AtXID), wordAt(m, rpcrdma.AtProc)})
	}
}

// tell says what is still without a request when the connection is over.
func (o *orphans) tell(c *rules.Conn, say rules.Say, b *book) {
	for i := range o.list {
		x := &o.list[i]
		peer := x.from.Peer()
		if b.find(peer, x.xid) != nil || !c.WentOn(peer, x.frame, x.time) {
			continue
		}
		own := b.find(x.from, x.xid) != nil
		letter, at := "d", x.xidAt
		if own || !b.asks(peer) {
			letter, at = "e", x.at
		}
		f := say.Moment(letter, x.frame, x.time, &x.from, "")
		if f == nil {
			continue
		}
		f.XID, f.HasXID = x.xid, true
		switch {
		case own:
			f.Sayf("the %s sent an RDMA2_ERROR for %s, which it had sent itself", c.Sender(x.from), rules.Handle(x.xid))
		case letter == "e":
			f.Sayf("the %s sent an RDMA2_ERROR for %s, and the %s had sent nothing that can be answered", c.Sender(x.from), rules.Handle(x.xid), c.Sender(peer))
		default:
			f.Sayf("the %s sent an RDMA2_ERROR for %s, which no message of the %s has", c.Sender(x.from), rules.Handle(x.xid), c.Sender(peer))
		}
		f.See("rdma_xid", rules.Handle(x.xid), nil).At(at)
	}
}
