package flow

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// route is a direction between two addresses, whatever the queue pair.
type route struct {
	src, dst link.Addr
	service  rocev2.Transport
}

func (h *half) route() route { return route{h.key.src, h.key.dst, h.key.service} }

// back is the opposite direction.
func (r route) back() route { return route{r.dst, r.src, r.service} }

// maxLonely bounds the halves of one route among which a packet looks for its
// other direction. There is room for all that wait.
const maxLonely = 2 * maxWaiting

// alone enters a half whose other direction is not known.
func (t *Tracker) alone(h *half) {
	r := h.route()
	if list := t.lonely[r]; !h.lonely && len(list) < maxLonely {
		h.lonely, h.lonelyAt = true, len(list)
		t.lonely[r] = append(list, h)
	}
}

// taken removes a half that has found its other direction, or has ended.
func (t *Tracker) taken(h *half) {
	h.votes, h.said = nil, said{}
	if !h.lonely {
		return
	}
	r := h.route()
	list := t.lonely[r]
	last := len(list) - 1
	list[h.lonelyAt] = list[last]
	list[h.lonelyAt].lonelyAt = h.lonelyAt
	list[last] = nil
	h.lonely = false
	if last == 0 {
		delete(t.lonely, r)
		return
	}
	t.lonely[r] = list[:last]
}
