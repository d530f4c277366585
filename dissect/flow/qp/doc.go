// Package qp turns packets between queue pairs into verbs messages, in the order of
// their PSNs.
//
//	packet ─> Tracker ─> half connection ─> PSN order ─> messages ─> flow.Sink
//	            │         (one direction)      │
//	            ├ cm.go     connections from CM: REQ, REP, RTU, DREQ, ...
//	            ├ pair.go   connections whose setup was not captured
//	            ├ ends.go   QPN reuse, disconnects   ├ hole.go  loss, reordering
//	            └ evidence.go                        └ read.go  RDMA Reads
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
// The two directions may be captured out of step with each other, which what
// they acknowledge shows (skew.go), and what comes first need not be what was
// sent first (begin.go).
package qp
