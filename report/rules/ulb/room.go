package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// cbGetattrRequest are the attributes that a server asks for.
const cbGetattrRequest = "CB_GETATTR4args.attr_request"

// replyRoom is how many octets of results fit in a reply to the call: inline or in
// the Reply chunk, whichever is more. It is known only with the inline threshold.
func replyRoom(c *rules.Conn, r *dissect.RPC) (octets uint64, known bool) {
	t, known := c.Thresholds()
	inline := t.ToClient
	if r.Reverse() {
		inline = t.ToServer
	}
	reply, _ := room(&r.Call.Header)
	return max(reply, uint64(max(0, inline-rpcrdma.LeastSize))), known
}
