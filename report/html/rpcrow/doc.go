// Package rpcrow makes the rows of the page's list of RPCs, with the fields of the filter language
// that its rows answer.
//
//	query.Sets ──> Columns ──> what the page knows of its fields
//	                  └──> Maker (a shard's) ──RPC──> columns.Row, and what it refers to in a Store
package rpcrow
