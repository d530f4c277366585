// Package hdr has the rules of the transport header (family HDR): whether it can be
// decoded, whether it fits the RPC message, and whether a reply's fits its call's
// (RFC 8166, section 4; RFC 8167, section 5).
//
//	call   xid | vers | credit | proc | Read list | Write list | Reply chunk | RPC
//	reply  the same xid and vers;       empty       same handles, lengths written
//	error  the same xid and vers;       ERR_VERS low high, or ERR_CHUNK
//
// A malformed header is judged by HDR-001, HDR-002, HDR-003 and HDR-013 alone;
// the other rules, of all families, pass over it.
package hdr
