// Package ulb has the rules of the NFS bindings to RPC-over-RDMA (family ULB):
// which items of which program may travel in chunks, how Write chunks pair with
// the results of a COMPOUND, how large a reply may become, and how sessions,
// callbacks and ports must behave (RFC 8267; draft-dnoveck-nfsv4-nfsulb-01).
//
//	Call    Write list          A        B        C (empty)
//	                            │        │        │
//	        COMPOUND   SEQUENCE PUTFH READ  PUTFH READLINK  PUTFH READ
//	                                  │           │               │
//	Reply   Write list          A (4096 used)   B (12 used)   data inline
//
// What the rules share is computed once per RPC: the operations of a COMPOUND
// (compound.go), and what each READ-class operation returned and where
// (reading.go). Sessions are remembered for the whole capture (session.go),
// failed calls for a while (failure.go).
package ulb
