// Package ddp has the rules of direct data placement (family DDP): which items
// may be moved from the RPC message to a chunk, their Positions and lengths, and
// the RDMA Reads and Writes that access the memory of the chunks (RFC 8166,
// sections 3.4 and 4.3; RFC 8267).
//
//	unreduced | ... | length | data                   | pad | next item
//	inline    | ... | length |                              | next item
//	                         ^ Position    segments ──RDMA Read──> responder
//
// If the chunks of a call or result fit its items, and there are no more than 256
// chunks, each item is checked. If they do not fit, a diagnosis (diagnose.go) looks
// for the single change that would make them fit: that is the sender's mistake.
//
// Each RDMA operation is compared with the memory that calls advertised (package
// memory). One that no call allows waits for a while, since the call may follow it
// in the capture.
package ddp
