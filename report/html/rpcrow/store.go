package rpcrow

// A Store has what the rows of a batch refer to, until it is emptied.
type Store struct {
	bytes  []byte
	values []uint64
	cells  [][]uint64
	texts  [][]byte
}

// Texts are the texts of lists so far, which lists have by their numbers here.
func (s *Store) Texts() [][]byte { return s.texts }

// Empty makes room for another batch.
func (s *Store) Empty() {
	s.bytes, s.values, s.cells, s.texts = s.bytes[:0], s.values[:0], s.cells[:0], s.texts[:0]
}

// text keeps a text, and is its number.
func (s *Store) text(text []byte) uint64 {
	s.texts = append(s.texts, s.copied(text))
	return uint64(len(s.texts) - 1)
}

// copied is a copy of bytes.
func (s *Store) copied(b []byte) []byte {
	at := len(s.bytes)
	s.bytes = append(s.bytes, b...) // where it moves the bytes, those before keep the old ones
	return s.bytes[at:len(s.bytes):len(s.bytes)]
}

// copiedCells are copies of lists of numbers.
func (s *Store) copiedCells(lists [][]uint64) [][]uint64 {
	from := len(s.cells)
	for _, l := range lists {
		at := len(s.values)
		s.values = append(s.values, l...)
		s.cells = append(s.cells, s.values[at:len(s.values):len(s.values)])
	}
	return s.cells[from:len(s.cells):len(s.cells)]
}
