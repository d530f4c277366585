package record

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
)

// NewLive returns a form of live output that writes records to w, one object a line.
func NewLive(w io.Writer, o listing.Options) draft.Form {
	j := NewJSON(w, false, o)
	f := liveForm(j)
	// With a filter a finding shows a connection that has no row, and whether one has is known
	// to its shard, while findings are also said across connections.
	f.Whole = !j.selection.All || !o.Shardable()
	f.NumberBy = func(number func(f *finding.Finding) int64) { j.numberOf = number }
	f.Shard = func(d *dissect.Dissector) (draft.Form, *draft.Part) {
		of, p := j.part(d)
		p.Rows.Once = true
		f := liveForm(of)
		p.Out = f.Rows
		return f, p
	}
	return f
}

// liveForm is the form that writes by j.
func liveForm(j *JSON) draft.Form {
	x := &liveJSON{findingsJSON{j}}
	f := draft.Form{Form: x, Out: j, Live: x, Records: j}
	if !j.opts.Brief {
		f.Rows = rows{j}
	}
	return f
}

// rows are records of what is listed: those of connections the form writes.
type rows struct{ *JSON }

// Connection implements dissect.Sink.
func (rows) Connection(*dissect.Connection, bool) {}

// liveJSON writes findings as soon as they are reported, too.
type liveJSON struct{ findingsJSON }

// NewFinding implements draft.Live.
func (x *liveJSON) NewFinding(f *finding.Finding, id int64) {
	if f.Ongoing {
		return // it has no record: what comes of it has
	}
	if f.Connection != nil {
		x.j.row(f.Connection)
	}
	b := x.j.beginRecord("finding")
	x.j.finding(b, f, map[*finding.Finding]int64{f: id})
	b.bool("final", false)
	x.j.endRecord()
}

// Found implements finding.Form.
func (x *liveJSON) Found(f *finding.Found) {
	if f.Connection != nil && len(f.Roots) > 0 {
		x.j.row(f.Connection)
	}
	f.All(func(one *finding.Finding) {
		b := x.j.beginRecord("finding")
		x.j.finding(b, one, f.Ids)
		b.bool("final", true)
		x.j.endRecord()
	})
	f.Roots = nil
	x.findingsJSON.Found(f)
}

// Dropped implements draft.Live.
func (x *liveJSON) Dropped(d finding.Drops, time int64) {
	b := x.j.beginRecord("drops")
	b.time("time", time)
	b.int("kernel", d.Kernel)
	b.int("ring", d.Ring)
	b.int("shed", d.Shed)
	x.j.endRecord()
}
