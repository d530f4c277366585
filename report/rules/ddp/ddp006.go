package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.WithReads, message006)},
	}
}

func message006(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if len(h.Reads) < 2 || m.Role() != dissect.RoleCall || !c.Sound(m) {
		return
	}
	if i := descends(h); i >= 0 {
		if f := report.Message("", m, ""); f != nil {
			f.Messagef("the %s's Read list has Position %d after Position %d", c.Sender(m.From), h.Reads[i].Position, h.Reads[i-1].Position)
			f.See("position", h.Reads[i].Position, "at least "+decimal(uint64(h.Reads[i-1].Position)))
			f.Word(m, h.PositionAt(i))
		}
		return
	}
	if i := overlaps(h); i >= 0 {
		position, _ := h.ReadChunk(i)
		before, segments := h.ReadChunk(i - 1)
		if f := report.Message("", m, ""); f != nil {
			end := uint64(before) + sum(segments)
			f.Messagef("the %s's Read chunk at Position %d extends to %d, into the one at Position %d", c.Sender(m.From), before, end, position)
			f.See("position", position, "at least "+decimal(end))
			markPosition(f, m, position)
		}
	}
}

// descends is the index of the first Read segment whose Position is less than that
// of the one before it, -1 if there is none. Positions that come back are less, too.
func descends(h *rpcrdma.Header) int {
	for i := 1; i < len(h.Reads); i++ {
		if h.Reads[i].Position < h.Reads[i-1].Position {
			return i
		}
	}
	return -1
}

// overlaps is the index of the first Read chunk that begins within the one before
// it, -1 if there is none.
func overlaps(h *rpcrdma.Header) int {
	for i := 1; i < h.NumReadChunks(); i++ {
		before, segments := h.ReadChunk(i - 1)
		if position, _ := h.ReadChunk(i); before > 0 && uint64(before)+sum(segments) > uint64(position) {
			return i
		}
	}
	return -1
}

// sum is the number of bytes of segments.
func sum(segments []rpcrdma.ReadSegment) (n uint64) {
	for i := range segments {
		n += uint64(segments[i].Length)
	}
	return n
}
