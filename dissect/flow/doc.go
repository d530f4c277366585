// Package flow turns frames into verbs messages: the Sends, RDMA Writes and
// RDMA Reads of each connection, in order, whole or marked as incomplete. What
// comes out speaks the same words for every transport.
//
//	frame ─> Tracker ─> half connection ─> PSN order ─> messages ─> Sink
//	           │         (one direction)      │
//	           ├ cm.go     connections from CM: REQ, REP, RTU, DREQ, ...
//	           ├ pair.go   connections whose set-up was not captured
//	           ├ ends.go   QPN reuse, disconnects   ├ hole.go  loss, reordering
//	           └ evidence.go                        └ read.go  RDMA Reads
//
// Reliable-connection packets name only the receiving queue pair. A half
// connection is therefore (source, destination, destination QP), and each has
// a PSN space of its own: its requests carry PSNs of it, and so do the
// responses (Acknowledge, RDMA READ Response) that travel the other way.
//
//	client ──Send PSN 10, READ Request PSN 11──> server      half 0, space 0
//	client <──────Acknowledge PSN 10──────────── server      half 1, space 0
//	client <──────READ Response PSN 11, 12────── server      half 1, space 0
//	client <────────────Send PSN 77───────────── server      half 1, space 1
//
// A gap in the PSNs is settled by what the peer says: a frame that it
// acknowledged and that the capture lacks is missing only from the capture; one
// that is sent again, after a NAK or a time-out, was lost on the wire. What is
// given up is a hole (Gaps).
//
// The two directions may be captured out of step with each other, which what
// they acknowledge shows (skew.go), and what comes first need not be what was
// sent first (begin.go).
//
// A Send says where its octets lie in the frames (Piece), an RDMA Write or Read
// where the header lies that names the memory (Place): over iWARP by way of
// segments out of order, FPDUs and markers (place_iwarp.go).
package flow
