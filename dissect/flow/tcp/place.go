package tcp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// Over iWARP the bytes of a message may lie anywhere: an FPDU may come with
// several segments and a frame may bring several FPDUs, markers stand between
// the bytes, and a segment that waited is there only as a copy.
//
//	ULPDU   ─── 0 ............. 505 | 506 ... ──>     piece of a message
//	stream  ─ length ─ ULPDU ─ marker ─ ULPDU ──>     appendPieces goes from the one above
//	frames  ─ frame 7 ─┐┌─ frame 9 ──────────────>    to the one below: origins

// Where the bytes of an FPDU stand (RFC 5044 sections 4.1 and 4.3), in bytes.
const (
	ulpduLengthSize = 2
	markerSize      = 4
	markerInterval  = 512
)

// appendPieces appends the places of the bytes of an FPDU's ULPDU from one offset to
// another, each with its offset from the first of them. The FPDU begins at a
// position of the stream.
func (s *direction) appendPieces(pieces []flow.Piece, f *iwarp.FPDU, at uint64, from, to int) []flow.Piece {
	start, marker := ulpduLengthSize, f.FirstMarker
	if marker == 0 {
		start, marker = start+markerSize, markerInterval
	}
	in, end := start+from, start+to // offsets in the FPDU
	if marker >= 0 && in >= marker {
		// Those of the markers before them come on top.
		n := 1 + (in-marker)/(markerInterval-markerSize)
		in, end, marker = in+n*markerSize, end+n*markerSize, marker+n*markerInterval
	}
	for done := 0; in < end; {
		stop := end
		if marker >= 0 {
			stop = min(end, marker)
		}
		pieces = s.appendPlaces(pieces, at+uint64(in), stop-in, done)
		done += stop - in
		if in = stop; stop == marker {
			in, end, marker = in+markerSize, end+markerSize, marker+markerInterval
		}
	}
	return pieces
}

// appendPlaces appends the places of n bytes of the stream, of which the first has an
// offset in what they are part of.
func (s *direction) appendPlaces(pieces []flow.Piece, at uint64, n, offset int) []flow.Piece {
	end := at + uint64(n)
	for i := s.runAt(at); i < len(s.origins) && s.origins[i].start < end; i++ {
		o := &s.origins[i]
		if o.at < 0 {
			continue
		}
		from := max(at, o.start)
		pieces = append(pieces, flow.Piece{
			Start: offset + int(from-at),
			Place: flow.Place{Ref: o.ref, Offset: o.at + int(from-o.start), Length: int(min(end, o.end) - from)},
		})
	}
	return pieces
}

// inFrame is the offset in its frame of n bytes of the stream, from a position on, -1
// if they do not lie together in one frame.
func (s *direction) inFrame(at uint64, n int) int {
	if i := s.runAt(at); i < len(s.origins) {
		if o := &s.origins[i]; o.at >= 0 && o.start <= at && at+uint64(n) <= o.end {
			return o.at + int(at-o.start)
		}
	}
	return -1
}

// header is the place of the first bytes among those of an FPDU's ULPDU from
// one offset to another, as far as they lie together.
func (s *direction) header(f *iwarp.FPDU, at uint64, from, to int) flow.Place {
	s.pieces = s.appendPieces(s.pieces[:0], f, at, from, to)
	if len(s.pieces) == 0 || s.pieces[0].Start > 0 {
		return flow.Place{}
	}
	return s.pieces[0].Place
}

// locate notes where the bytes lie that the segment of an FPDU is needed for:
// those of a Send, or what names the memory of an RDMA operation.
func (s *direction) locate(d *segment, f *iwarp.FPDU) {
	p := d.pdu
	switch {
	case p.OpCode.IsSend():
		s.pieces = s.appendPieces(s.pieces[:0], f, d.at, p.PayloadStart, len(p.Bytes))
		d.pieces = s.pieces
	case p.OpCode == iwarp.OpWrite:
		d.place = s.header(f, d.at, 0, iwarp.TaggedSize)
	case p.OpCode == iwarp.OpReadRequest:
		const source, size = 16, 12 // SrcSTag and SrcTO (RFC 5040 section 4.4)
		d.place = s.header(f, d.at, p.PayloadStart+source, p.PayloadStart+source+size)
	}
}
