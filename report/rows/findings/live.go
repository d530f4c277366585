package findings

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// NewLive returns a form of live output that writes text to w.
func NewLive(w io.Writer, o listing.Options) draft.Form {
	if o.Brief {
		o.Filter = nil // of rows, and there are none
		o.TimeOfDay = false
	}
	x := newForm(w, o)
	f := liveForm(x)
	f.Whole = !o.Shardable()
	f.Shard = func(d *dissect.Dissector) (draft.Form, *draft.Part) {
		of, p := x.t.Draft(d)
		return liveForm(&form{opts: x.opts, t: of}), p
	}
	return f
}

// liveForm is the form that writes by x.
func liveForm(x *form) draft.Form {
	live := &liveText{x}
	f := x.as(live)
	f.Live = live
	if !x.opts.Brief {
		f.Rows = x.t
	}
	return f
}

// NewLiveSummary returns a form that writes only what all came to, as text to w, when that is
// known.
func NewLiveSummary(w io.Writer, o listing.Options) draft.Form {
	o.Filter = nil // of rows, and there are none
	o.TimeOfDay = false
	x := newForm(w, o)
	return x.as(&summary{x})
}

// summary is the form of which there is only the end.
type summary struct{ *form }

// Found implements finding.Form.
func (x *summary) Found(*finding.Found) {}

// liveText is the form in text.
type liveText struct{ *form }

// NewFinding implements draft.Live.
func (x *liveText) NewFinding(f *finding.Finding, _ int64) {
	if f.Usual() && !x.opts.All && !x.opts.Brief {
		return // one line counts it in the end
	}
	x.t.Stamp(f.Time)
	x.brief(f, x.opts.Names)
	x.t.EndStamped()
}

// Found implements finding.Form.
func (x *liveText) Found(f *finding.Found) {
	if !x.opts.Brief && len(f.Roots) > 0 {
		x.form.Found(f)
	}
}

// Dropped implements draft.Live.
func (x *liveText) Dropped(d finding.Drops, time int64) {
	t := x.t
	if !x.opts.WallClock {
		time = 0 // that of a capture which may be old
	}
	t.Stamp(time)
	t.B = append(t.B, lines.Mark...)
	t.B = words.AppendCount(t.B, d.Kernel+d.Ring+d.Shed, "frame")
	t.B = append(t.B, " dropped so far: "...)
	t.B = strconv.AppendInt(t.B, d.Kernel, 10)
	t.B = append(t.B, " by adapter or kernel, "...)
	t.B = strconv.AppendInt(t.B, d.Ring, 10)
	t.B = append(t.B, " because the ring was full, "...)
	t.B = strconv.AppendInt(t.B, d.Shed, 10)
	t.B = append(t.B, " not followed"...)
	t.EndStamped()
}
