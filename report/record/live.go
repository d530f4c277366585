package record

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
)

// NewLive returns a form of live output that writes records to w, one object a line.
func NewLive(w io.Writer, o listing.Options) check.LiveForm {
	return &liveJSON{findingsJSON{NewJSON(w, false, o)}, o}
}

// NumberBy implements check.LiveForm.
func (x *liveJSON) NumberBy(number func(f *finding.Finding) int64) { x.j.numberOf = number }

// liveJSON is the form in JSON.
type liveJSON struct {
	findingsJSON
	opts listing.Options
}

// Rows implements check.LiveForm.
func (x *liveJSON) Rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.j
}

// Part implements check.LiveForm.
func (x *liveJSON) Part(d *dissect.Dissector) (check.LiveForm, *draft.Part) {
	p := x.j.part(d)
	return &liveJSON{findingsJSON{p.Out.(*JSON)}, x.opts}, p
}

// Told implements check.LiveForm.
func (x *liveJSON) Told(c *dissect.Connection) bool {
	_, told := x.j.told[c]
	return told
}

// Spare implements check.LiveForm.
func (x *liveJSON) Spare(c *dissect.Connection) { x.j.spare(c) }

// Forget implements check.LiveForm.
func (x *liveJSON) Forget(c *dissect.Connection) { x.j.Forget(c) }

// Shardable is false with a filter: a finding shows a connection that has no row, and whether
// one has is known to its shard, while findings are also said across connections.
func (x *liveJSON) Shardable() bool { return x.j.selection.All && x.opts.Shardable() }

// Connection implements check.LiveForm.
func (x *liveJSON) Connection(*dissect.Connection, bool) {} // announce and found write them

// Fresh implements check.LiveForm.
func (x *liveJSON) Fresh(f *finding.Finding, id int64) {
	if f.Connection != nil {
		x.j.row(f.Connection)
	}
	b := x.j.begin("finding")
	x.j.finding(b, f, map[*finding.Finding]int64{f: id})
	b.bool("final", false)
	x.j.end()
}

// Found implements finding.Form.
func (x *liveJSON) Found(f *finding.Found) {
	if f.Connection != nil && len(f.Roots) > 0 {
		x.j.row(f.Connection)
	}
	f.All(func(one *finding.Finding) {
		b := x.j.begin("finding")
		x.j.finding(b, one, f.Ids)
		b.bool("final", true)
		x.j.end()
	})
	f.Roots = nil
	x.findingsJSON.Found(f)
}

// Dropped implements check.LiveForm.
func (x *liveJSON) Dropped(d finding.Drops, time int64) {
	b := x.j.begin("drops")
	b.time("time", time)
	b.int("kernel", d.Kernel)
	b.int("ring", d.Ring)
	b.int("shed", d.Shed)
	x.j.end()
}
