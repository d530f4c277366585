package listing

import "github.com/rdmacap/rdmacap/dissect"

// An Order is by what rows are sorted. It is asked only of the level that is listed: first it is
// given the row, then for the row's key.
type Order interface {
	Frame(v *dissect.FrameView)
	Message(m *dissect.Message)
	RPC(r *dissect.RPC)
	// Key is the key of the row; false if it has none, and comes last. Its text is good until
	// the next row.
	Key() (Key, bool)
	// Least says that the least come first, and not the greatest.
	Least() bool
}

// A Key is by what a row is sorted: by its number, and among equals by its text.
type Key struct {
	Number uint64
	Text   []byte
}
