package report

import (
	"iter"
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
	var line strings.Builder
	room, used := first, 0
	for word := range words(text) {
		n := columns(word)
		if used > 0 && used+1+n > room {
			lines = append(lines, spaced(line.String()))
			line.Reset()
			room, used = others, 0
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += n
	}
	if used > 0 {
		lines = append(lines, spaced(line.String()))
	}
	return lines
}

// spaced is a line as it is printed.
func spaced(line string) string { return strings.ReplaceAll(line, nbsp, " ") }

// words goes over what stands between the spaces and line ends of a text.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := range len(text) {
			if c := text[i]; c == ' ' || c == '\n' || c == '\t' {
				if i > start && !yield(text[start:i]) {
					return
				}
				start = i + 1
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

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
