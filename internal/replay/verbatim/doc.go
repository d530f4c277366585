// Package verbatim plays one side of a captured conversation to another rdmacap that plays the
// other: the captured bytes of every Send, malformed ones included, but for handles and
// offsets, which are those of memory that is registered now.
//
//	capture ──> script.Conversation ──NewPlan──> Plan: what one side does, by the capture's order
//
//	client  Send 1 ─────────────────────────────> the server's: it waits for message 1
//	                <───────────── RDMA Write, Send 2
//	        it waits for message 2, Send 3 ─────>
//
// Each side does its Sends, RDMA Reads and Writes in the order of the capture, each when it has
// received as many messages as were captured before it. Its n-th message is the n-th that the
// capture has of that side: so the handles that it names are known for those of the capture.
//
//	captured   | ... | handle  | length | offset  | ...    the client's n-th message
//	                     │                   │
//	received   | ... | handle' | length | offset' | ...    the server's RDMA Write to (handle,
//	                                                       offset + 10) goes to (handle', offset' + 10)
//
// XIDs, credits, private data and the order of work are the captured ones. What nobody
// advertised keeps the captured handle, and ends the connection, as it should.
package verbatim
