// Package inv has the rules of remote invalidation (family INV): a responder that
// answers with Send With Invalidate retires one handle of the requester with the
// reply itself (RFC 8797, section 4.1).
//
//	requester ──call: handles A, B──> responder
//	          <──reply, Send With Invalidate of A──
package inv
