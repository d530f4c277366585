package record

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/listing"
)

// Connection writes a connection record: the first, unless a frame was so
// early that it is written already, or the final one.
func (j *JSON) Connection(c *dissect.Connection, final bool) {
	if j.selection.Connection(c, final) {
		j.writeConnection(c, final)
	}
}

// row counts a record, before which its connection is told, unless it was.
// Frames of the setup name a connection before it is announced.
func (j *JSON) row(c *dissect.Connection) {
	j.selection.Row(c)
	if c != nil {
		j.writeConnection(c, false)
	}
}

func (j *JSON) writeConnection(c *dissect.Connection, final bool) {
	if _, told := j.announced[c]; told && !final {
		return
	}
	if final {
		delete(j.announced, c)
	} else {
		j.announced[c] = struct{}{}
	}
	j.connection(j.beginRecord("connection"), c, final)
	j.endRecord()
	if d := j.j.drafts; d != nil && d.Once && !final {
		d.WroteOf(c, len(j.j.B))
	}
}

// Frame writes a frame record.
func (j *JSON) Frame(v *dissect.FrameView) {
	if j.opts.Level != listing.LevelFrame {
		return
	}
	if j.context != nil {
		j.context.Take(v)
	}
	if !j.selection.Frame(v) {
		return
	}
	j.row(v.Connection)
	b := j.beginRecord("frame")
	j.frame(b, v)
	j.exhibits(b, func() []exhibit.Exhibit { return exhibit.OfFrame(v, j.context) })
	j.endRecord()
}

// Message writes a message record.
func (j *JSON) Message(m *dissect.Message) {
	if j.opts.Level != listing.LevelMessage || !j.selection.Message(m) {
		return
	}
	j.row(m.Connection)
	b := j.beginRecord("message")
	j.message(b, m)
	j.exhibits(b, func() []exhibit.Exhibit { return []exhibit.Exhibit{exhibit.OfMessage(m)} })
	j.endRecord()
}

// Access implements dissect.AccessSink, for RPCs with details.
func (j *JSON) Access(a *dissect.Access) { j.moves.Access(a) }

// RPC writes an rpc record.
func (j *JSON) RPC(r *dissect.RPC) {
	if j.moves != nil {
		defer j.moves.Over(r)
	}
	if j.opts.Level != listing.LevelRPC || !j.selection.RPC(r) {
		return
	}
	j.row(r.Connection)
	b := j.beginRecord("rpc")
	j.rpc(b, r)
	j.exhibits(b, func() []exhibit.Exhibit { return exhibit.OfRPC(r, j.moves) })
	j.endRecord()
}

// Finish writes the summary record and everything out.
func (j *JSON) Finish(s dissect.Summary, elapsed time.Duration) error {
	b := j.beginRecord("summary")
	b.int("files", int64(j.opts.Files))
	b.int("frames", s.Frames)
	b.int("bytes", s.Bytes)
	b.int("connections", s.Connections)
	b.int("messages", s.Messages)
	b.int("rpcs", s.RPCs)
	b.int("incomplete_rpcs", s.IncompleteRPCs)
	if !j.selection.All {
		b.int("shown", j.selection.Count())
	}
	b.object("findings")
	b.tally(&j.found)
	b.Close('}')
	if j.verdict != "" {
		b.str("verdict", j.verdict)
		b.overview(j.overview, j.opts.Files > 1)
	}
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
	j.endRecord()
	if j.array {
		b.B = append(b.B, "\n]\n"...)
	}
	return j.Flush()
}
