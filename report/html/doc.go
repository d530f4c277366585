// Package html gathers what goes into the HTML report, and writes it with package page
// when the captures are over.
//
// Connections are reported to parts, one for each shard of dissect.Shards: they make rows, steps of
// ladders, trees and bytes while what these are made of is at hand. What there is for the whole
// capture, numbers, limits and room, is of the Page, which takes what parts made in the order
// of the capture: so it is the same with any number of shards.
//
//	part ─┐
//	part ─┼─> Page ──> check.Check ──> findings, when their connection is over
//	part ─┘    ├─────> stats.Gatherer ──> tables of the connection
//	           ├─────> rows of RPCs (rpcrow), series ──┐
//	           └─────> evidence: ladders, bytes ──> page.Writer
package html
