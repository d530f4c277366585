// Package ladder remembers the last frames of a capture, and draws ladders of them: what went
// between client and server, one step below the other.
//
//	shard: FrameView ──Now──> Steps ──┐
//	                                  v
//	page:  Thread of a connection ──> Trail ──Request──> evidence.Ladder
package ladder
