package report

import (
	"io"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
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
}

// NewJSON returns a JSON that writes to w: one array, or one object a line.
func NewJSON(w io.Writer, array bool, opts Options) *JSON {
	return &JSON{w: w, opts: opts, array: array, j: jsonBuffer{b: make([]byte, 0, flushAt+4096)}}
}

// Flush writes what was gathered and returns the first error of the writer.
func (j *JSON) Flush() error {
	if j.err == nil && len(j.j.b) > 0 {
		_, j.err = j.w.Write(j.j.b)
	}
	j.j.b = j.j.b[:0]
	return j.err
}

// Err is the first error of the writer.
func (j *JSON) Err() error { return j.err }

// record writes one record.
func (j *JSON) record(kind string, body func(*jsonBuffer)) {
	b := &j.j
	switch {
	case !j.array:
	case j.rows == 0:
		b.b = append(b.b, "[\n"...)
	default:
		b.b = append(b.b, ",\n"...)
	}
	j.rows++
	b.open('{')
	b.str("type", kind)
	body(b)
	b.close('}')
	if !j.array {
		b.b = append(b.b, '\n')
	}
	if len(b.b) >= flushAt {
		_ = j.Flush() // Err tells
	}
}

// Connection writes a connection record.
func (j *JSON) Connection(c *dissect.Connection, final bool) {
	j.record("connection", func(b *jsonBuffer) { j.connection(b, c, final) })
}

// Frame writes a frame record.
func (j *JSON) Frame(v *dissect.FrameView) {
	if j.opts.Level == LevelFrame {
		j.record("frame", func(b *jsonBuffer) {
			j.frame(b, v)
			j.exhibits(b, v.Exhibits)
		})
	}
}

// Message writes a message record.
func (j *JSON) Message(m *dissect.Message) {
	if j.opts.Level == LevelMessage {
		j.record("message", func(b *jsonBuffer) {
			j.message(b, m)
			j.exhibits(b, func() []dissect.Exhibit { return []dissect.Exhibit{m.Exhibit()} })
		})
	}
}

// RPC writes an rpc record.
func (j *JSON) RPC(r *dissect.RPC) {
	if j.opts.Level == LevelRPC {
		j.record("rpc", func(b *jsonBuffer) {
			j.rpc(b, r)
			j.exhibits(b, r.Exhibits)
		})
	}
}

// Finish writes the summary record and everything out.
func (j *JSON) Finish(s dissect.Summary, elapsed time.Duration) error {
	j.record("summary", func(b *jsonBuffer) {
		b.int("files", int64(j.opts.Files))
		b.int("frames", s.Frames)
		b.int("bytes", s.Octets)
		b.int("connections", s.Connections)
		b.int("messages", s.Messages)
		b.int("rpcs", s.RPCs)
		b.int("incomplete_rpcs", s.IncompleteRPCs)
		b.int("not_rdma_frames", s.NotRDMAFrames)
		b.int("malformed_frames", s.MalformedFrames)
		b.int("bad_icrc", s.BadICRC)
		b.int("lost_in_capture", s.LostInCapture)
		b.int("lost_on_wire", s.LostOnWire)
		b.int("retransmissions", s.Retransmissions)
		b.float("capture_seconds", time.Duration(s.Last-s.First).Seconds())
		b.float("elapsed_seconds", elapsed.Seconds())
	})
	if j.array {
		j.j.b = append(j.j.b, "\n]\n"...)
	}
	return j.Flush()
}
