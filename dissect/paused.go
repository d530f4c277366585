package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/pause"
)

// pauses is when the link was paused, and in which priority the frame goes that is taken.
type pauses struct {
	log      pause.Log
	priority uint8
	tagged   bool
}

// paused takes a frame that pauses a link, whoever it is for.
func (d *Dissector) paused(f *flow.Frame) {
	x, ok := f.Link.Pause(f.Data)
	if !ok {
		return
	}
	if d.pauses == nil {
		d.pauses = new(pauses)
	}
	d.pauses.log.Take(&x, flow.Moment{Ref: f.Ref(), Time: f.Time})
}

// see notes the priority of the frame that is taken.
func (p *pauses) see(f *flow.Frame) { p.priority, p.tagged = f.Link.Priority(f.Data) }

// deduct takes from the responder's time of an RPC that is answered what passed while the link was
// paused. By the tag of the reply, or since a pause is of the whole link, it is known to be that of
// the RPC.
func (d *Dissector) deduct(r *RPC) {
	if d.pauses == nil {
		return
	}
	t, kinds := &r.timing, pause.All
	if d.pauses.tagged {
		kinds = pause.Of(int(d.pauses.priority)) | pause.Of(pause.WholeLink)
	}
	t.paused, t.kinds = d.pauses.log.Within(r.Call.Last, r.Reply.First, kinds)
	t.ownPaused = d.pauses.tagged || t.kinds.Has(pause.WholeLink)
	n := min(t.paused, t.ns[PhaseServer])
	t.ns[PhaseServer] -= n
	t.ns[PhaseUnknown] += n
	t.orLost = t.orLost && t.ns[PhaseServer] > 0
}

// Paused is for how many nanoseconds of its latency the link was paused, see Parts.
func (r *RPC) Paused() int64 { return r.timing.paused }
