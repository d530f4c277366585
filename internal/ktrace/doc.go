// Package ktrace reads what a Linux NFS client recorded about its own
// RPC-over-RDMA traffic: the text of the kernel's rpcrdma tracepoints. It is
// the witness that dissectors are tested against, since it was written by the
// peer that built the messages and owes nothing to a capture.
//
//	mkdir-202  [000] .N...  21.425661: xprtrdma_chunk_reply: task:00000002@00000002 256@0xc02d105d457e7800:0x00000c81 (more)
//	'-- TASK-PID  '-- CPU     |          |                        |        |         |   |                  |           |
//	               time since boot       event           RPC task, client    length  offset             handle     more | last
//
//	mkdir-202  [000] .N...  21.425841: xprtrdma_marshal: task:00000002@00000002 xid=0xc02d105d hdr=80 xdr=84/0/0 pullup/reply chunk
//	                                                              head/page/tail of the RPC call -'       |      |
//	                                                                        how the call goes ------------'      '-- how the reply comes back
//
// A task's segments precede its xprtrdma_marshal line. When the client runs
// out of memory registrations in the middle it gives up and marshals the call
// again, with nothing in the trace to say so: a new attempt is known by the
// order of its segments (see attempt). Only those of the last attempt were
// put on the wire.
//
// XIDs, handles and offsets are printed by the kernel as numbers in the value
// they have on the wire: xid=0xb82d105d is the bytes b8 2d 10 5d. (What the
// kernel keeps in memory is big-endian; the tracepoint converts it.) The
// upper half of an offset of these clients repeats the XID.
package ktrace
