// Package report holds no code. Below it is what rdmacap says of a capture: the model
// first, then its forms, none of which knows another.
//
//	rules ──> check ──> finding ──> rows    text for people
//	                    words   ├─> record  JSON, SARIF, comments on frames
//	                    listing ├─> html    the report, over page
//	                    draft   └─> watch ──> top, metrics: while traffic runs
//
// The packages below it promise nothing to other programs: they change with rdmacap
// (docs/architecture.md, Libraries).
package report
