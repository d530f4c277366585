// Package flow has the words for what moves on a connection: the Sends, RDMA Writes
// and RDMA Reads of each, in order, whole or marked as incomplete. They are the same
// for every transport. Packages below it find them in frames:
//
//	frame ─> track.Tracker ─┬─> qp    packets of queue pairs, in the order of PSNs ─┬─> Sink
//	                        └─> tcp   FPDUs in the streams of TCP connections       ─┘
//
// What the two have in common is here: the open connections (Connections), each with
// what carries it (Carrier), how it was made and ended (Handshake) and what is missing
// of it (Gaps); and what all of them work with (Shared).
//
// A gap is settled by what the peer says: a frame that it acknowledged and that the
// capture lacks is missing only from the capture; one that is retransmitted, after a NAK
// or a timeout, was lost on the wire. What is given up is a hole (Gaps).
//
// A Send says where its bytes lie in the frames (Piece), an RDMA Write or Read where
// the header lies that names the memory (Place), and each where it stands among the
// others of its connection (Point).
package flow
