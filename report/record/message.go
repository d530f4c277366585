package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// message appends the members of a message record.
func (j *JSON) message(b *buffer, m *dissect.Message) {
	members(j, b, j.messages, m, (*JSON).messageStructure)
}

// messageStructure appends a member that has members of its own.
func (j *JSON) messageStructure(b *buffer, name string, m *dissect.Message) {
	h := &m.Header
	switch name {
	case "connection":
		b.number(name, m.Connection)
	case "frame":
		j.place(b, m.Frame())
	case "frames":
		j.frames(b, m.Frames)
	case "reads":
		reads(b, h)
	case "writes":
		b.list(name)
		for _, c := range h.Writes {
			b.object("")
			chunkSegments(b, h.ChunkSegments(c))
			b.Close('}')
		}
		b.Close(']')
	case "reply":
		if !h.HasReply {
			b.null(name)
			return
		}
		b.object(name)
		chunkSegments(b, h.ChunkSegments(h.Reply))
		b.Close('}')
	case "error":
		refusal(b, name, h)
	case "option":
		option(b, name, h.Option())
	}
}

// reads appends the Read chunks.
func reads(b *buffer, h *rpcrdma.Header) {
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
}

// refusal appends what an RDMA_ERROR says.
func refusal(b *buffer, name string, h *rpcrdma.Header) {
	if h.Proc != rpcrdma.RDMAError {
		b.null(name)
		return
	}
	b.object(name)
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
