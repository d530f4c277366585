package exposition

import (
	"cmp"
	"slices"
)

// A Kind is what the values of a metric mean. It is the word that the format has for it.
type Kind string

const (
	// Counter only grows.
	Counter Kind = "counter"
	// Gauge goes up and down.
	Gauge Kind = "gauge"
	// Histogram counts observations in buckets.
	Histogram Kind = "histogram"
	// Summary has quantiles of observations.
	Summary Kind = "summary"
)

// A Family is a metric with its series.
type Family struct {
	Name, Help string
	Kind       Kind
	// Labels are the names of the labels that each series has, sorted.
	Labels []string
	// Bounds are the upper bounds of a Histogram's buckets, without +Inf, in the unit
	// that the name ends with; of a Summary the quantiles, from 0 to 1. They ascend.
	Bounds []float64
	Series []Series
	// labels and points are what the series have parts of: one allocation is for many.
	labels []string
	points []float64
}

// A Series is what a Family has for one combination of label values.
type Series struct {
	// Labels are the values of the Family's labels, in their order.
	Labels []string
	// Value is that of a Counter or Gauge, and the sum of all that a Histogram or Summary
	// has observed, in the unit that the name ends with.
	Value float64
	// Count is how much a Histogram or Summary has observed.
	Count uint64
	// Points has one number for each of the Family's Bounds: how many observations are
	// not above it (Histogram), or the quantile (Summary).
	Points []float64
}

// Add adds a series of a Counter or Gauge. The labels are the values of f.Labels.
func (f *Family) Add(value float64, labels ...string) {
	f.Series = append(f.Series, Series{Labels: f.keepLabels(labels), Value: value})
}

// Observed adds a series of a Histogram or Summary; Series says what the numbers are.
// The points are copied.
func (f *Family) Observed(sum float64, count uint64, points []float64, labels ...string) {
	from := len(f.points)
	f.points = append(f.points, points...)
	f.Series = append(f.Series, Series{f.keepLabels(labels), sum, count, slices.Clip(f.points[from:])})
}

// keepLabels copies labels. Where the copy moves to a larger array, what older series have
// stays where it was.
func (f *Family) keepLabels(labels []string) []string {
	from := len(f.labels)
	f.labels = append(f.labels, labels...)
	return slices.Clip(f.labels[from:])
}

// Sort sorts families by their names, and the series of each by label values.
func Sort(families []Family) {
	slices.SortFunc(families, func(a, b Family) int { return cmp.Compare(a.Name, b.Name) })
	for i := range families {
		slices.SortFunc(families[i].Series, func(a, b Series) int { return slices.Compare(a.Labels, b.Labels) })
	}
}
