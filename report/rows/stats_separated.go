package rows

import (
	"io"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/stats"
)

// SeparatedStats writes statistics for programs: a row for each operation of each connection when
// that has ended, then of all together, which have no connection. It is a dissect.Sink.
type SeparatedStats struct {
	*stats.Gatherer
	t    *Text
	more bool // the row goes on
}

// NewSeparatedStats returns one that writes to w; the options say what separates cells.
func NewSeparatedStats(w io.Writer, opts listing.Options) *SeparatedStats {
	s := &SeparatedStats{t: NewText(w, opts)}
	s.Gatherer = stats.New(s.ended)
	if opts.Filter != nil {
		s.Only = opts.Filter.RPC
	}
	return s
}

// heading writes the names of the columns, once.
func (s *SeparatedStats) heading() {
	if s.t.headed {
		return
	}
	s.t.headed = true
	for _, name := range s.names() {
		s.text(name)
	}
	s.end()
}

// Part returns a Part that counts for s.
func (s *SeparatedStats) Part(d *dissect.Dissector) dissect.Part {
	return draft.NewStats(s.Gatherer, d, s.t.opts.Counted(), nil)
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *SeparatedStats) Flush() error { return s.t.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *SeparatedStats) Err() error { return s.t.Err() }

// Finish writes the totals, and everything out.
func (s *SeparatedStats) Finish(dissect.Summary, time.Duration) error {
	s.table(&s.Totals, 0)
	return s.t.Flush()
}

// ended writes what a connection came to.
func (s *SeparatedStats) ended(c *dissect.Connection, of *stats.Connection) { s.table(&of.Table, c.ID) }

// names are those of the columns.
func (s *SeparatedStats) names() []string {
	names := []string{"connection", "operation", "calls", "replies", "unanswered", "incomplete", "errors",
		"call_bytes", "reply_bytes", "rdma_read_bytes", "rdma_write_bytes", "min"}
	for _, p := range words.Percentiles {
		names = append(names, "p"+strconv.Itoa(p))
	}
	return append(names, "max")
}

// table writes a row for each operation; those of all connections have none.
func (s *SeparatedStats) table(of *stats.Table, connection int) {
	s.heading()
	list := of.Rows()
	if of.Others != nil {
		list = append(list, of.Others)
	}
	for _, o := range list {
		if connection == 0 {
			s.text("")
		} else {
			s.number(uint64(connection))
		}
		s.text(words.RowName(&o.Subject, o.Name))
		for _, n := range [...]int64{o.Calls, o.Replies, o.Unanswered, o.Incomplete, o.Failed} {
			s.number(uint64(n))
		}
		for _, n := range [...]uint64{o.CallOctets, o.ReplyOctets, o.ReadOctets, o.WriteOctets} {
			s.number(n)
		}
		s.latency(o.Latency.Count > 0, o.Latency.Min)
		for _, p := range words.Percentiles {
			s.latency(o.Latency.Count > 0, o.Latency.Percentile(p))
		}
		s.latency(o.Latency.Count > 0, o.Latency.Max)
		s.end()
	}
}

// text appends a cell, and number one with a number.
func (s *SeparatedStats) text(text string) {
	at := s.next()
	s.t.B = append(s.t.B, text...)
	s.t.B = quoted(s.t.B, at, s.t.opts.Separator)
}

func (s *SeparatedStats) number(n uint64) {
	s.next()
	s.t.B = strconv.AppendUint(s.t.B, n, 10)
}

// latency appends a length of time in seconds, nothing if none is known.
func (s *SeparatedStats) latency(known bool, ns int64) {
	if s.next(); known {
		s.t.seconds(ns)
	}
}

// next parts a cell from the one before, and returns where it begins.
func (s *SeparatedStats) next() int {
	if s.more {
		s.t.B = append(s.t.B, s.t.opts.Separator)
	}
	s.more = true
	return len(s.t.B)
}

func (s *SeparatedStats) end() {
	s.more = false
	s.t.End()
}
