// Package rpcrdma reads RPC-over-RDMA version 1 (RFC 8166) and version 2
// (draft-cel-nfsv4-rpcrdma-version-two-02): the transport headers that carry ONC
// RPC over RDMA, what they promise, and the transport characteristics of version 2
// (draft-dnoveck-nfsv4-rpcrdma-xcharext-00).
//
// Every RDMA Send of an RPC-over-RDMA connection is one message. Its transport
// header is XDR, big-endian, in words of four bytes; every cell is a word:
//
//	 0   rdma_xid | rdma_vers = 1 | rdma_credit | rdma_proc
//
//	     RDMA_MSG    the three lists, then the RPC message
//	     RDMA_NOMSG  the three lists; the RPC message is in chunks
//	     RDMA_MSGP   rdma_align | rdma_thresh | the three lists, then the RPC message
//	     RDMA_DONE   nothing
//	     RDMA_ERROR  ERR_VERS  | lowest | highest     or     ERR_CHUNK
//
//	16   Read list    1 | position | segment    for each segment, then   0
//	     Write list   1 | count | segment ...   for each chunk, then     0
//	     Reply chunk  1 | count | segment ...   or                       0
//
//	     segment      handle | length | offset (two words)
//
// Version2 has the layout of version 2, Option that of the characteristics.
//
// Decode fills the same Header again and again without allocating; Recognise
// judges whether a Send of an unknown protocol is such a message; Nodes builds
// the tree that a person looks at, from the same decoding. A malformed header
// is a field.Fault of the Header, and what stood before the fault is kept.
package rpcrdma
