// Package exhibit lays out what somebody looks at: the bytes of a frame, of a message
// put back together, or of a long message that chunks carried, and the fields in them.
//
//	dissect.FrameView ──OfFrame───> frame, and the message that it completes
//	dissect.Message ────OfMessage─> message: transport header, RPC header, arguments
//	dissect.RPC ────────OfRPC─────> call, reply, long messages, account of the chunks
//	                                  │
//	                              Exhibit: Title, Bytes, Nodes
//	                                  │
//	             -V, -x, JSON, page <─┘
//
// Nothing is built for what nobody looks at.
package exhibit
