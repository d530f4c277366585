// Package pcapng appends blocks of pcapng to buffers, for those who write captures.
// Package capture reads them.
//
//	+-------------------+-------------------+
//	| type              | total length      |   Begin...
//	+-------------------+-------------------+
//	| body                                  |
//	+---------+---------+-------------------+
//	| code    | length  | value ...         |   AppendOption, AppendComment
//	+---------+---------+-------------------+
//	| 0       | 0       |                       EndOptions, where there are any
//	+---------+---------+
//	| total length      |                       End
//	+-------------------+
//
// A block is begun at the end of a buffer and ended there; what is appended between
// is its own. Nothing is allocated but by append. Sections are those of
// draft-ietf-opsawg-pcapng.
package pcapng
