// Package trans has the rules about the transport below RPC-over-RDMA (family
// TRANS): what the adapters and the network do to packets and segments, and what
// they say when they refuse one. They hold for any protocol above.
//
//	frame ──> wire ──> terms      what the ends told each other in the set-up
//	            │ ├──> requests   what each end asked for last, by its PSN or MSN
//	            │ ├──> refusal    a NAK or an RNR NAK, and the request that it names
//	            │ └──> ending     a Terminate, and what it refuses
//	            └ one for each connection, which all rules of the family share
//
// What a frame's place among the others is, package flow has judged; the rules
// say what that means.
package trans
