// Package trans has the rules about the transport below RPC-over-RDMA (family
// TRANS): what the adapters and the network do to packets and segments, and what
// they say when they refuse one. They hold for any protocol above.
//
//	frame ──> wire ──> requests   what each end asked for last, by its PSN
//	              ├──> refusal    a NAK or an RNR NAK, and the request that it names
//	              ├──> ending     a Terminate, and what it refuses
//	              └──> odd        a frame that is not just the next one, whole and welcome
//
// There is one wire for each connection, a Knowledge which raises the last three as
// events: a frame that is in order costs no rule a call but those about its format.
//
// What a frame's place among the others is, package flow has judged; the rules
// say what that means.
package trans
