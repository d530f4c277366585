// Package responder plays the server of a captured conversation to live clients.
//
//	capture ──> script.Conversation ──> Server ──Listen──> session, one for each connection
//	                                      │
//	live call ──reader──> key             │     key: program, procedure, arguments without what
//	    │                  │              │     a client chooses anew (sequence numbers, owners,
//	    │                  └──> matcher <─┘     times, verifiers); captured handles in place of
//	    │                          │            live ones
//	    │  Read chunks pulled      v
//	    │                    captured call and its reply
//	    │                          │
//	    └──the memory it offers──> reply ──> RDMA Writes, then Send or Send With Invalidate
//
// What a live client has of the server, handles, stateids, sessions and cookies, it got from
// captured replies: so they are the captured ones. Only the handle of the root is another, which
// clients of NFS version 3 get from a MOUNT server by TCP: the first handle that the capture
// does not have stands for the root.
//
// # Replies
//
// Where the live call offers the same Write and Reply chunks as the captured one, of the same
// lengths, the captured reply is sent as it was: its bytes, whatever is wrong with them, but
// for XID, handles and offsets, and the RDMA Writes before it in their order, whatever is
// wrong with those. Elsewhere the results are conveyed anew, as RFC 8166 has it:
//
//	the live call offers            data of an eligible item     the rest of the reply
//	a Write chunk for it            there                        inline if it fits the client's
//	no Write chunk                  where the rest is            threshold, else in the Reply
//	                                                             chunk; ERR_CHUNK without room
//
// # Matching
//
// A call may come more often than in the capture, or in another order. Of several captured calls
// that a live one equals, that which is due is taken: the next that was not used yet, unless
// the conversation has not come near it.
package responder
