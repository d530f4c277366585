// Package xchar has the rules about the transport characteristics of version 2 (family
// XCHAR): what the ends announce about themselves and request of each other in
// RDMA2_OPTIONALs (draft-dnoveck-nfsv4-rpcrdma-xcharext-00), and whether their traffic
// agrees with it.
//
//	client ──INIT_XCHAR: my characteristics────────────────> server
//	client ──REQ_XCHAR: please change these────────────────> server
//	client <──RESP_XCHAR, same XID: done, rejected, pending── server
//	client <──UPD_XCHAR: the new values────────────────────── server
//	       <──RDMA2_ERROR: INVAL_OPTION, BAD_XDR─────────────
//
// The Knowledge has the operations of both ends, and pairs each answer with its request.
// On a connection of version 1 nothing of the family is called.
package xchar
