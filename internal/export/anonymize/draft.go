package anonymize

// A plan is what becomes of some bytes. At first it is nothing: what nobody says a word of stays
// unknown.
type plan struct {
	was, is []byte
	known   []bool
}

// beginBytes begins the draft of bytes.
func (d *plan) beginBytes(was []byte) {
	d.was = was
	d.is = append(d.is[:0], was...)
	if cap(d.known) < len(was) {
		d.known = make([]bool, len(was))
	}
	d.known = d.known[:len(was)]
	clear(d.known)
}

// keep has bytes stay as they are.
func (d *plan) keep(from, to int) {
	for i := max(0, from); i < min(to, len(d.was)); i++ {
		d.known[i] = true
	}
}

// replace has bytes be replaced by others, if all of them are there.
func (d *plan) replace(from int, by []byte) {
	if from < 0 || from+len(by) > len(d.was) {
		return
	}
	copy(d.is[from:], by)
	d.keep(from, from+len(by))
}

// zeros has bytes stay if all of them are zero.
func (d *plan) zeros(from, to int) {
	from, to = max(0, from), min(to, len(d.was))
	for i := from; i < to; i++ {
		if d.was[i] != 0 {
			return
		}
	}
	d.keep(from, to)
}

// pads has the zeros stay that fill up a word of XDR after what is known, from an offset on.
func (d *plan) pads(from int) {
	for at := from; at+4 <= len(d.was); at += 4 {
		n := 4
		for n > 0 && !d.known[at+n-1] {
			n--
		}
		if n > 0 && n < 4 {
			d.zeros(at+n, at+4)
		}
	}
}

// runs reports the bytes that are known, as they are to be.
func (d *plan) runs(tell func(at int, is []byte)) {
	for i := 0; i < len(d.known); {
		if !d.known[i] {
			i++
			continue
		}
		from := i
		for i < len(d.known) && d.known[i] {
			i++
		}
		tell(from, d.is[from:i])
	}
}
