// Package credit has the flow control rules (family CREDIT): how many calls a
// requester may have open at a time (RFC 8166, section 3.3.1; RFC 8167, section 4).
//
//	requester ──call, rdma_credit = requested──> responder
//	          <──reply, rdma_credit = granted──
//
// Each direction of calls has its own credits, so there is a ledger for each
// requester. Messages are delivered in the order of each sender, and late after a
// gap; the rules need the frame order of both senders. Therefore events wait in a
// queue until nothing of the connection is missing:
//
//	Message, RNR NAK, Terminate ──> queue, by frame ──no gap──> ledger ──> rules
//
// An overrun is reported only when the responder continued without a hole: a reply
// that the capture lacks would excuse the call.
package credit
