// Package filter is a language that selects records by their fields, as in
// nfs.op == "READ" and rpc.latency > 10ms. It is that of rdmacap's option -Y.
//
// A Set lists the fields that rows of one level have. It compiles an
// expression to a Filter, which asks a Record for the values of the fields that
// the expression names, and tests each value as it is given: nothing is stored,
// nothing is allocated.
//
//	expr ──Set.Compile──> Filter ──Match──> Record.Values(field, to)
//	                        ^                        │
//	                        └── to.Uint, to.Addr … ──┘
//
// The language, where spaces may stand between any two words, and comments from # to the end of
// a line:
//
//	expr  = and { ("or" | "||") and }
//	and   = not { ("and" | "&&") not }
//	not   = ("not" | "!") not | "(" expr ")" | test
//	test  = field                                       a boolean is true; others: present
//	      | ["any" | "all"] field compare value
//	      | ["any" | "all"] field "in" set | field "not" "in" set
//	set   = "{" value [".." value] { "," value [".." value] } "}"
//
// It is a part of the language of Wireshark's display filters (release 4, manual
// page wireshark-filter), with the same meaning: a test of a field that a record
// does not have is false, also with !=; a test of a field with several values is
// true if one of them passes, but != asks that all differ. It departs where
// that is safer or shorter: a boolean field by itself asks whether it is true,
// numbers have units, a number that begins with 0 is not octal but refused.
//
// What a user gets wrong is an *Error, which knows the place and, often, what
// was meant.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package filter
