package story

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/trail"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Frames tells the frames of a story, each with how long after the one before it came. It is a
// dissect.Sink.
type Frames struct {
	*rows.Text
	plot   *Plot
	all    bool // nothing is folded
	own    map[flow.Ref]bool
	frames trail.RPCFrames
	// last is the time of the newest frame of the connection, 0 before the first; over says that
	// the RPC is, and after how many frames came after its end.
	last     int64
	over     bool
	after    int
	reported int // of the frames that carried the RPC
	run      run
	// kind is of which kind the row before is, "" if others of it are to have rows too; paused
	// says that silence was told since the frame before.
	kind   string
	paused bool
}

// A run is some frames that need no row each.
type run struct {
	n     int
	bytes int64
	what  string
	since int64 // when the frame before it was captured
	until int64
}

// NewFrames returns one that writes rows to a Text, whose rows are frames.
func NewFrames(t *rows.Text, p *Plot, all bool) *Frames {
	x := &Frames{Text: t, plot: p, all: all, own: make(map[flow.Ref]bool)}
	for _, r := range p.Frames {
		x.own[r] = true
	}
	return x
}

// Connection implements dissect.Sink: the story says who it is between.
func (x *Frames) Connection(*dissect.Connection, bool) {}

// Message implements dissect.Sink.
func (x *Frames) Message(*dissect.Message) {}

// RPC implements dissect.Sink.
func (x *Frames) RPC(*dissect.RPC) {}

// pause is for how long nothing must have been captured of the connection for the story to say so.
func (x *Frames) pause() int64 { return max(int64(10*time.Millisecond), (x.plot.End-x.plot.Start)/20) }

// Frame implements dissect.Sink.
func (x *Frames) Frame(v *dissect.FrameView) {
	x.Begin(v.Frame.Time)
	c := v.Connection
	if c == nil || c.ID != x.plot.Connection || x.over {
		return
	}
	if x.plot.RPC && v.Frame.Time < x.plot.Start && v.Frame.Time != 0 {
		return
	}
	own := x.belongs(v)
	if x.plot.RPC && v.Frame.Time > x.plot.End {
		// What acknowledges the end of the reply is the last; it comes soon, or not at all.
		if x.after++; own {
			x.after = 0
		}
		x.over = x.acknowledges(v)
		if x.after == mostAfter {
			x.over = true
			return
		}
	}
	if gap := v.Frame.Time - x.last; x.last != 0 && gap >= x.pause() {
		x.fold()
		x.silence(gap)
		x.kind, x.paused = "", true
	}
	switch kind := x.kindOf(v, own); {
	case kind == others, kind != "" && kind == x.kind:
		x.takeFrame(v, kind)
	default:
		x.fold()
		x.Text.Frame(v)
		x.kind = kind
	}
	x.paused = false
	x.last = max(x.last, v.Frame.Time)
}

// mostAfter is after how many frames that have no part in the RPC, once the reply was there, nothing
// more of it is expected.
const mostAfter = 64

// Done ends it. What came after the last that has a part in the RPC is no part of the story.
func (x *Frames) Done() error {
	if x.run.what == others && x.run.until > x.plot.End {
		x.run = run{}
	}
	x.fold()
	if n := len(x.own) - x.reported; n > 0 {
		t := x.Text
		t.B = append(t.B, "          "...)
		t.B = words.AppendCount(t.B, int64(n), "more frame")
		t.B = append(t.B, " of it: they came before the connection was recognized, or could not be listed in order"...)
		t.Fit(lines.More)
		t.End()
	}
	return x.Flush()
}

// others are frames that are not known to have a part in the RPC.
const others = "other frame"

// kindOf says of which kind a frame is that needs no row after one of the same: data in the middle
// of an operation, and what is of other RPCs. It is "" for one that has a row in any case.
func (x *Frames) kindOf(v *dissect.FrameView, own bool) (kind string) {
	switch {
	case x.all:
		return ""
	case !own:
		return others
	case v.Faulty() || v.Verdict.Missing > 0:
		return ""
	case v.IB != nil && v.IB.OpCode.Position() == rocev2.PositionMiddle:
		kind = v.IB.OpCode.String()
	case v.IWARP() && len(v.Verdict.Units) == 0 && v.Link.End() > v.Link.TCPData():
		kind = "TCP segment"
	default:
		return ""
	}
	if n := v.Verdict.Note; n != flow.InOrder {
		kind += " [" + n.String() + "]"
	}
	return kind
}

// belongs reports whether a frame is known to carry a part of the RPC, again or for the first time,
// or to acknowledge one. Of a connection all frames do.
func (x *Frames) belongs(v *dissect.FrameView) bool {
	if !x.plot.RPC {
		return true
	}
	own := x.own[v.Frame.Ref()]
	if own {
		x.reported++
	}
	return x.frames.Take(v, v.Verdict.From, own) || x.acknowledges(v)
}

// acknowledges reports whether a frame is the first to acknowledge the end of the reply, once that
// was captured: the story ends with it.
func (x *Frames) acknowledges(v *dissect.FrameView) bool {
	return v.Frame.Time > x.plot.End && v.Verdict.From == x.plot.Requester && x.frames.Acknowledged(v, v.Verdict.From)
}

// takeFrame folds a frame.
func (x *Frames) takeFrame(v *dissect.FrameView, what string) {
	if x.run.what != what {
		x.fold()
		x.run.what, x.run.since = what, x.last
		if x.paused {
			x.run.since = v.Frame.Time
		}
	}
	x.run.n++
	x.run.bytes += int64(v.Frame.Length)
	x.run.until = v.Frame.Time
}

// fold tells the frames that were folded.
func (x *Frames) fold() {
	r := x.run
	x.run = run{}
	if r.n == 0 {
		return
	}
	t := x.Text
	t.B = append(t.B, t.Style.Dim.On...)
	t.B = append(t.B, "          … "...)
	if r.what == others {
		t.B = words.AppendCount(t.B, int64(r.n), others)
		t.B = append(t.B, " of the connection"...)
	} else {
		t.B = words.AppendCount(t.B, int64(r.n), "more frame")
		t.B = append(t.B, ": "...)
		t.B = append(t.B, r.what...)
	}
	t.B = append(t.B, ", "...)
	t.B = words.AppendBytes(t.B, r.bytes)
	if r.since != 0 && r.until > r.since {
		t.B = append(t.B, ", in "...)
		t.B = field.AppendDuration(t.B, r.until-r.since)
	}
	t.B = append(t.B, t.Style.Dim.Off...)
	t.Fit(lines.More)
	t.End()
	t.Passed(r.until)
}

// silence says for how long nothing was captured of the connection.
func (x *Frames) silence(ns int64) {
	t := x.Text
	t.B = append(t.B, t.Style.Odd.On...)
	t.B = append(t.B, "      ──── nothing of the connection was captured for "...)
	t.B = field.AppendDuration(t.B, ns)
	t.B = append(t.B, " ────"...)
	t.B = append(t.B, t.Style.Odd.Off...)
	t.End()
}
