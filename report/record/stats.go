package record

import (
	"io"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// Stats writes statistics as records: of each connection when it has ended,
// then of all together. It is a dissect.Sink.
type Stats struct {
	*stats.Gatherer
	j    *JSON
	opts listing.Options
}

// NewStats returns a StatsJSON that writes to w: one array, or one object a line.
func NewStats(w io.Writer, array bool, opts listing.Options) *Stats {
	s := &Stats{opts: opts}
	s.Gatherer = stats.New(s.ended)
	if opts.Filter != nil {
		s.Only = opts.Filter.RPC
	}
	opts.Filter = nil // there are records of all connections
	s.j = NewJSON(w, array, opts)
	return s
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *Stats) Flush() error { return s.j.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *Stats) Err() error { return s.j.Err() }

// Connection writes the connection's record before all that name it.
func (s *Stats) Connection(c *dissect.Connection, final bool) {
	if !final {
		s.j.Connection(c, false)
	}
	s.Gatherer.Connection(c, final)
}

// ended writes what a connection came to, and its final record.
func (s *Stats) ended(c *dissect.Connection, of *stats.Connection) {
	if s.Only != nil && of.RPCs == 0 {
		s.j.Connection(c, true)
		return // nothing else of it was asked for
	}
	for _, o := range of.Table.Rows() {
		s.operation(o, c.ID)
	}
	b := s.j.beginRecord("connection_statistics")
	b.int("connection", int64(c.ID))
	b.seconds("seconds", c.LastTime-c.FirstTime)
	b.int("rpcs", of.RPCs)
	b.int("unlisted_rpcs", of.Unlisted)
	for _, toServer := range [...]bool{true, false} {
		b.object("calls_to_" + words.Receiver(toServer))
		calls := of.CallsOf(c, toServer)
		b.int("calls", calls.Count)
		b.int("most_open", int64(calls.MostOpen))
		credits(b, "credits_requested", &calls.Requested)
		credits(b, "credits_granted", &calls.Granted)
		b.Close('}')
	}
	for _, toServer := range [...]bool{true, false} {
		b.object("sends_to_" + words.Receiver(toServer))
		sends := of.SendsOf(c, toServer)
		b.int("sends", sends.Count)
		b.int("longest", int64(sends.Longest))
		b.int("invalidates", sends.Invalidates)
		b.Close('}')
	}
	s.j.endRecord()
	s.j.Connection(c, true)
}

// credits appends which values there were, null if there were none.
func credits(b *buffer, name string, r *stats.Range) {
	if r.Count == 0 {
		b.null(name)
		return
	}
	b.object(name)
	b.uint("min", uint64(r.Min))
	b.uint("max", uint64(r.Max))
	b.uint("last", uint64(r.Last))
	b.Close('}')
}

// operation writes a row of a connection, or with connection 0 of all.
func (s *Stats) operation(o *stats.Operation, connection int) {
	b := s.j.beginRecord("operation")
	if connection == 0 {
		b.null("connection")
	} else {
		b.int("connection", int64(connection))
	}
	subject(b, &o.Subject, o.Name)
	b.int("calls", o.Calls)
	b.int("replies", o.Replies)
	b.int("unanswered", o.Unanswered)
	b.int("incomplete", o.Incomplete)
	failures(b, &o.Errors)
	b.uint("call_bytes", o.CallBytes)
	b.uint("reply_bytes", o.ReplyBytes)
	b.uint("rdma_read_bytes", o.ReadBytes)
	b.uint("rdma_write_bytes", o.WriteBytes)
	transfers(b, "call_transfer", &o.CallTransfers)
	transfers(b, "reply_transfer", &o.ReplyTransfers)
	latencies(b, &o.Latency)
	b.object("parts_ns")
	for x := range dissect.NumPhases {
		b.int(x.String(), o.Parts[x])
	}
	b.Close('}')
	s.j.endRecord()
}

// subject appends what is counted in a row.
func subject(b *buffer, s *stats.Subject, name string) {
	b.str("name", name)
	b.bool("reverse", s.Reverse)
	if !s.Known {
		for _, name := range [...]string{"program", "version", "procedure"} {
			b.null(name)
		}
	} else {
		if s.Program == 0 {
			b.null("program") // of an NFS callback: each client has its own
		} else {
			b.uint("program", uint64(s.Program))
		}
		b.uint("version", uint64(s.Version))
		b.uint("procedure", uint64(s.Procedure))
	}
	if s.GSS != rpc.GSSData {
		b.str("gss_proc", s.GSS.String())
	}
	b.strOrNull("operation", s.Operation)
}

func failures(b *buffer, n *stats.Names) {
	list, others := n.List()
	b.int("errors", n.Total)
	b.list("errors_by_name")
	for _, e := range list {
		b.object("")
		b.str("name", e.Name)
		b.int("count", e.Count)
		b.Close('}')
	}
	b.Close(']')
	b.int("errors_of_other_names", others)
}

func transfers(b *buffer, name string, t *stats.Transfers) {
	b.object(name)
	b.int("inline", t.Inline)
	b.int("chunked", t.Chunked)
	b.int("long", t.Long)
	b.Close('}')
}

// latencies appends the distribution of latencies in nanoseconds, null if there
// are none.
func latencies(b *buffer, h *latency.Histogram) {
	if h.Count == 0 {
		b.null("latency_ns")
		return
	}
	b.object("latency_ns")
	b.int("count", h.Count)
	b.int("min", h.Min)
	for _, p := range stats.Percentiles {
		b.int("p"+strconv.Itoa(p), h.Percentile(p))
	}
	b.int("max", h.Max)
	b.Close('}')
}

// Finish writes the totals, the summary record and everything out.
func (s *Stats) Finish(sum dissect.Summary, elapsed time.Duration) error {
	rows, _ := s.Totals.Listed(stats.Order{})
	for _, o := range rows {
		s.operation(o, 0)
	}
	parts := s.Parts.Rows()
	if s.Parts.Others != nil {
		parts = append(parts, s.Parts.Others)
	}
	for _, p := range parts {
		b := s.j.beginRecord("compound_operation")
		subject(b, &p.Subject, p.Name)
		b.int("calls", p.Calls)
		b.int("replies", p.Replies)
		b.int("not_reached", p.NotReached)
		failures(b, &p.Errors)
		s.j.endRecord()
	}
	return s.j.Finish(sum, elapsed)
}

// Part returns a Part that counts for s.
func (s *Stats) Part(d *dissect.Dissector) dissect.Part {
	_, p := s.j.part(d)
	return draft.NewStats(s.Gatherer, d, s.opts.Counted(), p)
}
