package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func sec001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut), rules.LikelyIf(rules.BeganLate).In("b"), rules.SilentOrLikelyIf(rules.LostSince.From(rules.Responder)).In("b"), rules.DetailIf(rules.JustBegun, rules.OneDirection, rules.Disordered)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{rules.OnMessage(rules.WithChunks, message001), rules.OnRPC(rules.WithChunks, rpc001)},
	}
}

// reusedKeys remembers how often a handle came unchanged. Handles of adapters have an
// upper part that names the registration and a low byte that each new use of it
// changes.
type reusedKeys struct {
	unused  []key           // that are not in use
	keys    map[uint32]*key // by the upper part
	finding *rules.Finding  // the newest, about the handle that came most often, in so many calls
	most    int
}

type key struct {
	rpcrdma.Segment
	calls int
	xid   uint32
}

const (
	mostKeys = 1024 // registrations that are remembered at a time
	newKeys  = 4    // that are made at once
)

// pad is the longest segment that may be a Linux client's for XDR pads, in bytes.
const pad = 4

func message001(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || m.Header.Fault.Bad() {
		return
	}
	k := state.Of(c)
	for s, at := range segments(m) {
		if s.Length <= pad {
			continue
		}
		k.reusedKeys.segment(c, m, s.Segment, at, report)
	}
}

func (w *reusedKeys) segment(c *rules.Conn, m *dissect.Message, s rpcrdma.Segment, at int, report rules.Reporter) {
	upper := s.Handle >> 8
	if w.keys == nil {
		w.keys = make(map[uint32]*key)
	}
	k := w.keys[upper]
	if k == nil {
		if len(w.keys) >= mostKeys {
			clear(w.keys) // what lasts will be back
		}
		if len(w.unused) == 0 {
			w.unused = make([]key, newKeys)
		}
		k, w.unused = &w.unused[0], w.unused[1:]
		w.keys[upper] = k
	}
	if k.Handle != s.Handle || k.Offset != s.Offset {
		*k = key{Segment: s}
	}
	if k.calls > 0 {
		if k.xid == m.Header.XID {
			return
		}
		switch before(c, m.Frame(), s.Handle) {
		case memory.Replied, memory.Failed:
		case memory.Invalidated:
			*k = key{Segment: s} // it is a new registration, whatever its handle
		default:
			return // the end of its RPC was not captured so far
		}
	}
	k.calls, k.xid = k.calls+1, m.Header.XID
	if k.calls <= c.Capture.Config.KeyUses {
		return
	}
	f := report.Message("a", m, "")
	switch {
	case f != nil:
		w.finding = f.In(m, at, rpcrdma.SegmentSize)
	case w.finding == nil || k.calls <= w.most:
		return
	default:
		f = w.finding
	}
	w.most, f.Evidence = k.calls, nil
	f.Messagef("the %s advertised the same memory under handle %s in %d successive calls", c.Sender(m.From), rules.Handle(s.Handle), k.calls)
	f.See("calls with the segment", k.calls, c.Capture.Config.KeyUses).See("segment", s.String(), nil)
}

// before is how the grant of a handle ended that is the newest but for those of the
// call in a frame; Live too if none is remembered.
func before(c *rules.Conn, call flow.Ref, handle uint32) memory.Ending {
	for g := memory.Of(c).Newest(handle); g != nil; g = g.Older() {
		if g.Call != call {
			return g.Over
		}
	}
	return memory.Live
}

// rpc001 looks for a handle that another open call had for memory far away, which no
// registration of one buffer can be.
func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if !judgeable(c, r) {
		return
	}
	for s, at := range segments(r.Call) {
		if s.Length <= pad {
			continue
		}
		const far = 1 << 30
		g, doubt := beside(c, r, s.Handle, func(g *memory.AdvertisedSegment) bool {
			distance := s.Offset - g.Offset
			return min(distance, -distance) >= far
		})
		if g == nil {
			continue
		}
		k := state.Of(c)
		if k.spread++; k.spread < c.Capture.Config.KeyUses {
			continue
		}
		if f := report.Part("b", r, r.Call, doubt); f != nil {
			f.Messagef("handle %s covers memory of several open calls, %d times more than 1 GiB apart: an all-memory key",
				rules.Handle(s.Handle), k.spread)
			f.See("segment", s.String(), nil).See("segment of another open call", g.Segment.String(), nil).In(r.Call, at, rpcrdma.SegmentSize).With(g.Call)
		}
	}
}
