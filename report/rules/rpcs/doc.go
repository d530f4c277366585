// Package rpcs has the rules of the RPC layer (family RPC):
// whether calls and replies pair up, what the RPC headers say, and how long calls
// take (RFC 5531; RFC 8166, sections 4.5 and 5; RFC 8167, section 2).
//
//	call ──> reply           RPC-005, 006: what it says; 007: how long it took
//	call ──> nothing         RPC-001
//	nothing ──> reply        RPC-002: none open, answered before, too late
//	call ──> call, same XID  RPC-003: on one connection; 004: on the next one
package rpcs
