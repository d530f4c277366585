// Package trans has the rules about the transport below RPC-over-RDMA (family
// TRANS): how adapters and the network treat packets and segments, and how adapters
// refuse one. Most of them apply to any protocol above.
//
//	frame ──> wire ──> requests   the newest requests of each end, by PSN
//	              ├──> refusal    a NAK or an RNR NAK, and the refused request
//	              ├──> ending     a Terminate, and the operation it refuses
//	              └──> odd        a frame that is not the next one in order, or not whole
//
// There is one wire for each connection, a Knowledge that raises the last three as
// events: for a frame that is in order only the rules about its format are called.
//
// Package flow decides how a frame relates to the others of its stream; the rules
// say what that means.
package trans
