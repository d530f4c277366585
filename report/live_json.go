package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// liveJSON is the form in JSON.
type liveJSON struct {
	findingsJSON
	opts LiveOptions
}

func (x *liveJSON) rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.j
}

func (x *liveJSON) part(d *dissect.Dissector) (liveForm, *rowsPart) {
	p := x.j.part(d)
	return &liveJSON{findingsJSON{p.out.(*JSON)}, x.opts}, p
}

func (x *liveJSON) told(c *dissect.Connection) bool {
	_, told := x.j.told[c]
	return told
}

func (x *liveJSON) spare(c *dissect.Connection)  { x.j.spare(c) }
func (x *liveJSON) forget(c *dissect.Connection) { delete(x.j.told, c) }

// shardable is false with a filter: a finding shows a connection that has no row, and whether
// one has is known to its shard, while findings are also said across connections.
func (x *liveJSON) shardable() bool { return x.j.selection.all }

func (x *liveJSON) connection(*dissect.Connection, bool) {} // announce and found write them

func (x *liveJSON) fresh(f *rules.Finding, id int64) {
	if f.Connection != nil {
		x.j.row(f.Connection)
	}
	b := x.j.begin("finding")
	x.j.finding(b, f, map[*rules.Finding]int64{f: id})
	b.bool("final", false)
	x.j.end()
}

func (x *liveJSON) found(f *found) {
	if f.connection != nil && len(f.roots) > 0 {
		x.j.row(f.connection)
	}
	f.all(func(one *rules.Finding) {
		b := x.j.begin("finding")
		x.j.finding(b, one, f.ids)
		b.bool("final", true)
		x.j.end()
	})
	f.roots = nil
	x.findingsJSON.found(f)
}

func (x *liveJSON) dropped(d Drops, time int64) {
	b := x.j.begin("drops")
	b.time("time", time)
	b.int("kernel", d.Kernel)
	b.int("ring", d.Ring)
	b.int("shed", d.Shed)
	x.j.end()
}
