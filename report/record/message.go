package record

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// message appends the members of a message record.
func (j *JSON) message(b *buffer, m *dissect.Message) {
	h := &m.Header
	b.number("connection", m.Connection)
	j.place(b, m.Frame())
	j.frames(b, m.Frames)
	b.time("time", m.Last)
	direction(b, m.ToServer())
	b.int("length", int64(m.Length))
	b.int("header_length", int64(h.Length))
	b.handle("xid", h.XID)
	b.uint("version", uint64(h.Version))
	b.uint("credits", uint64(h.Credits))
	b.str("proc", h.ProcName())
	if m.HasInvalidated {
		b.handle("invalidated", m.Invalidated)
	} else {
		b.null("invalidated")
	}
	b.list("reads")
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		b.object("")
		b.uint("position", uint64(position))
		b.list("segments")
		for k := range segments {
			segment(b, &segments[k].Segment)
		}
		b.Close(']')
		b.Close('}')
	}
	b.Close(']')
	b.list("writes")
	for _, c := range h.Writes {
		b.object("")
		chunkSegments(b, h.ChunkSegments(c))
		b.Close('}')
	}
	b.Close(']')
	if h.HasReply {
		b.object("reply")
		chunkSegments(b, h.ChunkSegments(h.Reply))
		b.Close('}')
	} else {
		b.null("reply")
	}
	if h.Proc == rpcrdma.RDMAError {
		b.object("error")
		b.uint("code", uint64(h.Error))
		b.str("name", h.ErrorName())
		switch {
		case h.Error == rpcrdma.ErrVers:
			b.uint("vers_low", uint64(h.VersLow))
			b.uint("vers_high", uint64(h.VersHigh))
		case h.Version == rpcrdma.Version2 && h.Error == rpcrdma.Err2CantReply:
			b.bool("processed", h.Processed)
			b.uint("segment_index", uint64(h.SegmentIndex))
			b.uint("length_needed", uint64(h.LengthNeeded))
		}
		b.Close('}')
	} else {
		b.null("error")
	}
	if h.Version == rpcrdma.Version2 {
		version2(b, h)
	}
	b.strOrNull("malformed", cmp.Or(m.Malformed(), m.Undecodable()))
	b.bool("whole", m.Whole)
	if !m.Whole {
		b.str("missing", m.Missing)
	}
}

func chunkSegments(b *buffer, segments []rpcrdma.Segment) {
	b.list("segments")
	for i := range segments {
		segment(b, &segments[i])
	}
	b.Close(']')
}

func segment(b *buffer, s *rpcrdma.Segment) {
	b.object("")
	b.handle("handle", s.Handle)
	b.uint("length", uint64(s.Length))
	b.hex("offset", s.Offset, 16)
	b.Close('}')
}

func direction(b *buffer, toServer bool) {
	if toServer {
		b.str("direction", "to_server")
	} else {
		b.str("direction", "to_client")
	}
}

// place appends a frame's number, and its file if there are several.
func (j *JSON) place(b *buffer, r flow.Ref) {
	if j.opts.Files > 1 {
		b.int("file", int64(r.File))
	}
	b.int("frame", r.Number)
}

// frames appends the numbers of frames, and if there are several files, in a
// second array the file of each.
func (j *JSON) frames(b *buffer, list []flow.Ref) {
	b.list("frames")
	for _, r := range list {
		b.int("", r.Number)
	}
	b.Close(']')
	if j.opts.Files < 2 {
		return
	}
	b.list("frame_files")
	for _, r := range list {
		b.int("", int64(r.File))
	}
	b.Close(']')
}
