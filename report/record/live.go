package record

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// NewLive returns a Live that writes records to w, one object a line.
func NewLive(w io.Writer, o finding.LiveOptions) *finding.Live {
	j := NewJSON(w, false, o.Options)
	l := finding.NewLive(&liveJSON{findingsJSON{j}, o}, o)
	j.numberOf = l.Number
	return l
}

// liveJSON is the form in JSON.
type liveJSON struct {
	findingsJSON
	opts finding.LiveOptions
}

// Rows implements finding.LiveForm.
func (x *liveJSON) Rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.j
}

// Part implements finding.LiveForm.
func (x *liveJSON) Part(d *dissect.Dissector) (finding.LiveForm, *draft.Part) {
	p := x.j.part(d)
	return &liveJSON{findingsJSON{p.Out.(*JSON)}, x.opts}, p
}

// Told implements finding.LiveForm.
func (x *liveJSON) Told(c *dissect.Connection) bool {
	_, told := x.j.told[c]
	return told
}

// Spare implements finding.LiveForm.
func (x *liveJSON) Spare(c *dissect.Connection) { x.j.spare(c) }

// Forget implements finding.LiveForm.
func (x *liveJSON) Forget(c *dissect.Connection) { x.j.Forget(c) }

// Shardable is false with a filter: a finding shows a connection that has no row, and whether
// one has is known to its shard, while findings are also said across connections.
func (x *liveJSON) Shardable() bool { return x.j.selection.All }

// Connection implements finding.LiveForm.
func (x *liveJSON) Connection(*dissect.Connection, bool) {} // announce and found write them

// Fresh implements finding.LiveForm.
func (x *liveJSON) Fresh(f *rules.Finding, id int64) {
	if f.Connection != nil {
		x.j.row(f.Connection)
	}
	b := x.j.begin("finding")
	x.j.finding(b, f, map[*rules.Finding]int64{f: id})
	b.bool("final", false)
	x.j.end()
}

// Found implements finding.Form.
func (x *liveJSON) Found(f *finding.Found) {
	if f.Connection != nil && len(f.Roots) > 0 {
		x.j.row(f.Connection)
	}
	f.All(func(one *rules.Finding) {
		b := x.j.begin("finding")
		x.j.finding(b, one, f.Ids)
		b.bool("final", true)
		x.j.end()
	})
	f.Roots = nil
	x.findingsJSON.Found(f)
}

// Dropped implements finding.LiveForm.
func (x *liveJSON) Dropped(d finding.Drops, time int64) {
	b := x.j.begin("drops")
	b.time("time", time)
	b.int("kernel", d.Kernel)
	b.int("ring", d.Ring)
	b.int("shed", d.Shed)
	x.j.end()
}
