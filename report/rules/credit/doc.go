// Package credit has the rules of flow control (family CREDIT): how many calls a
// requester may have open at a time (RFC 8166, section 3.3.1; RFC 8167, section 4).
//
//	requester ──call, rdma_credit = asked for──> responder
//	          <──reply, rdma_credit = granted──
//
// Each direction of calls has credits of its own, so there is a ledger for each
// requester. Messages are told in the order of each sender's, and behind a gap they
// are told late; what is judged is the order of the frames of both. Therefore events
// wait in a queue until nothing of the connection is missing any more:
//
//	Message, RNR NAK, Terminate ──> queue, by frame ──no gap──> ledger ──> rules
//
// That a call was one too many is said only when its responder went on without a
// hole: a reply that the capture lacks would excuse it.
package credit
