// Package own makes rules of documents that a user wrote. What the check of a rule that
// ships is in Go, conditions in the head of the document say, as filters of package query:
//
//	when rpc: rpc.auth == AUTH_SYS and not (all ip.addr in {10.20.0.0/16})
//	when message: rdma.credits == 0
//	when frame: ip.dsfield.dscp == 0
//	when connection: connection.transport != RoCEv2
//	must follow rpc within 5s: nfs.op == COMMIT
//	must not follow message within 100ms: rdma.error
//	says: AUTH_SYS from outside the storage network
//
// There is one when, and at most one of the others. Without must, what the when matches is a
// finding. With it, that what must follow on the same connection did not, or that what must
// not did. An RPC counts when its reply was captured, so it follows when that does; a
// connection when its first message comes.
//
//	document ──conditions──> condition, a query for each goroutine ──> rules.Check
//	                                                 │
//	                       what waits for something to follow: pending, by connection
//
// The limitations are those of other rules that prove something by absence: nothing is reported of a
// message or RPC that was not captured whole; nor, where something must follow, if frames
// are missing since, or the capture has one direction only or ends.
package own
