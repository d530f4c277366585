// Package view shows bytes to people by their types in XDR language: as a tree of every
// field, or as a line.
//
//	                     ┌── Nodes           the tree of every field, for what
//	walk.Route, bytes ──┤                   someone looks at
//	                     │                   COMPOUND4args: PUTFH 0x97099679; GETATTR
//	                     │                     tag: ""
//	                     │                     argarray: 2 elements
//	                     └─Walker.Walk─┬── AppendSummary     "PUTFH 0x97099679; GETATTR"
//	                                   ├── AppendOperation   "PUTFH 0x97099679"
//	                                   └── AppendValue       "0x97099679"
//
// The tree and the walk read the same stream (walk.Stream), so they agree on what is
// where, what travelled in which chunk, and what is wrong; tests hold them against each
// other.
package view
