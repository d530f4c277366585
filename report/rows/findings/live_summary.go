package findings

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/rules"
)

// NewLiveSummary returns a Live that tells its views, and writes to w only what all came to,
// as text.
func NewLiveSummary(w io.Writer, o finding.LiveOptions) *finding.Live {
	return finding.NewLive(&liveSummary{newForm(w, o.CheckOptions)}, o)
}

// liveSummary is the form of which there is only the end.
type liveSummary struct{ *form }

// Part implements finding.LiveForm.
func (x *liveSummary) Part(d *dissect.Dissector) (finding.LiveForm, *draft.Part) {
	p := x.t.Draft(d)
	return &liveSummary{&form{opts: x.form.opts, t: p.Out.(*rows.Text)}}, p
}

// Told implements finding.LiveForm.
func (x *liveSummary) Told(*dissect.Connection) bool { return true }

// Spare implements finding.LiveForm.
func (x *liveSummary) Spare(*dissect.Connection) {}

// Forget implements finding.LiveForm.
func (x *liveSummary) Forget(*dissect.Connection) {}

// Shardable implements finding.LiveForm.
func (x *liveSummary) Shardable() bool { return true }

// Rows implements finding.LiveForm.
func (x *liveSummary) Rows() dissect.Sink { return nil }

// Connection implements finding.LiveForm.
func (x *liveSummary) Connection(*dissect.Connection, bool) {}

// Fresh implements finding.LiveForm.
func (x *liveSummary) Fresh(*rules.Finding, int64) {}

// Found implements finding.Form.
func (x *liveSummary) Found(*finding.Found) {}

// Dropped implements finding.LiveForm.
func (x *liveSummary) Dropped(finding.Drops, int64) {}
