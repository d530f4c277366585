// Package report writes what a dissect.Dissector finds: rows for a person, or
// the JSON records of the contract for a program.
//
//	dissect.Dissector ──Sink──> Text   aligned rows, field trees, hex dumps
//	                       └──> JSON   one array, or one object a line
//
// Rows are appended to one buffer that is used again; nothing is built for
// them that is not printed.
package report
