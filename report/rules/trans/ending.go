package trans

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

// An ending is the Terminate that ended a connection.
type ending struct {
	v    *dissect.FrameView
	from flow.End // who terminates
	*iwarp.Termination
	place flow.Place // of its control field, nowhere if that is not known
	// send is the Send that it refuses, nil if it is none or not remembered; use
	// is the memory that a refused operation names, if uses.
	send *requests.Request
	use  memoryUse
	uses bool
}

// endingOf is the Terminate of a frame, and what can be known of what it refuses.
func endingOf(c *rules.Conn, v *dissect.FrameView) *ending {
	e := &ending{v: v, from: c.TerminatedBy & 1, Termination: c.Termination}
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; !u.IsStart && u.PDU.OpCode == iwarp.OpTerminate {
			const control = 4 // bytes
			e.place = placeIn(v, u, u.PDU.PayloadStart, control)
		}
	}
	peer := e.from ^ 1
	if q := e.RDMAP; len(q) >= iwarp.ReadRequestSize {
		// Sink STag 4, sink TO 8, size 4, source STag 4, source TO 8.
		e.uses = true
		e.use = memoryUse{from: peer, handle: binary.BigEndian.Uint32(q[16:]), offset: binary.BigEndian.Uint64(q[20:]),
			length: uint64(binary.BigEndian.Uint32(q[12:]))}
		return e
	}
	if len(e.DDP) < iwarp.TaggedSize {
		return e
	}
	var p iwarp.PDU
	p.Decode(e.DDP, len(e.DDP))
	switch {
	case p.Tagged && p.OpCode == iwarp.OpWrite:
		e.uses = true
		e.use = memoryUse{from: peer, handle: p.STag, offset: p.TO, length: e.payload(), write: true}
	case !p.Tagged:
		if msn, ok := e.SendMSN(); ok {
			e.send = requests.Of(c).ByMSN(peer, msn)
		}
	}
	return e
}

// findingOf begins a finding about it.
func (e *ending) findingOf(report rules.Reporter, letter string) *rules.Finding {
	from := e.from
	return report.Moment(letter, rules.Ref(e.v), e.v.Frame.Time, &from, "")
}

// payload is how many bytes a refused tagged segment places, if that is known: the
// DDP Segment Length may count the header or not.
func (e *ending) payload() uint64 {
	if !e.HasLength || e.Length <= iwarp.TaggedSize || e.LittleEndian {
		return uint64(e.Length)
	}
	return uint64(e.Length) - iwarp.TaggedSize
}

// show puts what every Terminate has into a finding.
func (e *ending) show(f *rules.Finding) {
	f.See("Terminate", string(e.AppendTo(nil)), nil).At(e.place)
	if e.send != nil {
		f.With(e.send.Frame)
		f.XID, f.HasXID = e.send.XID, e.send.HasXID
	}
}

// placeIn is where bytes of a unit's ULPDU lie in the frame that brought it; it is
// nowhere if others brought parts of it, or if there are markers in it.
func placeIn(v *dissect.FrameView, u *flow.Unit, offset, length int) (p flow.Place) {
	const ulpduLength = 2 // bytes of ULPDU_Length
	if u.At < 0 || u.FPDU.FirstMarker >= 0 || offset+length > len(u.FPDU.ULPDU) {
		return p
	}
	return flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + ulpduLength + offset, Length: length}
}
