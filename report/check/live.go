package check

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// live is what a Check knows that tells findings as soon as they are reported: in a line or a
// record of its own, and again with all that came of it when its connection is over.
type live struct {
	on    bool
	drops finding.Drops
	// ordered are the views that shards have told of findings in their order.
	ordered []*View
	// until is what the views were told last by reach.
	until int64
}

// goLive has findings told at once.
func (c *Check) goLive() {
	c.live.on = true
	for i := range c.opts.Views {
		if v := &c.opts.Views[i]; v.ordered() {
			c.live.ordered = append(c.live.ordered, v)
		}
	}
	c.found.NumberEarly()
	if c.form.NumberBy != nil {
		c.form.NumberBy(c.found.Number)
	}
	c.checker.Watch(c)
	c.onNewFindings = func() {
		c.crossConnection.EmitNewFindings(nil, nil, func(n rules.NewFinding) { c.reportedAcross(n.Finding, c.live.until) })
	}
}

// passed tells those that want only findings that a frame was.
func (l *live) passed(time int64) {
	for _, v := range l.ordered {
		if v.All == nil {
			v.reached(time)
		}
	}
}

// NewFinding implements rules.Watcher.
func (c *Check) NewFinding(f *finding.Finding, _ *dissect.RPC) {
	if c.opts.Selection.Has(f) {
		c.write(f)
		c.show(f)
	}
}

// RPCChecked implements rules.Watcher.
func (c *Check) RPCChecked(*dissect.RPC, []rules.Reported) {}

// write has the form write a finding that was just reported.
func (c *Check) write(f *finding.Finding) {
	if c.form.Live == nil {
		return
	}
	id := int64(0)
	if !f.Ongoing {
		id = c.found.Number(f)
	}
	c.form.Live.NewFinding(f, id)
}

// show tells the views of it.
func (c *Check) show(f *finding.Finding) {
	for _, v := range c.opts.Views {
		if v.NewFinding != nil {
			v.NewFinding(f)
		}
	}
}

// Dropped writes how many frames were dropped so far, if there are more than before, at a
// time in nanoseconds since 1970, and reports whether there are.
func (c *Check) Dropped(d finding.Drops, time int64) bool {
	if d == c.live.drops {
		return false
	}
	c.live.drops = d
	if c.form.Live != nil {
		c.form.Live.Dropped(d, time)
	}
	for _, v := range c.opts.Views {
		if v.Dropped != nil {
			v.Dropped(d, time)
		}
	}
	return true
}

// later tells the views that are told in order of a finding of a shard; newest is the newest time
// before.
func (l *live) later(f *finding.Finding, newest int64) {
	for _, v := range l.ordered {
		v.reached(newest)
		if v.NewFinding != nil {
			v.NewFinding(f)
		}
	}
}

// reportedAcross writes and tells a finding that was reported across connections.
func (c *Check) reportedAcross(f *finding.Finding, newest int64) {
	if !c.opts.Selection.Has(f) {
		return
	}
	if of := f.Connection; of == nil || c.form.Records == nil || c.form.Records.Has(of) {
		c.write(f)
	} else {
		c.crossConnection.Pause(func() { c.write(f) }) // its record is written first
	}
	c.reach(newest)
	c.show(f)
}

// reach tells the views up to where all was told.
func (c *Check) reach(time int64) {
	for _, v := range c.opts.Views {
		v.reached(time)
	}
}
