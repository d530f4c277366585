package report

import (
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// pageWidth is how many columns a paragraph has, its prefix included: it may be
// pasted into a mail or a bug report and stay as it is.
const pageWidth = 96

// labelWidth is the room for a label before its text.
const labelWidth = 11

// A paragraph is text that is broken into lines no wider than a page, each behind
// the same prefix.
type paragraph struct {
	t      *Text
	prefix string
	under  int // how far to the right the lines below the first of begin stand
}

// write prints a text behind a label, or without one from the prefix on. Nothing
// is printed for no text.
func (p *paragraph) write(label, text string) {
	if text == "" {
		return
	}
	indent := 0
	if label != "" {
		indent = max(labelWidth, columns(label))
	}
	room := max(pageWidth-columns(p.prefix)-indent, pageWidth/3)
	for _, line := range wrap(clean(text), room, room) {
		p.lineIn(indent, label, line)
		label = ""
	}
}

// line prints one line behind a label as it is.
func (p *paragraph) line(label, text string) { p.lineIn(labelWidth, label, text) }

func (p *paragraph) lineIn(indent int, label, text string) {
	t := p.t
	t.b = append(t.b, p.prefix...)
	at := len(t.b)
	t.b = append(t.b, label...)
	t.b = pad(t.b, at, indent, false)
	t.b = append(t.b, text...)
	t.endRow()
}

// begin prints text behind what stands in the line so far and a space between; the
// first line ends in an ink.
func (p *paragraph) begin(between, text string, i ink) {
	t := p.t
	start := len(t.b)
	for start > 0 && t.b[start-1] != '\n' {
		start--
	}
	used := columns(withoutEscapes(t.b[start:])) + columns(between)
	room := pageWidth - columns(p.prefix) - p.under
	lines := wrap(clean(text), max(pageWidth-used, pageWidth/3), max(room, pageWidth/3))
	t.b = append(t.b, between...)
	for n, line := range lines {
		if n > 0 {
			p.lineIn(p.under, "", line)
			continue
		}
		t.b = append(t.b, line...)
		t.b = append(t.b, i.off...)
		t.endRow()
	}
}

// withoutEscapes is text without what colours it.
func withoutEscapes(b []byte) (plain []byte) {
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b {
			plain = append(plain, b[i])
			continue
		}
		for i < len(b) && b[i] != 'm' {
			i++
		}
	}
	return plain
}

// nbsp is a space at which no line is broken; it is printed as any other.
const nbsp = "\u00a0"

// wrap breaks text at spaces into lines of at most so many columns, the first and
// the others. A word that is longer has a line of its own.
func wrap(text string, first, others int) (lines []string) {
	if text = strings.TrimRight(text, " \n\t"); columns(text) <= first && !strings.ContainsAny(text, "\n\t") {
		return []string{spaced(text)}
	}
	if !tidy(text) {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }), " ")
	}
	// The line begins at start and has used columns so far; cut is where its last word ends.
	start, cut, used, room := 0, 0, 0, first
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' {
			if text[i]&0xC0 != 0x80 {
				used++
			}
			continue
		}
		if used > room && cut > start {
			lines = append(lines, spaced(text[start:cut]))
			used -= columns(text[start:cut]) + 1
			start, room = cut+1, others
		}
		cut = i
		used++
	}
	return append(lines, spaced(text[start:]))
}

// tidy reports whether nothing but single spaces stands between the words of a text.
func tidy(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c == ' ' && before == ' ' || c == '\n' || c == '\t' {
			return false
		}
		before = c
	}
	return true
}

// spaced is a line as it is printed.
func spaced(line string) string { return strings.ReplaceAll(line, nbsp, " ") }

// clean makes visible what is not, in each line: a capture must not steer a terminal.
func clean(s string) string {
	var b []byte
	for line := range strings.Lines(s) {
		text, end := strings.CutSuffix(line, "\n")
		b = field.AppendVisible(b, text)
		if end {
			b = append(b, '\n')
		}
	}
	return string(b)
}
