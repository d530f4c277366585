package report

import (
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// count is a number of things and what is said of them.
type count struct {
	n    int64
	noun string
	tail string
	odd  bool // worth a colour
}

// counts appends those that are not zero, each behind a comma.
func (t *Text) counts(list []count) {
	for _, c := range list {
		if c.n == 0 {
			continue
		}
		t.b = append(t.b, ", "...)
		if c.odd {
			t.b = append(t.b, t.style.odd.on...)
		}
		t.b = appendCount(t.b, c.n, c.noun)
		t.b = append(t.b, c.tail...)
		if c.odd {
			t.b = append(t.b, t.style.odd.off...)
		}
	}
}

// Finish prints the summary line and writes everything out.
func (t *Text) Finish(s dissect.Summary, elapsed time.Duration) error {
	if t.opts.Quiet {
		return t.Flush()
	}
	t.b = append(t.b, t.style.heading.on...)
	if !t.selection.all {
		n, noun := listed(t.opts.Level, &s)
		t.b = strconv.AppendInt(t.b, t.selection.count(), 10)
		t.b = append(t.b, " of "...)
		t.b = appendCount(t.b, n, noun)
		t.b = append(t.b, " shown; "...)
	}
	t.b = appendCount(t.b, s.RPCs, "RPC")
	t.b = append(t.b, " on "...)
	t.b = appendCount(t.b, s.Connections, "connection")
	t.b = append(t.b, t.style.heading.off...)
	t.b = append(t.b, ", "...)
	t.b = appendCount(t.b, s.Frames, "frame")
	t.b = append(t.b, " of "...)
	t.b = appendOctets(t.b, s.Octets)
	t.counts([]count{
		{s.IncompleteRPCs, "RPC", " incomplete", true},
		{s.NotRDMAFrames, "frame", " not RDMA", false},
		{s.MalformedFrames, "frame", " malformed", true},
		{s.BadICRC, "ICRC", " wrong", true},
		{s.BadCRC, "CRC", " wrong", true},
		{s.Retransmissions, "retransmission", "", true},
		{s.LostOnWire, "frame", " lost on the wire", true},
		{s.LostInCapture, "frame", " missing from the capture", true},
		{s.Duplicates, "frame", " captured twice", false},
		{s.Reordered, "frame", " captured out of order", false},
	})
	t.b = append(t.b, "; "...)
	t.b = field.AppendDuration(t.b, s.Last-s.First)
	t.b = append(t.b, " captured, read in "...)
	t.b = field.AppendDuration(t.b, elapsed.Nanoseconds())
	t.endRow()
	return t.Flush()
}
