// Package tcp finds the TCP connections that carry iWARP, and turns the FPDUs in their
// streams into verbs messages, in the order of their MSNs.
//
// Both directions of a TCP connection name both of its ends, so nothing has to be
// paired. But nothing says that one carries iWARP, either: it is a candidate until an
// MPA Request or Reply was seen, or, where the capture began later, FPDUs that follow
// one another.
//
//	segment ─> tcpConn ─> side (one direction) ─> stream.Stream ─> iwarp.Framer
//	                        │ mpa.go: setup          bytes in        FPDUs
//	                        │                         order              │
//	                        └ ddp.go: Sends, Writes, Reads <─────────────┘
//
// Bytes lie in the frames by way of segments out of order, FPDUs and markers
// (place.go). How a segment came, in order, late or again, is decided by judge.go.
package tcp
