package metrics

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

// amount is a value for people, in the unit that the name of its metric ends with.
func amount(metric string, value float64) string {
	switch name := strings.TrimSuffix(metric, "_total"); {
	case strings.HasSuffix(name, "_time_seconds"): // since 1970
		return time.Unix(int64(value), 0).UTC().Format(time.RFC3339)
	case strings.HasSuffix(name, "_seconds"):
		return duration(value)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// duration is one of some seconds, in three digits or four.
func duration(s float64) string {
	if math.IsNaN(s) {
		return "–"
	}
	if math.IsInf(s, 1) {
		return "more"
	}
	d := time.Duration(s * float64(time.Second))
	for unit := time.Duration(10); unit <= 10*time.Millisecond; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit / 10).String()
		}
	}
	return d.Round(10 * time.Millisecond).String()
}

// within is the bound that a share of what a histogram counts is not above, in its
// unit; not a number if it has none.
func within(bounds []float64, x *exposition.Series, share float64) float64 {
	if x.Count == 0 {
		return math.NaN()
	}
	for i, n := range x.Points {
		if n >= share*float64(x.Count) {
			return bounds[i]
		}
	}
	return math.Inf(1)
}
