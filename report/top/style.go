package top

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/rdmacap/rdmacap/report/finding"
)

// style has the colours of the screen. What a colour says, a word or a mark says too.
type style struct {
	plain, dim, heading, chosen, name, odd, bad lipgloss.Style
}

func newStyle(color bool) style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(true) // so that no terminal is asked
	r.SetColorProfile(termenv.Ascii)
	if color {
		r.SetColorProfile(termenv.ANSI)
	}
	s := r.NewStyle
	return style{
		plain: s(), dim: s().Faint(true), heading: s().Bold(true), chosen: s().Reverse(true),
		name: s().Foreground(lipgloss.Color("6")),
		odd:  s().Foreground(lipgloss.Color("3")),
		bad:  s().Foreground(lipgloss.Color("1")).Bold(true),
	}
}

// severity is the colour of a severity.
func (s *style) severity(of finding.Severity) lipgloss.Style {
	switch of {
	case finding.Error:
		return s.bad
	case finding.Warning:
		return s.odd
	}
	return s.plain
}

// fit cuts text to a width in columns.
func fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(text, width, "…")
}

// pad fits text into a column, to the left or to the right of it.
func pad(text string, width int, left bool) string {
	text = fit(text, width)
	fill := width - ansi.StringWidth(text)
	if fill <= 0 {
		return text
	}
	if left {
		return text + spaces(fill)
	}
	return spaces(fill) + text
}

func spaces(n int) string {
	const some = "                                                                "
	s := ""
	for n > len(some) {
		s += some
		n -= len(some)
	}
	return s + some[:max(0, n)]
}
