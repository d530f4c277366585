// Package report writes what a dissect.Dissector finds: rows for a person, or
// the JSON records of the contract for a program.
//
//	dissect.Dissector ──Sink──> Text   aligned rows, field trees, hex dumps
//	                       └──> JSON   one array, or one object a line
//
// A row or record is appended to one buffer that is used again, and that is
// written when it is full: nothing is allocated for it. Field trees and hex
// dumps are built only when they were asked for.
package report
