package flow

// A Place is a run of octets in a captured frame. Its zero value, with Length 0,
// is no place: nobody knows where the octets are.
type Place struct {
	Ref Ref
	// Offset is where it begins, in octets from the first octet of the frame;
	// Length is how many octets it has, all of them captured.
	Offset, Length int
}

// A Piece is a part of a message that lies in one place.
type Piece struct {
	Start int // offset in the message of its first octet
	Place
}

// adjoins reports whether another piece of the message follows directly, in the
// message as in the frame.
func (p *Piece) adjoins(o *Piece) bool {
	return o.Start == p.Start+p.Length && o.Ref == p.Ref && o.Offset == p.Offset+p.Length
}

// MaxPieces is how many places of a Send are kept, as many as frames of it: what
// comes behind them is not found any more.
const MaxPieces = MaxSend / 256
