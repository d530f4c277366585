package report

import (
	"io"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/rules"
)

// JSON writes the records of the contract. It is a dissect.Sink. Records are
// appended octet by octet: reflection would cost more than the dissection.
type JSON struct {
	w     io.Writer
	opts  Options
	array bool
	rows  int64
	j     jsonBuffer
	err   error
	// told are the connections that a record was written of and that have not
	// ended.
	told      map[*dissect.Connection]struct{}
	words     wording
	selection selection
	found     Tally // by the rules, where they were run
	// numberOf is the number of a finding in a draft.
	numberOf func(f *rules.Finding) int64
}

// NewJSON returns a JSON that writes to w: one array, or one object a line.
func NewJSON(w io.Writer, array bool, opts Options) *JSON {
	return &JSON{
		w: w, opts: opts, array: array,
		j:         jsonBuffer{b: make([]byte, 0, flushAt+4096)},
		told:      make(map[*dissect.Connection]struct{}),
		selection: newSelection(opts.Filter),
	}
}

// Flush writes what was gathered and returns the first error of the writer.
func (j *JSON) Flush() error {
	if j.err == nil && len(j.j.b) > 0 {
		_, j.err = j.w.Write(j.j.b)
	}
	j.j.b = j.j.b[:0]
	return j.err
}

// Err is the first error of the writer: nobody reads on.
func (j *JSON) Err() error { return j.err }

// begin begins a record.
func (j *JSON) begin(kind string) *jsonBuffer {
	b := &j.j
	if b.drafts == nil {
		j.parted()
	} else {
		b.drafts.blank(blank{at: len(b.b), what: blankBegin})
	}
	b.open('{')
	b.str("type", kind)
	return b
}

// parted appends what parts a record from the one before.
func (j *JSON) parted() {
	switch b := &j.j; {
	case !j.array:
	case j.rows == 0:
		b.b = append(b.b, "[\n"...)
	default:
		b.b = append(b.b, ",\n"...)
	}
	j.rows++
}

// end ends it.
func (j *JSON) end() {
	b := &j.j
	b.close('}')
	if !j.array {
		b.b = append(b.b, '\n')
	}
	if len(b.b) >= flushAt && b.drafts == nil {
		_ = j.Flush() // Err tells
	}
}

// Connection writes a connection record: the first, unless a frame was so
// early that it is written already, or the final one.
func (j *JSON) Connection(c *dissect.Connection, final bool) {
	if j.selection.connection(c, final) {
		j.tell(c, final)
	}
}

// row counts a record, before which its connection is told, unless it was.
// Frames of the set-up name a connection before it is announced.
func (j *JSON) row(c *dissect.Connection) {
	j.selection.row(c)
	if c != nil {
		j.tell(c, false)
	}
}

func (j *JSON) tell(c *dissect.Connection, final bool) {
	if _, told := j.told[c]; told && !final {
		return
	}
	if final {
		delete(j.told, c)
	} else {
		j.told[c] = struct{}{}
	}
	j.connection(j.begin("connection"), c, final)
	j.end()
	if d := j.j.drafts; d != nil && d.once && !final {
		d.wroteOf(c, len(j.j.b))
	}
}

// Frame writes a frame record.
func (j *JSON) Frame(v *dissect.FrameView) {
	if j.opts.Level != LevelFrame || !j.selection.Frame(v) {
		return
	}
	j.row(v.Connection)
	b := j.begin("frame")
	j.frame(b, v)
	j.exhibits(b, func() []exhibit.Exhibit { return exhibit.OfFrame(v) })
	j.end()
}

// Message writes a message record.
func (j *JSON) Message(m *dissect.Message) {
	if j.opts.Level != LevelMessage || !j.selection.Message(m) {
		return
	}
	j.row(m.Connection)
	b := j.begin("message")
	j.message(b, m)
	j.exhibits(b, func() []exhibit.Exhibit { return []exhibit.Exhibit{exhibit.OfMessage(m)} })
	j.end()
}

// RPC writes an rpc record.
func (j *JSON) RPC(r *dissect.RPC) {
	if j.opts.Level != LevelRPC || !j.selection.RPC(r) {
		return
	}
	j.row(r.Connection)
	b := j.begin("rpc")
	j.rpc(b, r)
	j.exhibits(b, func() []exhibit.Exhibit { return exhibit.OfRPC(r) })
	j.end()
}

// Finish writes the summary record and everything out.
func (j *JSON) Finish(s dissect.Summary, elapsed time.Duration) error {
	b := j.begin("summary")
	b.int("files", int64(j.opts.Files))
	b.int("frames", s.Frames)
	b.int("bytes", s.Octets)
	b.int("connections", s.Connections)
	b.int("messages", s.Messages)
	b.int("rpcs", s.RPCs)
	b.int("incomplete_rpcs", s.IncompleteRPCs)
	if !j.selection.all {
		b.int("shown", j.selection.count())
	}
	b.object("findings")
	j.found.members(b)
	b.close('}')
	b.int("not_rdma_frames", s.NotRDMAFrames)
	b.int("malformed_frames", s.MalformedFrames)
	b.int("bad_icrc", s.BadICRC)
	b.int("bad_crc", s.BadCRC)
	b.int("lost_in_capture", s.LostInCapture)
	b.int("lost_on_wire", s.LostOnWire)
	b.int("retransmissions", s.Retransmissions)
	b.int("duplicates", s.Duplicates)
	b.int("reordered", s.Reordered)
	b.seconds("capture_seconds", s.Last-s.First)
	b.seconds("elapsed_seconds", elapsed.Nanoseconds())
	j.end()
	if j.array {
		b.b = append(b.b, "\n]\n"...)
	}
	return j.Flush()
}
