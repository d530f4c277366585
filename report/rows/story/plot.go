package story

import (
	"bytes"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// A Plot is what is known of a story before its frames are told.
type Plot struct {
	// Connection is the number of the connection.
	Connection int
	// RPC says that it is about an RPC: Frames carried it, from Start to End, in nanoseconds since
	// 1970.
	RPC        bool
	XID        uint32
	Requester  flow.End
	Frames     []flow.Ref
	Start, End int64
	// Title says what it is about, Lines more of it.
	Title string
	Lines []string
	// Others is how many other RPCs have the XID; More is a frame of the first of them.
	Others int
	More   flow.Ref
	// Findings are those about it, a line each.
	Findings []string
	// Decoded are its messages, decoded, what its chunks moved, and where its time went.
	Decoded []byte
}

// A Finder finds what a story is about. It is a dissect.Sink and a finding.Form.
type Finder struct {
	target Target
	shown  listing.Options
	plot   Plot
	found  bool
	// lone is the number of the connection of the frame, 0 if it has none, and when it was
	// captured, if it was seen.
	lone   int
	loneAt int64
	seen   bool
	words  words.Words
	start  int64
}

// NewFinder returns a Finder of a target, for a story that is told with these options.
func NewFinder(t Target, shown listing.Options) *Finder { return &Finder{target: t, shown: shown} }

// Plot is what was found, and whether anything was.
func (x *Finder) Plot() (*Plot, bool) { return &x.plot, x.found }

// Lone is the number of the connection of a frame that carries no part of an RPC, 0 if it has
// none; seen says that the captures have the frame.
func (x *Finder) Lone() (connection int, seen bool) { return x.lone, x.seen }

// Connection implements dissect.Sink.
func (x *Finder) Connection(c *dissect.Connection, final bool) {
	if c.ID != x.target.Connection || x.target.Connection == 0 {
		return
	}
	x.found = true
	x.plot.Connection = c.ID
	x.plot.Title = string(rows.AppendPeers(nil, c))
	x.plot.Start, x.plot.End = c.FirstTime, c.LastTime
	if final {
		x.plot.Lines = []string{string(words.AppendClosing(nil, words.Inks{}, c))}
	}
}

// Frame implements dissect.Sink.
func (x *Finder) Frame(v *dissect.FrameView) {
	if x.start == 0 {
		x.start = v.Frame.Time
	}
	if x.target.Frame == 0 || v.Frame.Ref() != (flow.Ref{File: x.target.File, Number: x.target.Frame}) {
		return
	}
	x.seen, x.loneAt = true, v.Frame.Time
	if v.Connection != nil {
		x.lone = v.Connection.ID
	}
}

// Message implements dissect.Sink.
func (x *Finder) Message(*dissect.Message) {}

// RPC implements dissect.Sink.
func (x *Finder) RPC(r *dissect.RPC) {
	if !x.is(r) {
		return
	}
	if x.found {
		if x.plot.Others++; x.plot.Others == 1 {
			x.plot.More = r.Frames[0]
		}
		return
	}
	x.found = true
	x.plot = Plot{Connection: r.Connection.ID, RPC: true, XID: r.XID, Requester: r.Requester, Frames: slices.Clone(r.Frames), Start: r.Start(), End: r.Start()}
	for _, m := range [...]*dissect.Message{r.Call, r.Reply, r.Untaken} {
		if m != nil {
			x.plot.End = max(x.plot.End, m.Last)
		}
	}
	if r.Reply == nil {
		x.plot.End = max(x.plot.End, r.Connection.LastTime)
	}
	x.note(r)
}

// is reports whether an RPC is what the story is about.
func (x *Finder) is(r *dissect.RPC) bool {
	switch t := &x.target; {
	case t.Connection > 0:
		return false
	case t.Frame > 0:
		return !x.found && slices.Contains(r.Frames, flow.Ref{File: t.File, Number: t.Frame})
	}
	return r.XID == x.target.XID
}

// note notes what there is to say of an RPC, which is good only now.
func (x *Finder) note(r *dissect.RPC) {
	x.words.Take(r)
	b := r.AppendName(nil, x.words.Ops)
	b = words.AppendHandle(append(b, ' '), r.XID)
	b = append(b, ": "...)
	b = words.AppendStatus(b, r)
	x.plot.Title = string(b)
	b = append(b[:0], "on #"...)
	b = append(b, words.Number(int64(r.Connection.ID))...)
	b = append(b, ", "...)
	x.plot.Lines = append(x.plot.Lines, string(rows.AppendPeers(b, r.Connection)))
	if about := string(x.words.AppendOperations(nil, r)); about != "" {
		x.plot.Lines = append(x.plot.Lines, about)
	}
	if !r.Complete {
		x.plot.Lines = append(x.plot.Lines, "incomplete: "+r.Missing)
	}
	var decoded bytes.Buffer
	shown := x.shown
	shown.Details = true
	t := rows.NewText(&decoded, shown)
	t.Exhibits(exhibit.OfRPC(r, nil))
	_ = t.Flush() // into memory: it cannot fail
	x.plot.Decoded = decoded.Bytes()
}

// Asked says which findings are about the story: it is for finding.Selection.
func (x *Finder) Asked(f *finding.Finding) bool {
	if !x.found || f.Connection == nil || f.Connection.ID != x.plot.Connection {
		return false
	}
	if !x.plot.RPC || f.HasXID && f.XID == x.plot.XID {
		return true
	}
	return slices.ContainsFunc(append(f.Frames, f.Frame), func(r flow.Ref) bool {
		return slices.Contains(x.plot.Frames, r)
	})
}

// Found implements finding.Form.
func (x *Finder) Found(f *finding.Found) {
	where := words.Where{Several: x.shown.Files > 1, Start: x.start}
	f.All(func(f *finding.Finding) {
		if !x.Asked(f) && x.plot.RPC {
			return // what explains one of another place
		}
		line := f.Severity.String() + " " + f.ID() + ", " + where.Frame(f.Frame) + ": " + f.Message
		x.plot.Findings = append(x.plot.Findings, line)
	})
}

// End implements finding.Form.
func (x *Finder) End(*finding.Ending) error { return nil }
