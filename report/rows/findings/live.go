package findings

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// NewLive returns a form of live output that writes text to w.
func NewLive(w io.Writer, o listing.Options) check.LiveForm {
	return &liveText{newForm(w, o), o}
}

// liveText is the form in text.
type liveText struct {
	*form
	opts listing.Options
}

// Rows implements check.LiveForm.
func (x *liveText) Rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.t
}

// Part implements check.LiveForm.
func (x *liveText) Part(d *dissect.Dissector) (check.LiveForm, *draft.Part) {
	p := x.t.Draft(d)
	return &liveText{&form{opts: x.form.opts, t: p.Out.(*rows.Text)}, x.opts}, p
}

// Told implements check.LiveForm.
func (x *liveText) Told(*dissect.Connection) bool { return true }

// Spare implements check.LiveForm.
func (x *liveText) Spare(*dissect.Connection) {}

// Forget implements check.LiveForm.
func (x *liveText) Forget(*dissect.Connection) {}

// NumberBy implements check.LiveForm.
func (x *liveText) NumberBy(func(*finding.Finding) int64) {}

// Shardable implements check.LiveForm.
func (x *liveText) Shardable() bool { return x.opts.Shardable() }

// Connection implements check.LiveForm.
func (x *liveText) Connection(c *dissect.Connection, final bool) {
	if !x.opts.Brief {
		x.t.Connection(c, final)
	}
}

// Fresh implements check.LiveForm.
func (x *liveText) Fresh(f *finding.Finding, _ int64) {
	x.brief(f, x.opts.Names)
	x.t.End()
}

// Found implements finding.Form.
func (x *liveText) Found(f *finding.Found) {
	if !x.opts.Brief && len(f.Roots) > 0 {
		x.form.Found(f)
	}
}

// Dropped implements check.LiveForm.
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
