package page

// texts number octets: names of files, file handles. The numbers only grow. What was not
// among the last ones may get another number, and is in the page once more then: so
// nothing is left out, and what is remembered is bounded.
type texts struct {
	known  map[string]uint64
	octets int
	next   uint64
}

const (
	maxTexts      = 1 << 13
	maxTextOctets = 512 << 10
)

// of is the number of a text, and whether it is a new one.
func (t *texts) of(octets []byte) (n uint64, text string, fresh bool) {
	if n, ok := t.known[string(octets)]; ok {
		return n, "", false
	}
	if t.known == nil {
		t.known = make(map[string]uint64)
	}
	if len(t.known) >= maxTexts || t.octets+len(octets) > maxTextOctets {
		clear(t.known)
		t.octets = 0
	}
	text, n = string(octets), t.next
	t.known[text] = n
	t.octets += len(text)
	t.next++
	return n, text, true
}

// Text is the number of a text for the lists of the row that is added next.
func (w *Writer) Text(octets []byte) uint64 {
	if w.rowsFull {
		return 0 // there is no such row
	}
	if len(octets) > mostText {
		octets, w.listsCut = octets[:mostText], true
	}
	n, text, fresh := w.texts.of(octets)
	if fresh {
		w.rows.texts = append(w.rows.texts, text)
		w.rows.textOctets += len(text)
	}
	return n
}

// ListsCut reports whether a list of a row had more values, or a text more octets, than
// are kept: filters of the page do not see the rest.
func (w *Writer) ListsCut() bool { return w.listsCut }
