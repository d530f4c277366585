package credit

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostPairs is how many pairs of hosts are remembered.
const mostPairs = 4096

// ended knows which hosts had a connection of RPC-over-RDMA that is over, and when
// the first of them ended, in nanoseconds since 1970.
type ended struct {
	at     map[hosts]int64
	grants grants // CREDIT-012
}

// endedSlot is where CrossConnection keeps it.
const endedSlot = rules.CrossSlot[ended](rules.KeepsCREDIT)

// hosts are a client and a server.
type hosts struct{ client, server link.Addr }

// before reports whether a connection began after another of the same hosts had
// ended. It is to be asked once, when the connection is over, and notes that.
func (x *ended) before(c *rules.Conn) bool {
	if !c.RPCRDMA() {
		return false
	}
	h := hosts{c.Client().Addr, c.Server().Addr}
	at, known := x.at[h]
	if x.at == nil {
		x.at = make(map[hosts]int64)
	}
	if known || len(x.at) < mostPairs {
		x.at[h] = c.LastTime
		if known {
			x.at[h] = min(at, c.LastTime)
		}
	}
	return known && at <= c.FirstTime
}
