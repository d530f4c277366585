package order

// Fronts are how far each capture file has one direction of a connection. Several
// files may have the same frames: those of two hosts, or of two ports of a switch,
// read together. Their clocks differ, and an adapter may have changed what one of
// them has, so what a file has for the first time was not sent again for that
// reason alone, though another file has had it:
//
//	client.pcap   1  2  3     4 ...      2 lost on its way, and sent again
//	server.pcap      1     3  4  2 ...
//	              |  |        |
//	              |  new in its file: the same frame
//	              new
type Fronts struct {
	more *[maxFronts - 1]Front // the others
	one  Front                 // mostly the only one
	n    uint8                 // of them in use
	next uint8                 // the one to be replaced next
}

// maxFronts is how many files are told apart; those of one capture in many parts
// follow one another.
const maxFronts = 4

// A Front is how far one file has a direction.
type Front struct {
	file    int32
	next    uint32 // number after the last, of 32 bits that wrap
	ipid    uint16 // the IPv4 identification of the frame that was sent last
	counted uint8  // frames whose identifications follow each other
	begun   bool
}

// Of is the front of a file.
func (f *Fronts) Of(file int) *Front {
	if f.n == 1 && f.one.file == int32(file) {
		return &f.one
	}
	return f.ofSeveral(file)
}

// ofSeveral is Of where there is not that one file alone.
func (f *Fronts) ofSeveral(file int) *Front {
	for i := range f.n {
		if w := f.at(i); w.file == int32(file) {
			return w
		}
	}
	at := f.n
	if f.n < maxFronts {
		f.n++
	} else {
		at = f.next
		f.next = (f.next + 1) % maxFronts
	}
	w := f.at(at)
	*w = Front{file: int32(file)}
	return w
}

// at is one of the fronts, by its index.
func (f *Fronts) at(i uint8) *Front {
	if i == 0 {
		return &f.one
	}
	if f.more == nil {
		f.more = new([maxFronts - 1]Front)
	}
	return &f.more[i-1]
}

// First reports whether the file has nothing from number on so far, while there
// are other files.
func (f *Fronts) First(w *Front, number uint32) bool {
	return f.n > 1 && (!w.begun || int32(number-w.next) >= 0)
}

// Reach notes that the file has all up to next, or what lies there.
func (w *Front) Reach(next uint32) {
	if !w.begun || int32(next-w.next) > 0 {
		w.next, w.begun = next, true
	}
}

// PSN is First and Reach for a PSN.
func (f *Fronts) PSN(file int, psn uint32) (first bool) {
	const shift = 8 // 24 bits wrap as 32 do, from there
	if f.n == 1 && f.one.file == int32(file) {
		f.one.Reach(psn<<shift + 1<<shift)
		return false // there is no other
	}
	w := f.Of(file)
	first = f.First(w, psn<<shift)
	w.Reach(psn<<shift + 1<<shift)
	return first
}

// Others reports whether another file has all before a PSN, and that.
func (f *Fronts) Others(file int, psn uint32) bool {
	const shift = 8
	for i := range f.n {
		if w := f.at(i); w.file != int32(file) && w.begun && int32(w.next-(psn<<shift+1<<shift)) >= 0 {
			return true
		}
	}
	return false
}

// Counts takes a frame's IPv4 identification, and reports whether the sender
// counts its frames, as Linux does: then the identification reports which frame it is,
// and which of two was sent first.
func (w *Front) Counts(id uint16) bool {
	const (
		near   = 64 // so many frames, or segments in them, may come between two
		proven = 4  // that it counts
	)
	switch d := int(int16(id - w.ipid)); {
	case d < -near || d > near:
		w.counted, w.ipid = 0, id
	case d > 0:
		w.counted, w.ipid = min(w.counted+1, proven), id
	}
	return w.counted >= proven
}
