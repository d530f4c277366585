// Package dissect composes the layers: frames go in, connections,
// RPC-over-RDMA messages and RPCs come out. It is the only package that knows
// all the layers, and it keeps the state that ties them together.
//
//	capture.Frame
//	   │ capture/link   what lies under the transport
//	   │ rocev2         BTH ... ICRC
//	   v
//	track.Tracker ──Send─> rpcrdma.Header ──> rpc.Call, rpc.Reply
//	   │                        │                  │
//	   └──Read, Write──> rpcrdma.Ledger            v
//	                            └────────────> RPC: call and reply together
//
// What a Sink is handed is used again: it is valid during the call only.
//
// This package and those below it promise nothing to other programs, except for
// dissect/xdr: they change with rdmacap (docs/architecture.md, Libraries).
package dissect
