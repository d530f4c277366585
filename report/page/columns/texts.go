package columns

// texts number bytes: names of files, file handles. The numbers only grow. What was not
// among the last ones may get another number, and is in the page once more then: so
// nothing is left out, and what is remembered is bounded.
type texts struct {
	known map[string]uint64
	bytes int
	next  uint64
}

const (
	maxTexts     = 1 << 13
	maxTextBytes = 512 << 10
)

// of is the number of a text, and whether it is a new one.
func (t *texts) of(data []byte) (n uint64, text string, fresh bool) {
	if n, ok := t.known[string(data)]; ok {
		return n, "", false
	}
	if t.known == nil {
		t.known = make(map[string]uint64)
	}
	if len(t.known) >= maxTexts || t.bytes+len(data) > maxTextBytes {
		clear(t.known)
		t.bytes = 0
	}
	text, n = string(data), t.next
	t.known[text] = n
	t.bytes += len(text)
	t.next++
	return n, text, true
}
