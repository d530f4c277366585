// Package values reads the arguments and results of RPCs for the rules: the
// operations of a COMPOUND, the fields that a rule asked for, what a type may hold.
//
//	dissect.Body: Operation | Value Value Item ... End | Operation | ... | End
//	              Next ^      Within ^^^^^^^^^^^^^       Answer ^
package values
