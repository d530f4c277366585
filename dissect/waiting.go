package dissect

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/list"
)

// openCalls are the calls of one end of a connection that have no reply so far. While frames are missing from the
// capture a reply may be among them, and then its call would be open until its XID is used again.
type openCalls struct {
	// sure are those to which no reply was lost in the capture as far as that shows, by age; doubtful is how many
	// others there are.
	sure     list.List[RPC]
	doubtful int
	// holes are flow.Gaps.SendHolesOf the peer that were looked at.
	holes int64
}

// pushSure takes a call.
func (o *openCalls) pushSure(r *RPC) { o.sure.Push(&r.waits, r) }

// remove takes one out.
func (o *openCalls) remove(r *RPC) {
	if r.waits.Value != nil {
		o.sure.Remove(&r.waits)
	} else {
		o.doubtful--
	}
}

// all is how many there are.
func (o *openCalls) all() int { return o.sure.N + o.doubtful }

// doubt takes those that were sent before the latest hole in what the peer sent from the sure ones.
func (o *openCalls) doubt(hole flow.Ref) {
	for r := o.sure.Oldest(); r != nil; r = o.sure.Oldest() {
		if call := r.Call.Frame(); hole.File == call.File && hole.Number <= call.Number {
			return
		}
		o.sure.Remove(&r.waits)
		o.doubtful++
	}
}

// setBack is how far behind the newest frame the time of a call may be, in nanoseconds, before it counts as that of a
// clock that was set back meanwhile.
const setBack = int64(10 * time.Second)

// since is from when on a call waits that was just told, in nanoseconds since 1970; 0 if that is not known.
func (d *Dissector) since(r *RPC) int64 {
	if newest := d.Newest(); newest-r.Call.Last > setBack && r.Call.Last != 0 {
		return newest
	}
	return r.Call.Last
}

// Waiting is how many calls of an end wait for their replies, and since when the oldest does: when its last frame was
// captured, in nanoseconds since 1970, 0 if there is none or its time is not known. It is for who judges by that, and so
// leaves out of what Outstanding counts those whose replies the capture may lack: sent before a hole in what the peer
// sent, while such frames are missing that may still come, or where only one direction was captured. Nothing waits on a
// connection that has ended. It is to be asked while a Sink receives something, and costs the same however many
// calls are open.
func (c *Connection) Waiting(requester flow.End) (n int, since int64) {
	o, peer := &c.open[requester&1], requester.Peer()
	if o.sure.N == 0 {
		return 0, 0
	}
	if holes := c.SendHolesOf(peer); holes != o.holes {
		if o.holes = holes; holes > 0 {
			o.doubt(c.LastSendHoleOf(peer).Ref)
		}
	}
	r := o.sure.Oldest()
	if r == nil || c.Closing != flow.Open || c.OneWay() || c.GapOf(peer) {
		return 0, 0
	}
	return o.sure.N, r.since
}
