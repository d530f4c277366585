// Package exposition writes metrics in Prometheus's text format, version 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
//
// A Family is a metric: a name, a help text, and a Series for each combination of label
// values. Whoever fills one in adds series in any order; Sort puts them in the one order
// that is always the same. Nothing is kept between two answers, and nothing needs a lock.
package exposition
