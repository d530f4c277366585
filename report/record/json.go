package record

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/jsontext"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// JSON writes the records of the contract. It is a dissect.Sink. Records are
// appended byte by byte: reflection would cost more than the dissection.
type JSON struct {
	w     io.Writer
	opts  listing.Options
	array bool
	rows  int64
	j     buffer
	err   error
	// announced are the connections that a record was written of and that have not
	// ended.
	announced map[*dissect.Connection]struct{}
	words     words.Words
	// The members of each record, and the value of one.
	rpcs        []query.RecordMember[*dissect.RPC]
	messages    []query.RecordMember[*dissect.Message]
	connections []query.RecordMember[*dissect.Connection]
	framed      []query.RecordMember[*dissect.FrameView]
	shown       filter.Shown
	final       bool // the record of a connection is its last
	selection   listing.Selection
	context     *exhibit.Context // nil unless frames are shown with details
	moves       *exhibit.Moves   // nil unless RPCs are
	found       finding.Tally    // by the rules, where they were run
	verdict     string           // and what they came to, "" where they were not
	overview    []*finding.OverviewRow
	// numberOf is the number of a finding in a draft.
	numberOf func(f *finding.Finding) int64
}

// NewJSON returns a JSON that writes to w: one array, or one object a line.
func NewJSON(w io.Writer, array bool, opts listing.Options) *JSON {
	j := &JSON{
		w: w, opts: opts, array: array,
		j:           buffer{Buffer: jsontext.Buffer{B: make([]byte, 0, draft.FlushAt+4096)}},
		announced:   make(map[*dissect.Connection]struct{}),
		rpcs:        query.RPCMembers(),
		messages:    query.MessageMembers(),
		connections: query.ConnectionMembers(),
		framed:      query.FrameMembers(),
		selection:   listing.NewSelection(opts.Filter, false),
	}
	if opts.Details {
		j.context, j.moves = exhibit.Following(opts.Level, opts.Files > 1)
	}
	return j
}

// Flush writes what was gathered and returns the first error of the writer.
func (j *JSON) Flush() error {
	if j.err == nil && len(j.j.B) > 0 {
		_, j.err = j.w.Write(j.j.B)
	}
	j.j.B = j.j.B[:0]
	return j.err
}

// Err is the first error of the writer: nobody reads on.
func (j *JSON) Err() error { return j.err }

// beginRecord begins a record.
func (j *JSON) beginRecord(kind string) *buffer {
	b := &j.j
	if b.drafts == nil {
		j.parted()
	} else {
		b.drafts.Leave(draft.Placeholder{At: len(b.B), What: draft.Record})
	}
	b.Restart()
	b.Open('{')
	b.str("type", kind)
	return b
}

// parted appends what parts a record from the one before.
func (j *JSON) parted() {
	switch b := &j.j; {
	case !j.array:
	case j.rows == 0:
		b.B = append(b.B, "[\n"...)
	default:
		b.B = append(b.B, ",\n"...)
	}
	j.rows++
}

// endRecord ends it.
func (j *JSON) endRecord() {
	b := &j.j
	b.Close('}')
	if !j.array {
		b.B = append(b.B, '\n')
	}
	if len(b.B) >= draft.FlushAt && b.drafts == nil {
		_ = j.Flush() // Err tells
	}
}
