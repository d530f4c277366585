package flow

import (
	"sort"

	"github.com/rdmacap/rdmacap/rocev2"
)

// gap is what is known of the frames that are missing before a half's next
// PSN. It is settled by whichever comes first: the missing frames, in time to
// be merely reordered or sent again; or the proof that the receiver has them.
type gap struct {
	since    int64 // frame count of the connection when it was noticed
	time     int64 // time of the frame that showed it
	provenAt int64 // frame count when the peer had acknowledged all of it, 0 if not yet
	naked    bool  // the receiver said that it lacks frames
	resent   bool  // the sender went back and sends again
	ghosts   int   // PSNs in it that READ responses carried: their request is one frame
}

// Limits of patience with a gap.
const (
	// reorderWindow is how many frames of the connection a missing frame may
	// come late once it was acknowledged.
	reorderWindow = 64
	// maxHeld and maxHeldOctets bound what waits behind a gap.
	maxHeld       = 512
	maxHeldOctets = 4 << 20
	// reorderDelay is how late, in nanoseconds, a frame may come and still
	// count as reordered rather than sent again.
	reorderDelay = 10_000_000
)

func (g *gap) nak() { g.naked = true }

// hold keeps a request that came too early and returns how many PSNs are
// missing before it.
func (h *half) hold(p *packet) int {
	from := h.next
	if n := len(h.held); n > 0 {
		from = rocev2.PSNAdd(h.held[n-1].ib.PSN, 1)
	} else {
		h.gap = gap{since: h.conn.Frames, time: p.time, naked: h.gap.naked, ghosts: h.gap.ghosts}
	}
	k := keep(h, p)
	at := sort.Search(len(h.held), func(i int) bool {
		return rocev2.PSNDiff(h.held[i].ib.PSN, p.ib.PSN) > 0
	})
	h.held = append(h.held, nil)
	copy(h.held[at+1:], h.held[at:])
	h.held[at] = k
	h.heldSize += len(k.ib.Octets)
	return max(0, int(rocev2.PSNDiff(p.ib.PSN, from)))
}

func (h *half) isHeld(psn uint32) bool {
	for _, k := range h.held {
		if k.ib.PSN == psn {
			return true
		}
	}
	return false
}

// filled notes how the frame that a gap lacked came after all.
func (h *half) filled(p *packet) Note {
	if len(h.held) == 0 {
		return InOrder
	}
	if !h.gap.naked && !h.gap.resent && p.time-h.gap.time < reorderDelay && len(h.held) <= reorderWindow {
		h.conn.Reordered++
		return Reordered
	}
	h.conn.Retransmissions++
	h.conn.LostOnWire++
	return LostOnWire
}

// drain processes what was held and is next now.
func (h *half) drain() {
	for len(h.held) > 0 {
		k := h.held[0]
		d := rocev2.PSNDiff(k.ib.PSN, h.next)
		if d > 0 && uint32(d) > h.slack {
			return
		}
		copy(h.held, h.held[1:])
		h.held[len(h.held)-1] = nil
		h.held = h.held[:len(h.held)-1]
		h.heldSize -= len(k.ib.Octets)
		if d >= 0 {
			h.accept(&k.packet)
		}
	}
	h.gap = gap{}
}

// settle gives up on gaps whose frames will not come any more; with force, on
// all of them.
func (c *Conn) settle(force bool) {
	for _, h := range c.halves {
		if h != nil && h.known && (len(h.held) > 0 || h.anyAck && rocev2.PSNDiff(h.acked, h.next) >= 0) {
			h.settle(force)
		}
	}
}

func (h *half) settle(force bool) {
	for h.known {
		// The gap is [h.next, end).
		end := rocev2.PSNAdd(h.acked, 1)
		if len(h.held) > 0 {
			end = h.held[0].ib.PSN
		} else if !h.anyAck || rocev2.PSNDiff(h.acked, h.next) < 0 || rocev2.PSNDiff(h.acked, h.next) > farAway {
			return
		}
		proven := h.anyAck && rocev2.PSNDiff(h.acked, end) >= -1 || h.key.service == rocev2.TransportUC
		if proven && h.gap.provenAt == 0 {
			h.gap.provenAt = h.conn.Frames
		}
		late := proven && h.conn.Frames-h.gap.provenAt >= reorderWindow
		full := len(h.held) > maxHeld || h.heldSize > maxHeldOctets
		if !late && !full && !force {
			return
		}
		h.skip(end, proven || full)
	}
}

// skip goes on behind a gap whose frames the capture lacks. They were delivered
// if the peer acknowledged them, or if the sender went on without them for long;
// where the capture just ends, nobody knows.
func (h *half) skip(end uint32, delivered bool) {
	lost := int64(rocev2.PSNDiff(end, h.next))
	if g := int64(h.gap.ghosts); g > 0 && g <= lost {
		lost -= g - 1 // one READ request stands for all its responses' PSNs
	}
	if delivered {
		h.conn.LostInCapture += lost
	}
	h.broken("frames are missing from the capture")
	h.gap = gap{}
	h.next = end
	h.slack = 0
	h.drain()
}
