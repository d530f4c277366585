package report

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// NewLiveSummary returns a Live that tells its views, and writes to w only what all came to,
// as text.
func NewLiveSummary(w io.Writer, o LiveOptions) *Live {
	return newLive(&liveSummary{newFindingsText(w, o.CheckOptions)}, o)
}

// liveSummary is the form of which there is only the end.
type liveSummary struct{ *findingsText }

func (x *liveSummary) part(d *dissect.Dissector) (liveForm, *rowsPart) {
	p := x.t.part(d)
	return &liveSummary{&findingsText{t: p.out.(*Text)}}, p
}

func (x *liveSummary) told(*dissect.Connection) bool        { return true }
func (x *liveSummary) spare(*dissect.Connection)            {}
func (x *liveSummary) forget(*dissect.Connection)           {}
func (x *liveSummary) shardable() bool                      { return true }
func (x *liveSummary) rows() dissect.Sink                   { return nil }
func (x *liveSummary) connection(*dissect.Connection, bool) {}
func (x *liveSummary) fresh(*rules.Finding, int64)          {}
func (x *liveSummary) found(*found)                         {}
func (x *liveSummary) dropped(Drops, int64)                 {}
