package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// About is what a finding will be about that is said later, of what was posted: a copy of
// what Say takes from a message, an RPC or a frame.
type About struct {
	frame     flow.Ref
	time      int64
	direction direction
	rpc       *dissect.RPC // told from others, not looked at
	xid       uint32
	hasXID    bool
	message   bool // it has an XID, or could have
	call      string
	since     flow.Ref
	frames    []flow.Ref
}

// AboutMessage is a message, and the RPC that it belongs to, for Say.About.
func (c *Conn) AboutMessage(m *dissect.Message) *About {
	a := &About{frame: m.Frame(), time: m.Last, direction: direction(m.From), xid: m.Header.XID, hasXID: m.Length >= 4, message: true,
		frames: slices.Clone(m.Frames)}
	a.of(c, m.RPC())
	return a
}

// AboutPart is one message of an RPC that is over, for Say.About.
func (c *Conn) AboutPart(r *dissect.RPC, m *dissect.Message) *About {
	a := &About{frame: m.Frame(), time: m.Last, direction: direction(m.From), xid: r.XID, hasXID: true, message: true,
		frames: slices.Clone(m.Frames)}
	a.of(c, r)
	return a
}

// of notes the RPC, and that Across may say something of it.
func (a *About) of(c *Conn, r *dissect.RPC) {
	if r == nil {
		return
	}
	a.rpc, a.call, a.since = r, name(r), beginning(r)
	if c.mentioned == nil {
		c.mentioned = make(map[*dissect.RPC]struct{})
	}
	c.mentioned[r] = struct{}{}
}

// AboutFrame is a frame, for Say.About.
func AboutFrame(v *dissect.FrameView) *About {
	a := &About{frame: Ref(v), time: v.Frame.Time, direction: undirected, frames: []flow.Ref{Ref(v)}}
	if v.Verdict.Conn != nil {
		a.direction = direction(v.Verdict.From)
	}
	return a
}

// About is about what was copied when something was posted.
func (s Say) About(letter string, a *About, doubt string) *Finding {
	f := s.find(letter, doubt, a.frame, a.time, a.direction, a.rpc)
	if a.rpc != nil {
		s.of.note(a.rpc, s.rule, letter, f)
	}
	if a.message {
		f.about(a.xid)
	}
	if !f.fresh() {
		return nil
	}
	f.XID, f.HasXID, f.Call, f.since = a.xid, a.hasXID, a.call, a.since
	return f.With(a.frames...)
}
