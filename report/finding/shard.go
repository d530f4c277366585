package finding

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Shard runs the rules over the connections of one shard, for a form that has more to tell
// of them than findings, and so keeps all of it itself until that is put together: what its
// Checker posts is then for Findings.Across.
type Shard struct {
	*rules.Checker
	part *findingsPart
}

// Shard returns a Shard. The methods of f as a Sink are not called then.
func (f *Findings) Shard(d *dissect.Dissector) *Shard {
	p := f.part(d)
	return &Shard{p.Checker, p}
}

// Here is where in the capture the shard is, of which it tells its Checker: it is to be
// called before each event.
func (s *Shard) Here() flow.Position { return s.part.here() }

// Across is what takes what Shards post.
func (f *Findings) Across() *rules.Across { return f.across }

// AtEnd has a function called when there may be findings of Across that were not told of, at the
// end of the captures.
func (f *Findings) AtEnd(news func()) { f.news = news }
