package watch

import (
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/words"
)

const (
	mostRPCs     = 64 // that are kept of a connection
	mostFindings = 32 // of a connection, and of all
	mostText     = 320
)

// An RPC is one that is over, in words.
type RPC struct {
	// Time is when it began, in nanoseconds since 1970; Latency is in nanoseconds, -1 if it
	// is not known.
	Time, Latency int64
	XID           uint32
	// Reverse says that the server called; Failed that the reply says so; Complete that all
	// of it is in the capture.
	Reverse, Failed, Complete bool
	// Name is what people call it, Travel how it travelled, Status what came of it and
	// Operations what it was about, cut where that is long.
	Name, Travel, Status, Operations string
}

// A Finding is one as it was first reported.
type Finding struct {
	Time     int64 // in nanoseconds since 1970
	Severity finding.Severity
	// Connection is its number, 0 for the whole capture.
	Connection int
	// Rule is its ID, Frame the number of the frame that shows it, Message the words.
	Rule    string
	Frame   int64
	Message string
}

// rpcLine is an RPC whose words are in memory that is used again.
type rpcLine struct {
	RPC  // without its words
	text []byte
	ends [3]int // of the first three words in text
}

// setRPC words an RPC with a latency.
func (l *rpcLine) setRPC(r *dissect.RPC, latency int64, words *words.Words) {
	l.RPC = RPC{Time: r.Start(), Latency: latency, XID: r.XID, Reverse: r.Reverse(), Complete: r.Complete}
	words.Take(r)
	l.Failed = words.Failed(r)
	l.text = words.AppendName(l.text[:0], r)
	l.ends[0] = len(l.text)
	l.text = words.AppendTravel(l.text, r)
	l.ends[1] = len(l.text)
	l.text = words.AppendStatus(l.text, r)
	l.ends[2] = len(l.text)
	l.text = words.AppendOperations(l.text, r)
	if len(l.text) > l.ends[2]+mostText {
		l.text = cut(l.text, l.ends[2]+mostText)
	}
	if cap(l.text) > 4*mostText { // of one that was long
		l.text = append(make([]byte, 0, len(l.text)), l.text...)
	}
}

// words is the RPC with its words.
func (l *rpcLine) words() RPC {
	r, e := l.RPC, l.ends
	r.Name, r.Travel, r.Status = visible(l.text[:e[0]]), visible(l.text[e[0]:e[1]]), visible(l.text[e[1]:e[2]])
	r.Operations = visible(l.text[e[2]:])
	return r
}

// setFinding takes a finding, of which it keeps nothing but copies.
func (x *Finding) setFinding(f *finding.Finding) {
	*x = Finding{Time: f.Time, Severity: f.Severity, Rule: f.ID(), Frame: f.Frame.Number}
	if f.Connection != nil {
		x.Connection = f.Connection.ID
	}
	x.Message = visible(cut([]byte(f.Message), mostText))
}

// cut cuts text after a whole character, and says so.
func cut(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return append(text[:most], "…"...)
}

// visible is text of which nothing does anything to a terminal.
func visible(text []byte) string { return field.Visible(string(text)) }
