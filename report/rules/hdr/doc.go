// Package hdr has the transport header rules (family HDR): whether a header can be
// decoded, whether it fits the RPC message, and whether the header of a reply fits
// that of its call (RFC 8166, section 4; RFC 8167, section 5).
//
//	call   xid | vers | credit | proc | Read list | Write list | Reply chunk | RPC
//	reply  the same xid and vers;       empty       same handles, lengths written
//	error  the same xid and vers;       ERR_VERS low high, or ERR_CHUNK
//
// Only HDR-001, HDR-002, HDR-003 and HDR-013 check a malformed header; the other
// rules, of all families, skip it.
package hdr
