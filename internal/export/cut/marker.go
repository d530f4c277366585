package cut

import (
	"github.com/rdmacap/rdmacap/capture/extract"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A Marker adds to the frames that a Chooser found those that have another part in what was chosen,
// and the setup and end of its connections. It is a dissect.Sink.
type Marker struct {
	Unwritten
	chosen *Chooser
	// early are the connections by what their frames have in common: frames may come before it is
	// known of which connection they are.
	early map[key][]early
	// gaps are the frames after others that were left out: see Gaps.
	gaps extract.Lengths
}

// An early is an end of a connection.
type early struct {
	*connection
	end flow.End
}

// NewMarker returns a Marker for what a Chooser found.
func NewMarker(chosen *Chooser) *Marker {
	m := &Marker{chosen: chosen, early: make(map[key][]early)}
	for _, k := range chosen.connections {
		for e, of := range k.keys {
			m.early[of] = append(m.early[of], early{k, flow.End(e)})
		}
	}
	return m
}

// Frames are those that were found, when all was read.
func (m *Marker) Frames() *extract.Set { return &m.chosen.frames }

// Message implements dissect.Sink. What both ends agree on in messages of version 2 is setup.
func (m *Marker) Message(msg *dissect.Message) {
	if m.chosen.choice.Bare || m.chosen.connections[msg.Connection.ID] == nil || msg.Header.Option() == nil {
		return
	}
	m.markFrames(msg.Frames...)
}

// Lengths are how many bytes of frames come before file data.
func (m *Marker) Lengths() *extract.Lengths { return &m.chosen.lengths }

// Gaps are the frames that were found after others of their sender that were not: for each the
// number 1, and added to it what begins returns.
func (m *Marker) Gaps() *extract.Lengths { return &m.gaps }

func (m *Marker) markFrames(frames ...flow.Ref) {
	for _, f := range frames {
		m.chosen.frames.Add(f.File, f.Number)
	}
}

// Frame implements dissect.Sink.
func (m *Marker) Frame(v *dissect.FrameView) {
	k, from := m.connectionOf(v)
	if k == nil {
		return
	}
	ref := v.Frame.Ref()
	own := m.chosen.frames.Has(ref.File, ref.Number)
	first := own
	if !own && (k.whole || !m.chosen.choice.Bare && m.management(v)) {
		own = true
		m.markFrames(ref)
	}
	switch {
	case !k.trail.Take(v, from, own) && !own:
		k.left[from].any = true
		k.left[from].data = k.left[from].data || sends(v)
		return
	case !own:
		m.markFrames(ref)
	}
	if m.chosen.choice.Headers {
		m.chosen.snap.frame(v, first || k.whole && v.Verdict.Note != flow.Retransmission)
	}
	if l := &k.left[from]; l.any || l.data && sends(v) {
		l.any, l.data = false, l.data && !sends(v)
		m.gaps.Set(ref.File, ref.Number, 1+m.begins(v))
	}
}

// sends reports whether a frame is one of those that have an order, in which a gap shows.
func sends(v *dissect.FrameView) bool {
	if v.IB != nil {
		return !v.IB.OpCode.IsResponse()
	}
	return v.PayloadLength() > 0 || v.Link.TCP.Flags&(link.SYN|link.FIN) != 0
}

// begins is one more than where in what a TCP segment carries an FPDU begins, 0 if that is not
// known.
func (m *Marker) begins(v *dissect.FrameView) int {
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; u.First == v.Frame.Ref() && u.At >= 0 {
			return 1 + u.At
		}
	}
	return 0
}

// connectionOf is the connection of a frame, nil if nothing of it was chosen, and who sent it.
func (m *Marker) connectionOf(v *dissect.FrameView) (k *connection, from flow.End) {
	if v.Connection != nil {
		return m.chosen.connections[v.Connection.ID], v.Verdict.From
	}
	of, ok := keyOf(v)
	if !ok {
		return nil, 0
	}
	for _, e := range m.early[of] {
		if e.spans(v) {
			return e.connection, e.end
		}
	}
	return nil, 0
}

// management reports whether a frame of a connection is of its setup or its end.
func (m *Marker) management(v *dissect.FrameView) bool {
	if v.IB != nil {
		return v.IB.DestQP == managementQP
	}
	const flags = link.SYN | link.FIN | link.RST
	found := v.Link.TCP.Flags&flags != 0
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; u.IsStart || u.PDU.OpCode == iwarp.OpTerminate {
			m.markFrames(u.First, u.Last)
			found = found || u.Last == v.Frame.Ref()
		}
	}
	return found
}

// managementQP is the queue pair of connection management.
const managementQP = 1
