// Package wire makes of captured messages those that a replay sends: the same bytes, with
// the handles and offsets of memory that is registered now, and other XIDs. Both sides of a
// replay use it.
//
//	captured Send   | XID  | vers | credit | proc | ... | handle  | length | offset  | ... | XID  | RPC message
//	                    │              │                     │                  │              │
//	Rewrite         | XID' | vers | credit | proc | ... | handle' | length | offset' | ... | XID' | RPC message
//	                    │              │                     └───────┬──────────┘
//	Edit            any word, by its name in the filter language     │
//	                                                                 │
//	Memory          registered regions and windows ──> Advertised ───┘
//
// Of a header that is malformed, what stands before the fault is rewritten, and the rest
// stays as captured.
package wire
