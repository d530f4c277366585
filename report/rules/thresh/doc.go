// Package thresh has the rules about inline thresholds (family THRESH): how long a
// Send may be, whether messages that needed chunks used them, and whether those
// that used chunks needed them (RFC 8166, sections 3.3 and 3.5.3; RFC 8797).
//
//	0            28                                   inline threshold
//	| header     | RPC message ...                    |
//	|── a Send ───────────────────────────────────────|──> too long: THRESH-001, 002, 004, 005, 006, 010
//	|── as it could have been sent ──────|            |──> needless: THRESH-007, 008, 011
//	|── a reply as it may become ─────────────────────|──> no room: THRESH-009
//
// What the ends declared during connection setup is in package setup, refused Sends
// are in package requests, and estimates of replies in package size.
package thresh
