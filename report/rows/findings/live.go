package findings

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
)

// NewLive returns a Live that writes text to w.
func NewLive(w io.Writer, o finding.LiveOptions) *finding.Live {
	return finding.NewLive(&liveText{newForm(w, o.CheckOptions), o}, o)
}

// liveText is the form in text.
type liveText struct {
	*form
	opts finding.LiveOptions
}

// Rows implements finding.LiveForm.
func (x *liveText) Rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.t
}

// Part implements finding.LiveForm.
func (x *liveText) Part(d *dissect.Dissector) (finding.LiveForm, *draft.Part) {
	p := x.t.Draft(d)
	return &liveText{&form{opts: x.form.opts, t: p.Out.(*rows.Text)}, x.opts}, p
}

// Told implements finding.LiveForm.
func (x *liveText) Told(*dissect.Connection) bool { return true }

// Spare implements finding.LiveForm.
func (x *liveText) Spare(*dissect.Connection) {}

// Forget implements finding.LiveForm.
func (x *liveText) Forget(*dissect.Connection) {}

// Shardable implements finding.LiveForm.
func (x *liveText) Shardable() bool { return true }

// Connection implements finding.LiveForm.
func (x *liveText) Connection(c *dissect.Connection, final bool) {
	if !x.opts.Brief {
		x.t.Connection(c, final)
	}
}

// Fresh implements finding.LiveForm.
func (x *liveText) Fresh(f *rules.Finding, _ int64) {
	x.brief(f, x.opts.Names)
	x.t.End()
}

// Found implements finding.Form.
func (x *liveText) Found(f *finding.Found) {
	if !x.opts.Brief && len(f.Roots) > 0 {
		x.form.Found(f)
	}
}

// Dropped implements finding.LiveForm.
func (x *liveText) Dropped(d finding.Drops, _ int64) {
	t := x.t
	t.B = append(t.B, lines.Mark...)
	t.B = words.AppendCount(t.B, d.Kernel+d.Ring+d.Shed, "frame")
	t.B = append(t.B, " dropped so far: "...)
	t.B = strconv.AppendInt(t.B, d.Kernel, 10)
	t.B = append(t.B, " by card or kernel, "...)
	t.B = strconv.AppendInt(t.B, d.Ring, 10)
	t.B = append(t.B, " since the ring was full, "...)
	t.B = strconv.AppendInt(t.B, d.Shed, 10)
	t.B = append(t.B, " not followed"...)
	t.End()
}
