package anonymize

import (
	"crypto/sha256"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Rewrite returns what becomes of a frame: as many bytes, valid until the next call.
func (p *Plan) Rewrite(c *capture.Frame) []byte {
	f := p.frames[flow.Ref{File: int(c.File), Number: c.Number}]
	if f == nil || f.end > len(c.Data) {
		// It was not seen when the plan was made: nothing of it is known.
		p.stats.Unknown++
		return p.unknown(c.Data)
	}
	p.out = append(p.out[:0], p.unknown(c.Data)...)
	p.known = append(p.known[:0], make([]bool, len(c.Data))...)
	p.lay(0, f.head)
	if g := f.group; g != nil {
		g.stream.fill(p.out[f.payload:f.end], g.at)
		p.lay(f.payload, g.spans)
		if len(g.spans) == 0 && !g.carries {
			p.stats.Unknown++
		}
	}
	for _, known := range p.known[f.payload:f.end] {
		if !known {
			p.stats.Data++
		}
	}
	p.seal(f, c.Data)
	return p.out
}

// lay puts spans over what there is, by their offsets from a place in the frame.
func (p *Plan) lay(from int, spans []span) {
	for _, s := range spans {
		if at := from + s.at; at >= 0 && at+len(s.is) <= len(p.out) {
			copy(p.out[at:], s.is)
			for i := range s.is {
				p.known[at+i] = true
			}
		}
	}
}

// unknown is bytes for a frame of which nothing is known: the same for the same frame.
func (p *Plan) unknown(data []byte) []byte {
	sum := sha256.Sum256(data)
	s := p.key.stream("frame", sum[:])
	if cap(p.blank) < len(data) {
		p.blank = make([]byte, len(data))
	}
	p.blank = p.blank[:len(data)]
	s.fill(p.blank, 0)
	return p.blank
}

// payload is what becomes of bytes of a frame's payload, by their offset in the frame.
func (f *frame) payloadAt(at, n int) []byte {
	b := make([]byte, n)
	g := f.group
	g.stream.fill(b, g.at+uint64(at-f.payload))
	for _, s := range g.spans {
		from, to := max(at, f.payload+s.at), min(at+n, f.payload+s.at+len(s.is))
		if from < to {
			copy(b[from-at:], s.is[from-f.payload-s.at:to-f.payload-s.at])
		}
	}
	return b
}
