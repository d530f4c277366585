// Package ddp has the rules of direct data placement (family DDP): which items
// may leave the RPC message for a chunk, where they were, how long they are, and
// what RDMA Reads and Writes do with the memory of the chunks (RFC 8166,
// sections 3.4 and 4.3; RFC 8267).
//
//	unreduced | ... | length | data                   | pad | next item
//	inline    | ... | length |                              | next item
//	                         ^ Position    segments ──RDMA Read──> responder
//
// A call or result whose chunks fit its items is judged item by item, if it has no
// more than 256 chunks. Of one that does not fit, a diagnosis (diagnose.go) looks
// for the single change with which it would: it is what the sender did wrong.
//
// Each RDMA operation is compared with the memory that calls advertised (package
// memory). One that none allows waits for a while, since the capture may have the
// call behind it.
package ddp
