// Package xchar has the rules about the transport characteristics of version 2 (family
// XCHAR): what the ends announce of themselves and ask of each other by
// RDMA2_OPTIONALs (draft-dnoveck-nfsv4-rpcrdma-xcharext-00), and whether their traffic
// goes by it.
//
//	client ──INIT_XCHAR: what I am like────────────────────> server
//	client ──REQ_XCHAR: please change these────────────────> server
//	client <──RESP_XCHAR, same XID: done, rejected, pending── server
//	client <──UPD_XCHAR: this is what it is now────────────── server
//	       <──RDMA2_ERROR: INVAL_OPTION, BAD_XDR─────────────
//
// The Knowledge has the operations of both ends, and pairs each answer with what it answers.
// On a connection of version 1 nothing of the family is ever called.
package xchar
