package build

import "time"

// A Piece is where a run of a message's bytes lies: Start counts in the
// message, Offset in the frame with that index; all in bytes.
type Piece struct {
	Start, Frame, Offset, Length int
}

// Now is the time of the next frame.
func (c *Conversation) Now() time.Time { return c.now }

// Now is the time of the next frame.
func (c *IWARP) Now() time.Time { return c.now }

// Payload says where the bytes lie that the frame carries for its transport:
// after BTH and extended headers, or after TCP's header. It is 0, 0 for
// frames that a method of Frames made of others.
func (f Frame) Payload() (offset, length int) {
	trailer := icrcLength
	for _, l := range f.layers {
		switch l := l.(type) {
		case TCP:
			trailer = 0
		case Payload:
			length = len(l)
		case MAD:
			length = madLength
		}
	}
	if trailer != 0 {
		trailer += -length & 3
	}
	if f.layers == nil {
		return 0, 0
	}
	return f.Length - trailer - length, length
}

// Pieces are where the bytes of a message lie that a Send or Write appended.
func (c *Conversation) Pieces(s Span) (pieces []Piece) {
	start := 0
	for i := s.First; i < s.End; i++ {
		offset, n := c.Frames[i].Payload()
		pieces = append(pieces, Piece{Start: start, Frame: i, Offset: offset, Length: n})
		start += n
	}
	return pieces
}

// Laid is where in its direction's stream the bytes of a message were laid.
type Laid struct {
	dir  Direction
	runs []laidRun
}

type laidRun struct {
	seq      uint32
	start, n int
}

// Laid is that of the message which was appended last.
func (c *IWARP) Laid() Laid { return c.laid }

// Pieces are where the bytes of a message lie, in the frames that carried them
// first.
func (c *IWARP) Pieces(l Laid) (pieces []Piece) {
	for _, run := range l.runs {
		for i, f := range c.Frames {
			t, tcp := f.layer().(TCP)
			if !tcp || f.Dir != l.dir || run.n == 0 {
				continue
			}
			offset, n := f.Payload()
			if at := run.seq - t.Seq; at < uint32(n) {
				took := min(run.n, n-int(at))
				pieces = append(pieces, Piece{Start: run.start, Frame: i, Offset: offset + int(at), Length: took})
				run = laidRun{run.seq + uint32(took), run.start + took, run.n - took}
			}
		}
	}
	return pieces
}

// layer is the first one of the transport, nil if there is none.
func (f Frame) layer() Layer {
	if len(f.layers) == 0 {
		return nil
	}
	return f.layers[0]
}

// lay notes where bytes of a message will stand that begin at byte header of
// the next ULPDU, n of them.
func (s *sender) lay(l *Laid, header, start, n int) {
	const lengthField = 2
	from, to := lengthField+header, lengthField+header+n
	seq, at := s.seq+uint32(len(s.pending)), 0
	for body := 0; body < to; body += 4 {
		if s.mpa.Markers && (s.mpa.sent+at)%markerInterval == 0 {
			at += markerLength
		}
		if first, end := max(body, from), min(body+4, to); first < end {
			run := laidRun{seq + uint32(at+first-body), start + first - from, end - first}
			if k := len(l.runs) - 1; k >= 0 && l.runs[k].seq+uint32(l.runs[k].n) == run.seq {
				l.runs[k].n += run.n
			} else {
				l.runs = append(l.runs, run)
			}
		}
		at += 4
	}
}
