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
// may be told after it.
type orphan struct {
	rules.PastMessage
	xidAt, at flow.Place // of rdma_xid and rdma_proc
}

// orphans are the first of a connection.
type orphans struct{ list []orphan }

func (o *orphans) addOrphan(m *dissect.Message) {
	if len(o.list) < mostOrphans {
		o.list = append(o.list, orphan{rules.Past(m), wordAt(m, rpcrdma.AtXID), wordAt(m, rpcrdma.AtProc)})
	}
}

// report says what is still without a request when the connection is over.
func (o *orphans) report(c *rules.Conn, report rules.Reporter, b *pastRequests) {
	for i := range o.list {
		x := &o.list[i]
		peer := x.From.Peer()
		if b.findRequest(peer, x.XID) != nil || !c.WentOn(peer, x.Moment) {
			continue
		}
		doubt, ok := c.Lacking(peer, x.Ref, 1)
		if !ok {
			continue
		}
		own := b.findRequest(x.From, x.XID) != nil
		letter, at := "d", x.xidAt
		if own || !b.asks(peer) {
			letter, at = "e", x.at
		}
		f := report.Past(letter, &x.PastMessage, doubt)
		if f == nil {
			continue
		}
		switch {
		case own:
			f.Messagef("the %s sent an RDMA2_ERROR for XID %s, which it had sent itself", c.Sender(x.From), rules.Handle(x.XID))
		case letter == "e":
			f.Messagef("the %s sent an RDMA2_ERROR for XID %s, but the %s had sent nothing that can be answered", c.Sender(x.From), rules.Handle(x.XID), c.Sender(peer))
		default:
			f.Messagef("the %s sent an RDMA2_ERROR for XID %s, which no message of the %s has", c.Sender(x.From), rules.Handle(x.XID), c.Sender(peer))
		}
		f.See("rdma_xid", rules.Handle(x.XID), nil).At(at)
	}
}
