package check

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Shard runs the rules over the connections of one shard, for a form that has more to tell
// of them than findings, and so keeps all of it itself until that is put together: what its
// Checker posts is then for Check.CrossConnection.
type Shard struct {
	*rules.Checker
	of *shard
}

// Shard returns a Shard. The methods of c as a Sink are not called then.
func (c *Check) Shard(d *dissect.Dissector) *Shard {
	c.crossConnection.KeepNewFindings()
	s := c.shard(d)
	return &Shard{s.checker, s}
}

// Here is where in the capture the shard is, of which it tells its Checker: it is to be
// called before each event.
func (s *Shard) Here() flow.Position { return s.of.here() }

// CrossConnection is what takes what Shards post.
func (c *Check) CrossConnection() *rules.CrossConnection { return c.crossConnection }

// AtEnd has a function called at the end of the captures, when there may be findings of CrossConnection
// that were not told of, where Shards run the rules.
func (c *Check) AtEnd(news func()) { c.onNewFindings = news }
