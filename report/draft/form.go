package draft

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Form is a form of findings, with what it needs besides, as data: what is nil it does not
// need.
type Form struct {
	finding.Form
	// Out is where it writes before the end.
	Out Writer
	// Starts takes when the captures begin, in nanoseconds since 1970: the first time counts
	// that is not 0.
	Starts func(ns int64)
	// Rows lists what is listed beside findings.
	Rows dissect.Sink
	// Live writes what is to be reported at once.
	Live Live
	// Records are those of connections.
	Records Records
	// Shard returns the form in which one shard writes while connections go on, and what has
	// its drafts.
	Shard func(d *dissect.Dissector) (Form, *Part)
	// Whole says that shards cannot write it: all connections have to come to one.
	Whole bool
	// Repeats is how many Repeats of a finding it shows: no more are kept.
	Repeats int
	// NumberBy is told who knows the numbers of findings, for drafts that have some.
	NumberBy func(number func(f *finding.Finding) int64)
}

// A Writer gathers what is written.
type Writer interface {
	// Flush writes what was gathered and returns the first error of the writer, Err is that
	// error: nobody reads on.
	Flush() error
	Err() error
}

// Live is what a form writes before connections are over.
type Live interface {
	// NewFinding writes a finding that was just reported; id is its number.
	NewFinding(f *finding.Finding, id int64)
	// Dropped writes that frames were dropped by a time in nanoseconds since 1970.
	Dropped(d finding.Drops, time int64)
}

// Records are records of connections, of which the first comes before all that names its
// connection.
type Records interface {
	// Announce writes the first, unless there is one.
	Announce(c *dissect.Connection)
	// Has reports whether there is one of a connection that is not over.
	Has(c *dissect.Connection) bool
	// Prepare writes the first in a draft, in case it has to be told sooner than by the shard.
	Prepare(c *dissect.Connection)
	// Forget lets go of a connection that is over.
	Forget(c *dissect.Connection)
}
