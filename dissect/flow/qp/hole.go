package qp

import (
	"sort"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// gap is what is known of the frames that are missing before a half's next
// PSN. It is settled by whichever comes first: the missing frames, in time to
// be merely reordered or sent again; or the proof that the receiver has them.
type gap struct {
	time    int64         // time of the frame that showed it
	proven  order.Instant // when the peer had acknowledged all of it, if it has; where nothing is held
	acked   flow.Moment   // the frame that acknowledged all of it, if it was before time
	nakSeen bool          // the receiver said that it lacks frames
	resent  bool          // the sender went back and sends again
}

// heldWindow is order.ReorderWindow, at most, where frames after the missing one wait:
// they are needed, to tell what the peer's belong to. It is for captures that are out of
// order, see order.Window.
const heldWindow = 12

func (g *gap) nak() { g.nakSeen = true }

// hold keeps a request that came too early, at its place among the others that
// did, and returns how many PSNs are missing before it.
func (h *requester) hold(p *flow.Frame, at int) int {
	if len(h.held) == 0 {
		h.gap = gap{time: p.Time, nakSeen: h.gap.nakSeen}
	}
	from := h.next
	if at > 0 {
		from = h.after(&h.held[at-1].IB)
	}
	k := keep(h, p)
	k.before = h.answered(p.IB.PSN)
	if h.proves(p.IB.PSN) {
		k.proven = h.conn.Frames
		if len(h.held) == 0 {
			h.gap.acked = h.ackedBy
		}
	}
	h.held = append(h.held, nil)
	copy(h.held[at+1:], h.held[at:])
	h.held[at] = k
	h.heldSize += int32(k.cost())
	h.shared.Kept += k.cost()
	if at > 0 && h.held[at-1].IB.OpCode.Kind() == rocev2.KindReadRequest && h.held[at-1].IB.RETH() == 0 {
		return 0 // the snap length cut how many PSNs that takes
	}
	return max(0, int(rocev2.PSNDiff(p.IB.PSN, from)))
}

// proves reports whether what is missing before a PSN will not be sent any more:
// the receiver has it, or nobody asks for it, on an unreliable connection.
func (h *requester) proves(psn uint32) bool {
	return h.anyAck && rocev2.PSNDiff(h.acked, psn) >= -1 || h.unreliable()
}

// unreliable reports whether the network may lose packets of the half for good.
func (h *requester) unreliable() bool { return h.key.service == rocev2.TransportUC }

// unhold takes back the cost of a packet that waits no more.
func (h *requester) unhold(k *held) {
	h.heldSize -= int32(k.cost())
	h.shared.Kept -= k.cost()
}

// forgetHeld forgets all that waits.
func (h *requester) forgetHeld() {
	for i, k := range h.held {
		h.unhold(k)
		h.held[i] = nil
	}
	h.held = h.held[:0]
}

// after is the PSN that follows those which a request takes.
func (h *requester) after(ib *rocev2.Packet) uint32 {
	if mtu := h.conn.PathMTU; mtu > 0 && ib.OpCode.Kind() == rocev2.KindReadRequest {
		return rocev2.PSNAdd(ib.PSN, int(packets(ib.DMALen(), mtu)))
	}
	return rocev2.PSNAdd(ib.PSN, 1)
}

// findHeld is the place of a PSN in what is held, and whether it is there.
func (h *requester) findHeld(psn uint32) (at int, found bool) {
	at = sort.Search(len(h.held), func(i int) bool {
		return rocev2.PSNDiff(h.held[i].IB.PSN, psn) >= 0
	})
	return at, at < len(h.held) && h.held[at].IB.PSN == psn
}

// filled notes how the frame that a gap lacked came after all. Fresh says that it
// is not late in its file, but another is ahead.
func (h *requester) filled(p *flow.Frame, fresh bool) flow.Note {
	if len(h.held) == 0 {
		return flow.InOrder
	}
	since := 0
	if !fresh {
		since = h.sinceHeld(p)
	}
	before := h.sentBefore(p.IB.PSN)
	soon := p.Time-h.gap.time < order.ReorderDelay && len(h.held) <= order.ReorderWindow && !(before && h.wentBack(p))
	if fresh || since < 0 || since == 0 && !h.gap.nakSeen && !h.gap.resent && soon {
		h.conn.Reordered++
		return flow.Reordered
	}
	h.conn.Retransmissions++
	if before {
		return flow.Retransmission
	}
	h.conn.LostOnWire++
	return flow.LostOnWire
}

// drain processes what was held and is next now.
func (h *requester) drain() {
	for len(h.held) > 0 {
		k := h.held[0]
		d := rocev2.PSNDiff(k.IB.PSN, h.next)
		if d > 0 && uint32(d) > h.slack {
			return
		}
		copy(h.held, h.held[1:])
		h.held[len(h.held)-1] = nil
		h.held = h.held[:len(h.held)-1]
		h.unhold(k)
		if d >= 0 {
			h.belated, h.before = true, k.before
			h.accept(&k.Frame)
			h.belated = false
		}
	}
	h.gap = gap{}
	h.responsePSNs.passed(h.next)
}

// giveUp gives up on gaps whose frames will not come any more; with force, on
// all of them.
func (c *qpConn) giveUp(force bool) {
	for _, h := range c.requesters {
		if h != nil && h.lacks() {
			h.giveUp(force)
		}
	}
}

// lacks reports whether something may be missing of the half: whether there is
// anything to settle.
func (h *requester) lacks() bool {
	return h.reads.lacking > 0 || len(h.held) > 0 || h.anyAck && rocev2.PSNDiff(h.acked, h.next) >= 0
}

func (h *requester) giveUp(force bool) {
	if h.reads.lacking > 0 {
		h.giveUpReads(force)
	}
	if !h.known {
		return
	}
	for {
		// The gap is [h.next, end).
		end := rocev2.PSNAdd(h.acked, 1)
		if len(h.held) > 0 {
			end = h.held[0].IB.PSN
			if d := rocev2.PSNDiff(end, h.next); d <= 0 || uint32(d) <= h.slack {
				h.drain()
				continue
			}
		} else if d := rocev2.PSNDiff(h.acked, h.next); !h.anyAck || d < int32(h.slack) || d > maxPSNJump {
			return
		}
		at := h.provenAt()
		late := at != 0 && h.conn.Frames-at >= order.Window(&h.conn.Counters, h.conn.Mixed, heldWindow)
		if len(h.held) == 0 {
			late = h.gap.proven.LongAgo(order.Now(&h.conn.Conn), order.ReorderWindow)
		}
		if len(h.held) > 0 && h.held[0].LeftOut() {
			late = at != 0 // what was left out is not out of order
		}
		long := len(h.held) > order.MaxHeld || h.heldSize > order.MaxHeldSize
		if !late && !long && !force && h.shared.Kept <= h.shared.Limits.Kept {
			return
		}
		h.skip(end, (at != 0 || long) && !h.unreliable())
	}
}

// provenAt is the connection's frame count when it was proven that what the gap
// lacks will not be sent any more, 0 if it is not.
func (h *requester) provenAt() int64 {
	if len(h.held) > 0 {
		return h.held[0].proven
	}
	// Only an acknowledgement shows the gap.
	if h.gap.proven.Frames == 0 {
		h.gap.proven = order.Now(&h.conn.Conn)
	}
	return h.gap.proven.Frames
}

// skip goes on after a gap whose frames the capture lacks. They were delivered
// if the peer acknowledged them, or if the sender went on without them for long;
// where the capture just ends, nobody knows.
func (h *requester) skip(end uint32, delivered bool) {
	if delivered {
		from := h.next
		if h.sentBefore(from) {
			from = rocev2.PSNAdd(h.prior, 1)
		}
		lost := int64(rocev2.PSNDiff(end, from)) - int64(h.slack) - h.responsePSNs.between(from, end)
		h.conn.LostInCapture += max(0, lost)
	}
	if h.inWrite(end) {
		h.conn.AddHoleInData(h.end, h.afterHole())
	} else {
		h.conn.AddHole(h.end, h.afterHole())
	}
	h.broken("frames are missing from the capture")
	h.gap = gap{}
	h.next = end
	h.slack = 0
	h.drain()
}

// gaping reports whether the half, of which something may be missing, lacks packets
// so far: requests, since responses are its peer's.
func (h *requester) gaping() bool {
	next, slack := h.next, h.slack
	for _, k := range h.held {
		if d := rocev2.PSNDiff(k.IB.PSN, next); d > 0 && uint32(d) > slack {
			return true
		} else if d >= 0 {
			next, slack = h.after(&k.IB), 0
		}
	}
	d := rocev2.PSNDiff(h.acked, next)
	return h.known && h.anyAck && d >= int32(slack) && d <= maxPSNJump
}
