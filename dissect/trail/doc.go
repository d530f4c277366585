// Package trail knows which frames of a connection have a part in RPCs: those that carried some of
// them, which the RPCs name, those that carried the same again, and those that acknowledge them.
//
// Both ends send in an order of their own: PSNs, or sequence numbers of TCP. A Trail remembers
// where in them the newest frames of the RPCs are:
//
//	requests of end 0   ──▓▓▓▓──────▓▓────>   their responses have the same PSNs
//	requests of end 1   ────────▓▓▓───────>
//
// An Earlier remembers frames, not RPCs: of any frame it says which earlier ones it goes with.
package trail
