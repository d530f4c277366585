package flow

import "github.com/rdmacap/rdmacap/iwarp"

// A Unit is an MPA frame or an FPDU whose last byte a frame brought.
type Unit struct {
	// Start is the MPA Request or Reply, with IsStart.
	Start   iwarp.Start
	IsStart bool
	// FPDU and PDU are otherwise the FPDU and the DDP segment in it.
	FPDU iwarp.FPDU
	PDU  iwarp.PDU
	// Fault is what is wrong with its place among the others, "" if nothing is.
	Fault string
	// At is the offset of its bytes in the frame's TCP payload, -1 if they came
	// with several frames or with one that had to wait.
	At int
	// First and Last are the frames that brought it.
	First, Last Ref
	// Pieces are where its bytes lie, as far as that is known.
	Pieces []Piece
}

// Raw are the unit's bytes as they stand in the stream, as far as captured.
func (u *Unit) Raw() []byte {
	if u.IsStart {
		return u.Start.Bytes
	}
	return u.FPDU.Raw
}
