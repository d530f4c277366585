// Package v2 has the rules of RPC-over-RDMA version 2 (family V2;
// draft-cel-nfsv4-rpcrdma-version-two-02): what its headers add to those of
// version 1, its errors, and how two peers agree on a version.
//
//	rdma_xid | rdma_vers = 2 | rdma_credit | rdma_proc | rdma_direction | rdma_inv_handle | lists, payload
//	                                         V2-007      V2-001           V2-002, V2-003    V2-004
//
//	requester ──first message, at most 1024 bytes──> responder
//	          <──a message of version 2, or ERR_VERS with the supported versions──
//
// What version 2 shares with version 1 is checked by the families of version 1. A
// connection of version 1 pays for these rules only with an empty table.
package v2
