// Package script takes one connection out of a capture, as a replay needs it: how it was
// set up, and the messages that both ends sent, with the bytes of each and the data that
// RDMA Reads and Writes moved for them.
//
//	capture ──dissect──> Recorder ──> Conversation
//	                                  ├─ Client, Server     addresses, private data
//	                                  ├─ Messages           each Send, in the order of the capture
//	                                  ├─ Operations         each RDMA Read and Write
//	                                  └─ Calls              calls of both ends
//	                                      ├─ Request, Reply   two of the Messages
//	                                      └─ Segments         memory that the call advertises:
//
//	  Send  | XID | ... | 1 | Position | Handle | Length | Offset | ... | RPC message |
//	                                   ^ Segment.At
//	  data  | moved by RDMA | not in the capture | moved |             Segment.Data, Segment.Moved
//
// A Conversation is in memory as a whole, with all file data that it moved, up to
// Options.MaxBytes. What the capture lacks of the data is zeros, and said.
package script
