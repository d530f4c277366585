package findings

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
)

// NewLiveSummary returns a form of live output that writes to w only what all came to,
// as text.
func NewLiveSummary(w io.Writer, o listing.Options) check.LiveForm {
	return &liveSummary{newForm(w, o)}
}

// liveSummary is the form of which there is only the end.
type liveSummary struct{ *form }

// Part implements check.LiveForm.
func (x *liveSummary) Part(d *dissect.Dissector) (check.LiveForm, *draft.Part) {
	p := x.t.Draft(d)
	return &liveSummary{&form{opts: x.form.opts, t: p.Out.(*rows.Text)}}, p
}

// Told implements check.LiveForm.
func (x *liveSummary) Told(*dissect.Connection) bool { return true }

// Spare implements check.LiveForm.
func (x *liveSummary) Spare(*dissect.Connection) {}

// Forget implements check.LiveForm.
func (x *liveSummary) Forget(*dissect.Connection) {}

// NumberBy implements check.LiveForm.
func (x *liveSummary) NumberBy(func(*finding.Finding) int64) {}

// Shardable implements check.LiveForm.
func (x *liveSummary) Shardable() bool { return x.form.opts.Shardable() }

// Rows implements check.LiveForm.
func (x *liveSummary) Rows() dissect.Sink { return nil }

// Connection implements check.LiveForm.
func (x *liveSummary) Connection(*dissect.Connection, bool) {}

// Fresh implements check.LiveForm.
func (x *liveSummary) Fresh(*finding.Finding, int64) {}

// Found implements finding.Form.
func (x *liveSummary) Found(*finding.Found) {}

// Dropped implements check.LiveForm.
func (x *liveSummary) Dropped(finding.Drops, int64) {}
