package scene

import (
	"cmp"

	"github.com/rdmacap/rdmacap/internal/build"
)

// second is what a text says of a Send that only version 2 of RPC-over-RDMA has.
type second struct {
	// version is that of the header's layout, 0 where nothing is reported of it.
	version      uint32
	direction    uint32
	hasDirection bool
	inv          uint32
	hasInv       bool
	// plain is a reply that is no Send with Invalidate though it might be.
	plain bool
	// directed puts the direction into an RDMA2_ERROR.
	directed bool
	// option is what an RDMA2_OPTIONAL says, nil for another message.
	option *option
	// processed, index and needed are those of CANT_REPLY.
	processed, index, needed uint32
}

// parseOption takes an option of version 2; it reports whether it was one.
func (s *second) parseOption(c *cursor, word string) bool {
	switch word {
	case "version":
		s.version = c.version()
	case "direction":
		s.direction, s.hasDirection = c.choice("CALL", build.DirectionCall, "REPLY", build.DirectionReply), true
	case "inv":
		s.inv, s.hasInv = c.number32("a handle"), true
	case "directed":
		s.directed = true
	case "optional":
		s.option = c.option()
	default:
		return false
	}
	return true
}

// version takes a version whose layout is known.
func (c *cursor) version() uint32 {
	v := c.number32("a version")
	if v != 1 && v != 2 {
		c.fail("a version is 1 or 2: see the option vers")
	}
	return v
}

// complete completes what the text leaves open: the version of a message to which an
// exchange belongs, and what its direction is.
func (s *second) complete(version, direction uint32) {
	if s.option != nil {
		version = 2
		if s.option.kind == build.RespXchar {
			direction = build.DirectionReply
		}
	}
	s.version = cmp.Or(s.version, version)
	if !s.hasDirection {
		s.direction = direction
	}
}

// layout is a Send with the header that the text asks for, and where its fields lie.
func (s *sending) layout(h build.Header, inline []byte) ([]byte, map[string]extent) {
	if s.version == 2 {
		two := s.header2(h)
		data := two.With(inline)
		return data, fields2(two, len(data))
	}
	if s.hasProc {
		h.Proc, h.Align, h.Thresh = s.proc, s.align, s.thresh
		if h.Proc > build.ERROR {
			h.Proc = build.MSG
			s.undefined()
		}
	}
	data := h.With(inline)
	return data, fields(h, len(data))
}

// header2 is the header in version 2.
func (s *sending) header2(h build.Header) build.Header2 {
	two := build.Header2{XID: h.XID, Credits: h.Credits, Proc: h.Proc,
		Direction: s.direction, InvHandle: s.inv, Reads: h.Reads, Writes: h.Writes, Reply: h.Reply,
		Err: h.Err, Low: h.Low, High: h.High, DirectedError: s.directed,
		Processed: s.processed, SegmentIndex: s.index, LengthNeeded: s.needed}
	if o := s.option; o != nil {
		two.Proc, two.Option, two.Info = build.OPTIONAL, o.kind, o.info
	}
	if !s.hasProc {
		return two
	}
	switch two.Proc = s.proc; s.proc {
	case build.MSG, build.NOMSG, build.ERROR, build.OPTIONAL:
	default:
		two.Proc = build.MSG
		s.undefined()
	}
	return two
}

// undefined puts a procedure that has no layout into a Send, first of all changes.
func (s *sending) undefined() {
	s.edits = append([]edit{{line: s.line, do: "set", place: "proc", value: s.proc}}, s.edits...)
}

// answers lets a reply do what it should with the handle that its call named.
func (s *sending) answers(e *exchange) {
	if !s.hasInv {
		s.inv = e.inv
	}
	if e.inv != 0 && !s.plain && !s.hasInvalidate {
		s.invalidate, s.hasInvalidate = e.inv, true
	}
}
