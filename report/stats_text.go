package report

import (
	"io"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/stats"
)

// StatsText writes statistics for a person: of each connection when it has
// ended, then of all together. It is a dissect.Sink.
type StatsText struct {
	*stats.Gatherer
	t *Text
}

// NewStatsText returns a StatsText that writes to w.
func NewStatsText(w io.Writer, opts Options) *StatsText {
	s := &StatsText{t: NewText(w, opts)}
	s.Gatherer = stats.New(s.ended)
	return s
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *StatsText) Flush() error { return s.t.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *StatsText) Err() error { return s.t.Err() }

// ended prints what a connection came to.
func (s *StatsText) ended(c *dissect.Connection, of *stats.Connection) {
	t := s.t
	t.connectionStart(c)
	if c.LastTime > c.FirstTime {
		t.more()
		t.b = append(t.b, "lasted "...)
		t.b = field.AppendDuration(t.b, c.LastTime-c.FirstTime)
		t.endRow()
	}
	for _, toServer := range [...]bool{true, false} {
		s.calls(c, of, toServer)
	}
	s.sends(c, of)
	s.table(&of.Table)
	if of.Unlisted > 0 {
		t.more()
		t.b = appendCount(t.b, of.Unlisted, "RPC")
		t.b = append(t.b, " more, of too many operations to list"...)
		t.endRow()
	}
	t.connectionEnd(c)
	t.endRow()
}

// more begins a further line about a connection.
func (t *Text) more() { t.b = append(t.b, connectionMore...) }

// calls prints what the calls in one direction asked for and got.
func (s *StatsText) calls(c *dissect.Connection, of *stats.Connection, toServer bool) {
	t, calls := s.t, of.CallsOf(c, toServer)
	if calls.Count+calls.Granted.Count == 0 {
		return
	}
	t.more()
	t.b = appendCount(t.b, calls.Count, "call")
	t.b = append(t.b, " to "...)
	t.b = append(t.b, receiver(toServer)...)
	t.b = append(t.b, ", at most "...)
	t.b = strconv.AppendInt(t.b, int64(calls.MostOpen), 10)
	t.b = append(t.b, " open at once; credits requested "...)
	t.b = appendRange(t.b, &calls.Requested)
	t.b = append(t.b, ", granted "...)
	t.b = appendRange(t.b, &calls.Granted)
	t.endRow()
}

// appendRange appends the one value that all had, or which there were.
func appendRange(b []byte, r *stats.Range) []byte {
	switch {
	case r.Count == 0:
		return append(b, "none"...)
	case r.Min == r.Max:
		return strconv.AppendUint(b, uint64(r.Min), 10)
	}
	b = strconv.AppendUint(b, uint64(r.Min), 10)
	b = append(b, " to "...)
	b = strconv.AppendUint(b, uint64(r.Max), 10)
	b = append(b, " (last "...)
	b = strconv.AppendUint(b, uint64(r.Last), 10)
	return append(b, ')')
}

// sends prints how close the Sends of both ends came to the inline thresholds.
func (s *StatsText) sends(c *dissect.Connection, of *stats.Connection) {
	t := s.t
	begun := false
	for _, toServer := range [...]bool{true, false} {
		sends := of.SendsOf(c, toServer)
		if sends.Count == 0 {
			continue
		}
		if begun {
			t.b = append(t.b, ", "...)
		} else {
			t.more()
			t.b = append(t.b, "longest Send "...)
		}
		begun = true
		t.b = appendCount(t.b, int64(sends.Longest), "octet")
		t.b = append(t.b, " to "...)
		t.b = append(t.b, receiver(toServer)...)
		if sends.Invalidates > 0 {
			t.b = append(t.b, " ("...)
			t.b = strconv.AppendInt(t.b, sends.Invalidates, 10)
			t.b = append(t.b, " of "...)
			t.b = appendCount(t.b, sends.Count, "Send")
			t.b = append(t.b, " with Invalidate)"...)
		}
	}
	if begun {
		t.endRow()
	}
}

func receiver(toServer bool) string {
	if toServer {
		return "server"
	}
	return "client"
}

// Finish prints the totals and the summary line, and writes everything out.
func (s *StatsText) Finish(sum dissect.Summary, elapsed time.Duration) error {
	t := s.t
	if s.Connections > 1 {
		t.b = t.style.heading.append(t.b, connectionMark+"all connections")
		t.endRow()
		s.table(&s.Totals)
		t.endRow()
	}
	if parts := s.Parts.Rows(); len(parts) > 0 {
		t.b = t.style.heading.append(t.b, connectionMark+"operations inside COMPOUNDs, all connections")
		t.endRow()
		if s.Parts.Others != nil {
			parts = append(parts, s.Parts.Others)
		}
		s.parts(parts)
		t.endRow()
	}
	return t.Finish(sum, elapsed)
}

// rowName is what a row of a table is called.
func rowName(s *stats.Subject, name string) string {
	if s.Reverse && s.Known && rpc.ProgramName(s.Program) != "" && s.Program != rpc.ProgramNFSCallback {
		return name + " (to client)"
	}
	return name
}
