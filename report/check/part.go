package check

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
)

// Shardable reports whether shards may have Parts of it.
func (c *Check) Shardable() bool {
	return !c.form.Whole && !slices.ContainsFunc(c.opts.Views, func(v View) bool { return !v.shardable() })
}

// A part does for the connections of one shard what a Check does for all: it reports what drafts
// rows, then the rules, then the parts and notes of views. It is a dissect.Part.
type part struct {
	*dissect.Tee
	shard *shard
}

// Part returns a Part that does the work of c, whose own methods as a Sink are not called
// then. It is Shardable.
func (c *Check) Part(d *dissect.Dissector) dissect.Part {
	s := c.shard(d)
	sinks := make([]dissect.Sink, 0, 4)
	if c.form.Shard != nil {
		if s.form, s.rows = c.form.Shard(d); s.form.Rows != nil {
			sinks = append(sinks, s.rows)
		}
	}
	sinks = append(sinks, s)
	if c.live.on {
		s.goLive()
	}
	for _, v := range s.views {
		sinks = append(sinks, v)
	}
	for _, n := range s.notes {
		sinks = append(sinks, n)
	}
	return &part{dissect.NewTee(sinks...), s}
}

// Flush is that of dissect.Part.
func (p *part) Flush() dissect.Queue { return p.shard.cut() }
