package top

import (
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/watch"
)

// count is a number in few columns: 12345, 123k, 12M.
func count(n int64) string {
	switch {
	case n < 1e5:
		return strconv.FormatInt(n, 10)
	case n < 1e6:
		return strconv.FormatInt(n/1e3, 10) + "k"
	case n < 1e9:
		return strconv.FormatInt(n/1e6, 10) + "M"
	}
	return strconv.FormatInt(n/1e9, 10) + "G"
}

// rate is a number a second in five columns.
func rate(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.1:
		return "<0.1"
	case x < 9.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return count(int64(x + 0.5))
}

// megabytes are bytes a second as MB/s, in five columns.
func megabytes(size float64) string {
	switch x := size / 1e6; {
	case size == 0:
		return "0"
	case x < 0.01:
		return "<0.01"
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	default:
		return count(int64(x + 0.5))
	}
}

// span is nanoseconds in six columns: 43.6ms.
func span(ns int64) string {
	return strings.Replace(string(field.AppendDuration(nil, ns)), " ", "", 1)
}

// latency is one of the latencies of some replies, a dash if there were none.
func latency(f *watch.Figures, ns int64) string {
	if f.Answered == 0 {
		return "-"
	}
	return span(ns)
}

// while is how long something took, for a person: 45 s, 12 min, 3 h 20 min.
func while(d time.Duration) string {
	seconds := int64(d / time.Second)
	switch {
	case seconds < 100:
		return strconv.FormatInt(seconds, 10) + " s"
	case seconds < 3600:
		return strconv.FormatInt(seconds/60, 10) + " min"
	}
	return strconv.FormatInt(seconds/3600, 10) + " h " + strconv.FormatInt(seconds/60%60, 10) + " min"
}

// A share of findings are those of one severity, with its letter.
type share struct {
	n    int64
	mark string
}

// tallied are findings by severity, the worst first.
func tallied(t finding.Tally) [3]share {
	return [3]share{{t.Errors, "E"}, {t.Warnings, "W"}, {t.Notes, "N"}}
}

// findings are counts of findings in a few columns, the worst first: 2E 1W.
func findings(t finding.Tally) string {
	var parts []string
	for _, c := range tallied(t) {
		if c.n > 0 {
			parts = append(parts, count(c.n)+c.mark)
		}
	}
	return strings.Join(parts, " ")
}

// worst is how many findings there are of the worst severity, and whether there are milder
// ones beside them, as far as four columns show it: 1W+ is a warning and some notes.
func worst(t finding.Tally) string {
	shown := ""
	for _, c := range tallied(t) {
		switch {
		case c.n == 0:
		case shown == "":
			shown = count(c.n) + c.mark
		case len(shown) < 4:
			return shown + "+"
		}
	}
	return shown
}

// unlessZero leaves zeros out: what is there stands out.
func unlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return count(n)
}

// at is a time as people read it on the wall, UTC.
func at(ns int64) string {
	if ns == 0 {
		return "--:--:--"
	}
	return time.Unix(0, ns).UTC().Format("15:04:05")
}
