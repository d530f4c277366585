// Package memory judges the RDMA operations of a connection by the memory that its
// calls advertised: which segment is live, until when another was, and what an
// operation may therefore do. The Ledger of the connection has the segments. The rules
// about chunks, invalidation and exposure share one Judge, which reports the operations
// that nothing allows once no call that is late or missing can excuse them.
//
//	Call ──advertises──> Region, live ──Reply, RDMA_ERROR, Send With Invalidate──> Region, over
//	                         ^                                                        ^
//	RDMA Read, RDMA Write ───┴── Ledger.Find: fits, other range, wrong direction, too late, never
//	                                       └── Judge ──waits for the owner──> violation
package memory

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostSame is how many grants of one handle are gone through.
const mostSame = 16

// A AdvertisedSegment is a segment that a call advertised, live or over.
type AdvertisedSegment = rpcrdma.Region

// An Ending says how a grant ended.
type Ending = rpcrdma.Ending

const (
	Live        = rpcrdma.Live
	Replied     = rpcrdma.Replied
	Failed      = rpcrdma.Failed
	Invalidated = rpcrdma.Invalidated
	Forgotten   = rpcrdma.Forgotten
)

// A Ledger is that of a connection, which is asked what an operation is to the grants there.
type Ledger rpcrdma.Ledger

// Of is the Ledger of a connection.
func Of(c *rules.Conn) *Ledger { return (*Ledger)(c.Ledger()) }

// Newest is the grant that was entered last for a handle, nil if none is known.
func (b *Ledger) Newest(handle uint32) *AdvertisedSegment { return (*rpcrdma.Ledger)(b).Newest(handle) }

// Advertised counts all that the calls of the connection advertised.
func (b *Ledger) Advertised() int64 { return (*rpcrdma.Ledger)(b).Advertised() }

// RPCOf is the RPC that a grant is of, nil if it is over.
func RPCOf(g *AdvertisedSegment) *dissect.RPC {
	if o := g.Offer(); o != nil {
		if r, is := o.Owner.(*dissect.RPC); is {
			return r
		}
	}
	return nil
}

// CallOf is the call that a grant is of, nil if its RPC is over.
func CallOf(g *AdvertisedSegment) *dissect.Message {
	if r := RPCOf(g); r != nil {
		return r.Call
	}
	return nil
}
