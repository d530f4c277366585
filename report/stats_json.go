package report

import (
	"io"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/stats"
)

// StatsJSON writes statistics as records: of each connection when it has ended,
// then of all together. It is a dissect.Sink.
type StatsJSON struct {
	*stats.Gatherer
	j *JSON
}

// NewStatsJSON returns a StatsJSON that writes to w: one array, or one object a line.
func NewStatsJSON(w io.Writer, array bool, opts Options) *StatsJSON {
	s := &StatsJSON{j: NewJSON(w, array, opts)}
	s.Gatherer = stats.New(s.ended)
	return s
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *StatsJSON) Flush() error { return s.j.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *StatsJSON) Err() error { return s.j.Err() }

// Connection writes the connection's record before all that name it.
func (s *StatsJSON) Connection(c *dissect.Connection, final bool) {
	if !final {
		s.j.Connection(c, false)
	}
	s.Gatherer.Connection(c, final)
}

// ended writes what a connection came to, and its final record.
func (s *StatsJSON) ended(c *dissect.Connection, of *stats.Connection) {
	for _, o := range of.Table.Rows() {
		s.operation(o, c.ID)
	}
	b := s.j.begin("connection_statistics")
	b.int("connection", int64(c.ID))
	b.seconds("seconds", c.LastTime-c.FirstTime)
	b.int("rpcs", of.RPCs)
	b.int("unlisted_rpcs", of.Unlisted)
	for _, toServer := range [...]bool{true, false} {
		b.object("calls_to_" + receiver(toServer))
		calls := of.CallsOf(c, toServer)
		b.int("calls", calls.Count)
		b.int("most_open", int64(calls.MostOpen))
		credits(b, "credits_requested", &calls.Requested)
		credits(b, "credits_granted", &calls.Granted)
		b.close('}')
	}
	for _, toServer := range [...]bool{true, false} {
		b.object("sends_to_" + receiver(toServer))
		sends := of.SendsOf(c, toServer)
		b.int("sends", sends.Count)
		b.int("longest", int64(sends.Longest))
		b.int("invalidates", sends.Invalidates)
		b.close('}')
	}
	s.j.end()
	s.j.Connection(c, true)
}

// credits appends which values there were, null if there were none.
func credits(b *jsonBuffer, name string, r *stats.Range) {
	if r.Count == 0 {
		b.null(name)
		return
	}
	b.object(name)
	b.uint("min", uint64(r.Min))
	b.uint("max", uint64(r.Max))
	b.uint("last", uint64(r.Last))
	b.close('}')
}

// operation writes a row of a connection, or with connection 0 of all.
func (s *StatsJSON) operation(o *stats.Operation, connection int) {
	b := s.j.begin("operation")
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
	b.uint("call_bytes", o.CallOctets)
	b.uint("reply_bytes", o.ReplyOctets)
	b.uint("rdma_read_bytes", o.ReadOctets)
	b.uint("rdma_write_bytes", o.WriteOctets)
	transfers(b, "call_transfer", &o.CallTransfers)
	transfers(b, "reply_transfer", &o.ReplyTransfers)
	latency(b, &o.Latency)
	s.j.end()
}

// subject appends what is counted in a row.
func subject(b *jsonBuffer, s *stats.Subject, name string) {
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

func failures(b *jsonBuffer, n *stats.Names) {
	list, others := n.List()
	b.int("errors", n.Total)
	b.list("errors_by_name")
	for _, e := range list {
		b.object("")
		b.str("name", e.Name)
		b.int("count", e.Count)
		b.close('}')
	}
	b.close(']')
	b.int("errors_of_other_names", others)
}

func transfers(b *jsonBuffer, name string, t *stats.Transfers) {
	b.object(name)
	b.int("inline", t.Inline)
	b.int("chunked", t.Chunked)
	b.int("long", t.Long)
	b.close('}')
}

// latency appends the distribution of latencies in nanoseconds, null if there
// are none.
func latency(b *jsonBuffer, h *stats.Histogram) {
	if h.Count == 0 {
		b.null("latency_ns")
		return
	}
	b.object("latency_ns")
	b.int("count", h.Count)
	b.int("min", h.Min)
	for _, p := range percentiles {
		b.int("p"+strconv.Itoa(p), h.Percentile(p))
	}
	b.int("max", h.Max)
	b.close('}')
}

// Finish writes the totals, the summary record and everything out.
func (s *StatsJSON) Finish(sum dissect.Summary, elapsed time.Duration) error {
	rows := s.Totals.Rows()
	if s.Totals.Others != nil {
		rows = append(rows, s.Totals.Others)
	}
	for _, o := range rows {
		s.operation(o, 0)
	}
	parts := s.Parts.Rows()
	if s.Parts.Others != nil {
		parts = append(parts, s.Parts.Others)
	}
	for _, p := range parts {
		b := s.j.begin("compound_operation")
		subject(b, &p.Subject, p.Name)
		b.int("calls", p.Calls)
		b.int("replies", p.Replies)
		b.int("not_reached", p.NotReached)
		failures(b, &p.Errors)
		s.j.end()
	}
	return s.j.Finish(sum, elapsed)
}
