package rows

import (
	"io"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// Part returns a Part that counts for s.
func (s *Stats) Part(d *dissect.Dissector) dissect.Part {
	return draft.NewStats(s.Gatherer, d, s.opts.Counted(), nil)
}

// Stats writes statistics for a person: of each connection when it has
// ended, then of all together. It is a dissect.Sink.
type Stats struct {
	*stats.Gatherer
	t    *Text
	opts listing.Options
	// order says which operations are listed of each table.
	order stats.Order
}

// NewStats returns one that writes to w. The order says which operations it lists of a connection,
// and of all.
func NewStats(w io.Writer, opts listing.Options, order stats.Order) *Stats {
	of := opts
	of.Filter = nil // what it lets through is counted, and nothing of it listed
	s := &Stats{opts: opts, t: NewText(w, of), order: order}
	s.Gatherer = stats.New(s.ended)
	if opts.Filter != nil {
		s.Only = opts.Filter.RPC
	}
	return s
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *Stats) Flush() error { return s.t.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *Stats) Err() error { return s.t.Err() }

// ended prints what a connection came to.
func (s *Stats) ended(c *dissect.Connection, of *stats.Connection) {
	t := s.t
	if s.Only != nil && of.RPCs == 0 {
		return // nothing of it was asked for
	}
	t.Opening(c)
	if c.LastTime > c.FirstTime {
		t.more()
		t.B = append(t.B, "lasted "...)
		t.B = field.AppendDuration(t.B, c.LastTime-c.FirstTime)
		t.endFit()
	}
	for _, toServer := range [...]bool{true, false} {
		s.calls(c, of, toServer)
	}
	s.sends(c, of)
	if s.Only != nil {
		t.more()
		t.B = append(t.B, "these are totals of the connection; the table covers only the "...)
		t.B = words.AppendCount(t.B, of.RPCs, "RPC")
		t.B = append(t.B, " selected"...)
		t.endFit()
	}
	s.operations(&of.Table)
	if of.Unlisted > 0 {
		t.more()
		t.B = words.AppendCount(t.B, of.Unlisted, "RPC")
		t.B = append(t.B, " more, in too many operations to list"...)
		t.endFit()
	}
	t.Closing(c)
	t.End()
}

// calls prints what the calls in one direction asked for and got.
func (s *Stats) calls(c *dissect.Connection, of *stats.Connection, toServer bool) {
	t, calls := s.t, of.CallsOf(c, toServer)
	if calls.Count+calls.Granted.Count == 0 {
		return
	}
	t.more()
	t.B = words.AppendCount(t.B, calls.Count, "call")
	t.B = append(t.B, " to "...)
	t.B = append(t.B, words.Receiver(toServer)...)
	t.B = append(t.B, ", at most "...)
	t.B = strconv.AppendInt(t.B, int64(calls.MostOpen), 10)
	t.B = append(t.B, " open at a time; credits requested "...)
	t.B = words.AppendRange(t.B, &calls.Requested)
	t.B = append(t.B, ", granted "...)
	t.B = words.AppendRange(t.B, &calls.Granted)
	t.endFit()
}

// sends prints how close the Sends of both ends came to the inline thresholds.
func (s *Stats) sends(c *dissect.Connection, of *stats.Connection) {
	t := s.t
	begun := false
	for _, toServer := range [...]bool{true, false} {
		sends := of.SendsOf(c, toServer)
		if sends.Count == 0 {
			continue
		}
		if begun {
			t.B = append(t.B, ", "...)
		} else {
			t.more()
			t.B = append(t.B, "longest Send "...)
		}
		begun = true
		t.B = words.AppendCount(t.B, int64(sends.Longest), "byte")
		t.B = append(t.B, " to "...)
		t.B = append(t.B, words.Receiver(toServer)...)
		if sends.Invalidates > 0 {
			t.B = append(t.B, " ("...)
			t.B = strconv.AppendInt(t.B, sends.Invalidates, 10)
			t.B = append(t.B, " of "...)
			t.B = words.AppendCount(t.B, sends.Count, "Send")
			t.B = append(t.B, " with Invalidate)"...)
		}
	}
	if begun {
		t.endFit()
	}
}

// Finish prints the totals and the summary line, and writes everything out.
func (s *Stats) Finish(sum dissect.Summary, elapsed time.Duration) error {
	t := s.t
	if s.Connections > 1 {
		t.B = t.Style.Heading.Append(t.B, lines.Mark+"all connections")
		t.End()
		s.operations(&s.Totals)
		t.End()
	}
	if parts := s.Parts.Rows(); len(parts) > 0 {
		t.B = t.Style.Heading.Append(t.B, lines.Mark+"operations inside COMPOUNDs, all connections")
		t.End()
		if s.Parts.Others != nil {
			parts = append(parts, s.Parts.Others)
		}
		t.parts(parts)
		t.End()
	}
	return t.Finish(sum, elapsed)
}
