package exposition

import (
	"math"
	"strconv"
	"strings"
)

// ContentType is what an answer in the text format says that it is.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Append appends families as text, in their order. One without series is left out, as the
// format has no way to say that there are none.
func Append(b []byte, families []Family) []byte {
	for i := range families {
		if f := &families[i]; len(f.Series) > 0 {
			b = appendFamily(b, f)
		}
	}
	return b
}

func appendFamily(b []byte, f *Family) []byte {
	b = append(b, "# HELP "...)
	b = append(b, f.Name...)
	b = append(b, ' ')
	b = appendEscaped(b, f.Help, false)
	b = append(b, "\n# TYPE "...)
	b = append(b, f.Name...)
	b = append(b, ' ')
	b = append(b, f.Kind...)
	b = append(b, '\n')
	for i := range f.Series {
		switch s := &f.Series[i]; f.Kind {
		case Histogram:
			b = appendHistogram(b, f, s)
		case Summary:
			b = appendSummary(b, f, s)
		default:
			b = appendSample(b, f, "", s, s.Value)
		}
	}
	return b
}

func appendHistogram(b []byte, f *Family, s *Series) []byte {
	for k, bound := range f.Bounds {
		b = appendPoint(b, f, "_bucket", s, "le", bound, s.Points[k])
	}
	b = appendPoint(b, f, "_bucket", s, "le", math.Inf(1), float64(s.Count))
	return appendTotals(b, f, s)
}

func appendSummary(b []byte, f *Family, s *Series) []byte {
	for k, quantile := range f.Bounds {
		b = appendPoint(b, f, "", s, "quantile", quantile, s.Points[k])
	}
	return appendTotals(b, f, s)
}

func appendTotals(b []byte, f *Family, s *Series) []byte {
	b = appendSample(b, f, "_sum", s, s.Value)
	return appendSample(b, f, "_count", s, float64(s.Count))
}

// appendSample appends a line without labels of its own.
func appendSample(b []byte, f *Family, suffix string, s *Series, value float64) []byte {
	b, separator := appendLabels(b, f, suffix, s)
	if separator == ',' {
		b = append(b, '}')
	}
	return appendValue(b, value)
}

// appendPoint appends a line that has a label with a number after those of the series.
func appendPoint(b []byte, f *Family, suffix string, s *Series, label string, at, value float64) []byte {
	b, separator := appendLabels(b, f, suffix, s)
	b = append(b, separator)
	b = append(b, label...)
	b = append(b, `="`...)
	b = appendFloat(b, at)
	b = append(b, `"}`...)
	return appendValue(b, value)
}

// appendLabels appends the name and the labels, with what a further label is to follow.
func appendLabels(b []byte, f *Family, suffix string, s *Series) (_ []byte, separator byte) {
	b = append(b, f.Name...)
	b = append(b, suffix...)
	separator = '{'
	for k, value := range s.Labels {
		b = append(b, separator)
		b = append(b, f.Labels[k]...)
		b = append(b, `="`...)
		b = appendEscaped(b, value, true)
		b = append(b, '"')
		separator = ','
	}
	return b, separator
}

func appendValue(b []byte, value float64) []byte {
	return append(appendFloat(append(b, ' '), value), '\n')
}

// appendFloat appends a number as Go writes it, which is what the format asks for: with
// NaN, +Inf and -Inf.
func appendFloat(b []byte, value float64) []byte {
	return strconv.AppendFloat(b, value, 'g', -1, 64)
}

// appendEscaped appends a help text, or the value of a label, which is quoted. What is not
// UTF-8 (the name of an interface may be any bytes) would make Prometheus refuse the whole
// answer: it becomes U+FFFD.
func appendEscaped(b []byte, s string, quoted bool) []byte {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '"' && quoted:
			b = append(b, `\"`...)
		default:
			b = append(b, c)
		}
	}
	return b
}
