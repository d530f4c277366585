package extract

// Lengths says of some frames how many of their bytes are to be copied. It takes two bytes for each
// frame in pages that have one.
type Lengths struct {
	files [][]*page
}

// A page has the lengths of frames that follow one another, 0 for one of which all is copied.
type page [pageFrames]uint16

const pageFrames = 2048

// Set notes that of a frame no more bytes than that are to be copied; what has no place in 16 bits
// is copied whole.
func (l *Lengths) Set(file int, number int64, length int) {
	if length <= 0 || length > 1<<16-1 {
		return
	}
	for file >= len(l.files) {
		l.files = append(l.files, nil)
	}
	at := int(number / pageFrames)
	if missing := at + 1 - len(l.files[file]); missing > 0 {
		l.files[file] = append(l.files[file], make([]*page, missing)...)
	}
	if l.files[file][at] == nil {
		l.files[file][at] = new(page)
	}
	l.files[file][at][number%pageFrames] = uint16(length)
}

// Of is how many bytes of a frame are to be copied, 0 for all.
func (l *Lengths) Of(file int, number int64) int {
	if l == nil {
		return 0
	}
	at := int(number / pageFrames)
	if file >= len(l.files) || at >= len(l.files[file]) || l.files[file][at] == nil {
		return 0
	}
	return int(l.files[file][at][number%pageFrames])
}
