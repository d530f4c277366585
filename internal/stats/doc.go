// Package stats counts what a dissect.Dissector finds: how often each operation
// was called, how long it took, how its messages travelled, and what each
// connection made of its credits and inline thresholds.
//
//	dissect.Dissector ──Sink──> Gatherer
//	                              │  Connection   credits, Sends, Table
//	                              │     └─ Table  an Operation a row, Counts and a Histogram each
//	                              v
//	                        when a connection has ended: whoever shows it
//	                              │
//	                              └─> Totals: all connections together
//
// What an RPC adds to Counts is reported there only: metrics for monitoring are another view of them.
//
// What is kept is bounded by the connections that are open, not by the capture:
// a connection is handed on when it has ended, merged into the totals, and
// forgotten. For an RPC nothing is allocated, but for what a row needs when it
// first meets an operation or an order of magnitude.
package stats
