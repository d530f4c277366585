package lines

import (
	"strings"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/words"
)

// PageWidth is how many columns a paragraph has, its prefix included: it may be
// pasted into a mail or a bug report and stay as it is.
const PageWidth = 96

// What a terminal has for a paragraph is used between these: narrower ones break lines themselves, and in wider ones
// lines are hard to follow.
const LeastWidth, mostWidth = 48, 120

// Width is how many columns a paragraph has.
func (w *Writer) Width() int {
	if w.columns == 0 {
		return PageWidth
	}
	return min(max(w.columns, LeastWidth), mostWidth)
}

// LabelWidth is the room for a label before its text.
const LabelWidth = 11

// A Paragraph is text that is broken into lines no wider than a page, each after
// the same prefix.
type Paragraph struct {
	To     *Writer
	Prefix string
	Under  int // how far to the right the lines below the first of Begin stand
}

// Write prints a text after a label, or without one from the prefix on. Nothing
// is printed for no text.
func (p *Paragraph) Write(label, text string) {
	if text == "" {
		return
	}
	indent := 0
	if label != "" {
		indent = max(LabelWidth, words.Columns(label))
	}
	width := p.To.Width()
	room := max(width-words.Columns(p.Prefix)-indent, width/3)
	for _, line := range Wrap(Clean(text), room, room) {
		p.lineIn(indent, label, line)
		label = ""
	}
}

// Line prints one line after a label as it is.
func (p *Paragraph) Line(label, text string) { p.lineIn(LabelWidth, label, text) }

func (p *Paragraph) lineIn(indent int, label, text string) {
	w := p.To
	w.B = append(w.B, p.Prefix...)
	at := len(w.B)
	w.B = append(w.B, label...)
	w.B = Pad(w.B, at, indent, false)
	w.B = append(w.B, text...)
	w.End()
}

// Begin prints text after what stands in the line so far and a space between; the
// first line ends in an ink.
func (p *Paragraph) Begin(between, text string, i words.Ink) {
	w := p.To
	start := len(w.B)
	for start > 0 && w.B[start-1] != '\n' {
		start--
	}
	used := words.Columns(WithoutEscapes(w.B[start:])) + words.Columns(between)
	width := w.Width()
	room := width - words.Columns(p.Prefix) - p.Under
	lines := Wrap(Clean(text), max(width-used, width/3), max(room, width/3))
	w.B = append(w.B, between...)
	for n, line := range lines {
		if n > 0 {
			p.lineIn(p.Under, "", line)
			continue
		}
		w.B = append(w.B, line...)
		w.B = append(w.B, i.Off...)
		w.End()
	}
}

// WithoutEscapes is text without what colours it.
func WithoutEscapes(b []byte) (plain []byte) {
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

// Wrap breaks text at spaces into lines of at most so many columns, the first and
// the others. A word that is longer has a line of its own.
func Wrap(text string, first, others int) (lines []string) {
	if text = strings.TrimRight(text, " \n\t"); words.Columns(text) <= first && !strings.ContainsAny(text, "\n\t") {
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
			used -= words.Columns(text[start:cut]) + 1
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
func spaced(line string) string { return strings.ReplaceAll(line, words.NBSP, " ") }

// Clean makes visible what is not, in each line: a capture must not steer a terminal.
func Clean(s string) string {
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

// Shorten cuts a text to so many columns, at a word.
func Shorten(text string, room int) string {
	lines := Wrap(text, room-2, room)
	if len(lines) == 1 {
		return lines[0]
	}
	return lines[0] + " …"
}
