package anonymize

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Planner finds out what is known of the bytes of some frames. It is a dissect.Sink and a
// dissect.AccessSink, and wants the units of frames.
type Planner struct {
	plan   *Plan
	chosen func(file int, number int64) bool
	painter
	draft plan
	// early is what is known of frames before Frame is called for them.
	early map[flow.Ref][]span
	longs
}

// NewPlanner returns a Planner for the frames that were chosen.
func NewPlanner(p *Plan, chosen func(file int, number int64) bool) *Planner {
	return &Planner{
		plan: p, chosen: chosen, painter: painter{p.m, fates()},
		early: make(map[flow.Ref][]span), longs: newLongs(),
	}
}

// Connection implements dissect.Sink.
func (x *Planner) Connection(*dissect.Connection, bool) {}

// Frame implements dissect.Sink.
func (x *Planner) Frame(v *dissect.FrameView) {
	x.units(v)
	ref := v.Frame.Ref()
	if !x.chosen(ref.File, ref.Number) {
		delete(x.early, ref)
		return
	}
	f := x.plan.addFrame(v)
	x.plan.frames[ref] = f
	data := v.Frame.Data
	headers := v.Headers()
	x.draft.beginBytes(data)
	x.headers(headers.Nodes(), data)
	if v.IB != nil {
		nodes := v.IB.Nodes(v.Link.Start())
		x.nodes(&x.draft, nodes)
		x.fill(&x.draft, nodes)
		if v.IB.DETH() != 0 && rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
			x.management(data[:f.end], f.payload)
		}
	}
	if end := v.Link.End(); end > 0 && v.Link.Start() > 0 {
		x.draft.zeros(end, len(data)) // short frames are padded
	}
	x.draft.runs(func(at int, is []byte) {
		if n := f.payload - at; n > 0 && n < len(is) { // of the headers and of what follows
			f.place(at, is[:n])
			at, is = at+n, is[n:]
		}
		f.place(at, is)
	})
	for _, s := range x.early[ref] {
		f.place(s.at, s.is)
	}
	delete(x.early, ref)
}

// headers takes those below the transport. What stands after them all, in bytes
// without a name, is unknown.
func (x *Planner) headers(nodes []field.Node, data []byte) {
	x.nodes(&x.draft, nodes)
	x.fill(&x.draft, nodes)
}

// management takes a message of connection management.
func (x *Planner) management(data []byte, at int) {
	nodes := rocev2.CMNodes(data[at:], at)
	if n := len(nodes); n > 0 && nodes[n-1].Key == "cm.privatedata" {
		x.private(data, &nodes[n-1])
	}
	x.nodes(&x.draft, nodes)
	x.fill(&x.draft, nodes)
	if n := len(nodes); n > 0 {
		x.tail(nodes[n-1].Start, nodes[n-1].End)
	}
}

// private takes private data.
func (x *Planner) private(data []byte, n *field.Node) {
	if inside, ok := rpcrdma.PrivateDataNode(data[n.Start:n.End], n.Start); ok {
		n.Children = append(n.Children, inside)
	}
}

// tail has the zeros stay that fill up private data.
func (x *Planner) tail(from, to int) {
	at := to
	for at > from && at <= len(x.draft.was) && x.draft.was[at-1] == 0 {
		at--
	}
	x.draft.zeros(at, to)
}

// units takes the FPDUs and MPA frames that end in a frame.
func (x *Planner) units(v *dissect.FrameView) {
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		raw := u.Raw()
		x.draft.beginBytes(raw)
		if u.IsStart {
			nodes := iwarp.StartNodes(raw, 0)
			for i := range nodes {
				for j := range nodes[i].Children {
					if n := &nodes[i].Children[j]; n.Key == "mpa.ulpdata" {
						x.private(raw, n)
						x.tail(n.Start, n.End)
					}
				}
			}
			x.nodes(&x.draft, nodes)
		} else if !u.FPDU.Lost && !u.PDU.Fault.Bad() {
			nodes := iwarp.FPDUNodes(raw, 0, len(raw), u.FPDU.FirstMarker, "")
			x.nodes(&x.draft, nodes)
			for i := range nodes {
				if nodes[i].Name == "Padding" {
					x.draft.zeros(nodes[i].Start, nodes[i].End)
				}
			}
			x.unit(v.Frame.Ref(), u)
		}
		x.spread(u.Pieces)
	}
}

// spread tells the frames what is known of the draft's bytes, which lie in these pieces.
func (x *Planner) spread(list []flow.Piece) {
	x.draft.runs(func(at int, is []byte) {
		within(list, at, len(is), func(at int, p flow.Place) {
			x.noteKnown(p.Ref, p.Offset, is[at:at+p.Length])
		})
	})
}

// within tells where n bytes of what lies in pieces are, from an offset in it on, and where among
// the n each place begins.
func within(list []flow.Piece, from, n int, tell func(at int, p flow.Place)) {
	for i := range list {
		p := &list[i]
		start, end := max(from, p.Start), min(from+n, p.Start+p.Length)
		if start < end {
			tell(start-from, flow.Place{Ref: p.Ref, Offset: p.Offset + start - p.Start, Length: end - start})
		}
	}
}

// noteKnown notes what is known of bytes of a frame.
func (x *Planner) noteKnown(ref flow.Ref, at int, is []byte) {
	if !x.chosen(ref.File, ref.Number) {
		return
	}
	if f := x.plan.frames[ref]; f != nil {
		f.place(at, is)
		return
	}
	x.early[ref] = append(x.early[ref], span{at, append([]byte(nil), is...)})
}

// Err is that of a renderer.
func (x *Planner) Err() error { return nil }

// Flush is that of a renderer.
func (x *Planner) Flush() error { return nil }

// Finish is that of a renderer.
func (x *Planner) Finish(dissect.Summary, time.Duration) error {
	x.longs.finish(x)
	return nil
}
