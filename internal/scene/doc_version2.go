// # Version 2 of RPC-over-RDMA
//
// connect version=2, or the statement version 2, lets the calls of both sides that
// follow on the connection have version 2, and version 1 the old one; so does the option
// version of one call. A reply and an error have the version of their call, also if
// that is called again in another one:
//
//	connect version=2
//	call 1 NFS3 NULL
//	error 1 ERR_VERS 1 1          # from a server that has version 1 only: rdma_vers is copied
//	version 1
//	call 1 again
//	reply 1
//
// Options of call, callback and reply, where vers N goes on to be a word alone:
//
//	version 1|2           the layout and the word of the header
//	direction CALL|REPLY|N    rdma_direction, or rdma_optdir; else it is right
//	inv HANDLE            rdma_inv_handle; of a reply it is the call's, if not told
//	plain                 of a reply: a Send, though the call has an inv; else that
//	                      makes it a Send with Invalidate of this handle
//	optional TYPE ...     an RDMA2_OPTIONAL with the RPC message after it, without lists
//	proc N                MSG, NOMSG, ERROR, OPTIONAL, or another number over the layout of MSG
//
// The errors are
//
//	error ID ERR_VERS LOW HIGH
//	error ID BAD_XDR|INVAL_PROC|INVAL_OPTION|CODE
//	error ID CANT_REPLY TRUE|FALSE SEGMENT LENGTH
//	error ID client|server CODE ...      from that side, also if there is no call ID
//	    directed                         a direction before rdma_err
//
// # optional ID client|server TYPE ...
//
// An RDMA2_OPTIONAL without an RPC message, from that side, with the xid of a call
// ID. It may be answered by error ID, or by another optional ID:
//
//	optional 10 client INIT_XCHAR [RBSIZ=8192 RQREMINV=TRUE BRS=SZLIM] nochg=[1]
//	optional 11 client REQ_XCHAR [RBSIZ=16384 9=7 0xffffff01=hex(01 02 03)]
//	optional 11 server RESP_XCHAR done=[0] rej=[1] pend=[2]
//	optional 12 server UPD_XCHAR RBSIZ=16384 pendclr=TRUE
//	optional 13 client 77 hex(00 01)     any rdma_opttype with its rdma_optinfo
//	optional 14 client UPD_XCHAR hex(00) also with bytes that are wrong
//
// A characteristic has a word (a number, TRUE, FALSE, UNKNOWN, NONE, SZLIM, GENL), or
// bytes as xchv_data of any length; it may come twice. An element of a subset is a
// number from 0, of which there need be no characteristic. The direction is CALL, of
// RESP_XCHAR REPLY. Options are those of a Send, so payload bytes is what stands
// after it, and what is malformed is made with set, insert, delete, cut and append.
//
// A PLACE may also be
//
//	direction inv                                    (then the lists, as in version 1)
//	err low high processed index needed
//	opttype optinfo.length optinfo                   (rdma_optinfo without its length)
//	xchars.count xchar1 xchar1.id xchar1.length xchar1.data ...
//	nochg nochg.count nochg.1 ...  done ...  rej ...  pend ...  pendclr
package scene
