package flow

// A Place is a run of bytes in a captured frame. Its zero value, with Length 0,
// is no place: nobody knows where the bytes are.
type Place struct {
	Ref Ref
	// Offset is where it begins, in bytes from the first byte of the frame;
	// Length is how many bytes it has, all of them captured.
	Offset, Length int
}

// A Piece is a part of a message that lies in one place.
type Piece struct {
	Start int // offset in the message of its first byte
	Place
}

// adjoins reports whether another piece of the message follows directly, in the
// message as in the frame.
func (p *Piece) adjoins(o *Piece) bool {
	return o.Start == p.Start+p.Length && o.Ref == p.Ref && o.Offset == p.Offset+p.Length
}

// MaxPieces is how many places of a Send are kept, as many as frames of it: what
// comes after them is not found any more.
const MaxPieces = MaxSend / 256
