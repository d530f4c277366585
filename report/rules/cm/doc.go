// Package cm has the rules on connection setup and teardown (family CM):
// the private data of RPC-over-RDMA (RFC 8797), RDMA Read depths, retransmitted setup
// messages, and settings that change on reconnect.
//
//	REQ, REP, MPA frame | private data: 0xf6ab0e18 | Version | Flags | Send Size | Receive Size |
//	                            CM-001, CM-003        CM-001   CM-002     CM-004, CM-005
//	                    | depths ── CM-006
//	one connection ──lost──> the next ──lost──> ...    CM-005; SYM-006, 009
//
// What the ends declared is in package setup. What a rule must know of earlier
// connections of the same hosts is in history.go.
package cm
