package extract

// A Set is some frames, by the index of their file and their number in it. It takes one bit for
// each frame of a file up to the last one that is in the Set.
type Set struct {
	files [][]uint64
	n     int64
}

// Add puts a frame into the set. Numbers are at least 1.
func (s *Set) Add(file int, number int64) {
	for file >= len(s.files) {
		s.files = append(s.files, nil)
	}
	word := int(number / 64)
	if missing := word + 1 - len(s.files[file]); missing > 0 {
		s.files[file] = append(s.files[file], make([]uint64, missing)...)
	}
	bit := uint64(1) << (number % 64)
	if s.files[file][word]&bit == 0 {
		s.files[file][word] |= bit
		s.n++
	}
}

// Has reports whether a frame is in the set.
func (s *Set) Has(file int, number int64) bool {
	word := int(number / 64)
	return file < len(s.files) && word < len(s.files[file]) && s.files[file][word]&(1<<(number%64)) != 0
}

// Len is how many frames are in it.
func (s *Set) Len() int64 { return s.n }
