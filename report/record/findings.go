package record

import (
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// findingsJSON writes findings as records: those of a connection between its two
// records, those of the whole capture after all connections.
type findingsJSON struct{ j *JSON }

// NewFindings returns a form that writes records to w: one array, or one
// object a line.
func NewFindings(w io.Writer, array bool, o listing.Options) draft.Form {
	j := NewJSON(w, array, o)
	return draft.Form{Form: &findingsJSON{j}, Out: j, Records: j, Shard: func(d *dissect.Dissector) (draft.Form, *draft.Part) {
		of, p := j.part(d)
		return draft.Form{Form: &findingsJSON{of}, Records: of}, p
	}}
}

// Found implements finding.Form.
func (x *findingsJSON) Found(f *finding.Found) {
	f.All(func(one *finding.Finding) {
		b := x.j.beginRecord("finding")
		x.j.finding(b, one, f.Ids)
		x.j.endRecord()
	})
	if f.Connection == nil {
		return
	}
	b := x.j.beginRecord("connection_findings")
	b.int("connection", int64(f.Connection.ID))
	b.object("findings")
	b.tally(&f.Tally)
	b.Close('}')
	b.gates("not_checked", f.Gates)
	x.j.endRecord()
	x.j.Connection(f.Connection, true)
}

// End implements finding.Form.
func (x *findingsJSON) End(e *finding.Ending) error {
	x.j.found, x.j.verdict, x.j.overview = e.Tally, strings.ReplaceAll(strings.Join(e.Verdict, " "), words.NBSP, " "), e.Overview
	return x.j.Finish(e.Summary, e.Elapsed)
}
