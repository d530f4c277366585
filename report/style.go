package report

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// style holds the colours of text. What a colour says, a word says too.
type style struct {
	dim, heading, name, good, odd, bad, conn ink
}

// ink is what is written before and after coloured text, both empty without
// colour: rows are appended octet by octet, and lipgloss is asked only once.
type ink struct{ on, off string }

// append appends text in the ink.
func (i ink) append(b []byte, text string) []byte {
	b = append(b, i.on...)
	b = append(b, text...)
	return append(b, i.off...)
}

func newStyle(color bool) style {
	if !color {
		return style{}
	}
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.ANSI)
	plain := r.NewStyle()
	return style{
		dim:     inkOf(plain.Faint(true)),
		heading: inkOf(plain.Bold(true)),
		name:    inkOf(plain.Foreground(lipgloss.Color("6"))),
		good:    inkOf(plain.Foreground(lipgloss.Color("2"))),
		odd:     inkOf(plain.Foreground(lipgloss.Color("3"))),
		bad:     inkOf(plain.Foreground(lipgloss.Color("1")).Bold(true)),
		conn:    inkOf(plain.Foreground(lipgloss.Color("4")).Bold(true)),
	}
}

// inkOf takes a style apart into what it writes before and after a text.
func inkOf(s lipgloss.Style) ink {
	const text = "x"
	on, off, _ := strings.Cut(s.Render(text), text)
	return ink{on, off}
}
