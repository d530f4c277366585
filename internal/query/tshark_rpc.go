package query

// tsharkRPC are names of RPC-over-RDMA and RPC.
func tsharkRPC() []tsharkName {
	return []tsharkName{
		{"rpcordma.xid", "rdma.xid", ""},
		{"rpcordma.version", "rdma.version", ""},
		{"rpcordma.flow_control", "rdma.credits", ""},
		{"rpcordma.msg_type", "rdma.proc", ""},
		{"rpcordma.reads_count", "", "write rdma.reads.count, which counts Read chunks; Wireshark counts their segments"},
		{"rpcordma.writes_count", "rdma.writes.count", ""},
		{"rpcordma.reply_count", "rdma.reply", ""},
		{"rpcordma.rdma_handle", "rdma.handle", ""},
		{"rpcordma.rdma_length", "rdma.segment_length", ""},
		{"rpcordma.rdma_offset", "rdma.offset", ""},
		{"rpcordma.position", "rdma.position", ""},
		{"rpcordma.segment_count", "", "write rdma.segments.count, which counts those of all chunks; Wireshark has the count of each chunk"},
		{"rpcordma.errcode", "rdma.error", ""},
		{"rpcordma.reassembled.in", "", "frame.number has the frames of a message or an RPC (--level message, --level rpc)"},
		{"rpc.xid", "rpc.xid", ""},
		{"rpc.msgtyp", "rpc.msgtyp", "an RPC is a call with its reply: direction is that of the call, rpc.complete == false finds RPCs without one of them"},
		{"rpc.time", "rpc.latency", ""},
		{"rpc.program", "rpc.program", ""},
		{"rpc.programversion", "rpc.version", ""},
		{"rpc.procedure", "rpc.procedure", ""},
		{"rpc.auth.flavor", "", "write rpc.auth (--level rpc), the flavor of the call's credential; Wireshark has those of verifiers too"},
		{"rpc.auth.uid", "rpc.auth_sys.uid", ""},
		{"rpc.auth.gid", "", "rpc.auth_sys.uid (--level rpc) has the user ID; no field has group IDs"},
		{"rpc.auth.machinename", "", "client (at every level) has the address of the client"},
		{"rpc.authgss.service", "rpc.gss.service", ""},
		{"rpc.authgss.procedure", "rpc.gss.proc", ""},
		{"rpc.replystat", "", "write rpc.status (--level rpc), which is RPC_MISMATCH or AUTH_ERROR for a denied reply"},
		{"rpc.state_accept", "", "write rpc.status (--level rpc), as in rpc.status != SUCCESS, which is true of denied replies too"},
		{"rpc.state_reject", "", "write rpc.status == RPC_MISMATCH or rpc.status == AUTH_ERROR (--level rpc)"},
		{"rpc.state_auth", "rpc.auth_stat", ""},
		{"rpc.reqframe", "", "write frame.number at --level rpc: it is of the RPC that the frame is a part of, call and reply"},
		{"rpc.repframe", "", "write frame.number at --level rpc: it is of the RPC that the frame is a part of, call and reply"},
		{"rpc.dup", "", "frame.note contains retransmission (--level frame) finds retransmissions"},
		{"rpc.call.dup", "", "frame.note contains retransmission (--level frame) finds retransmissions"},
		{"rpc.reply.dup", "", "frame.note contains retransmission (--level frame) finds retransmissions"},
		{"rpc.fraglen", "", "RPC over RDMA has no record marks; rpc.call.length and rpc.reply.length (--level rpc) are the lengths"},
	}
}

// otherMeanings are the names that Wireshark and we have of different things: ours
// stands for ours, and hint says how they differ.
func otherMeanings() []tsharkName {
	return []tsharkName{
		{"ip.version", "ip.version", "only IPv4 headers have it, IPv6 has `ipv6.version`"},
		{"ip.hdr_len", "ip.hdr_len", "units of four bytes, as in the header; Wireshark's are bytes"},
		{"tcp.hdr_len", "tcp.hdr_len", "units of four bytes, as in the header; Wireshark's are bytes"},
		{"tcp.seq", "tcp.seq", "as in the header, which is Wireshark's `tcp.seq_raw`"},
		{"tcp.ack", "tcp.ack", "as in the header, which is Wireshark's `tcp.ack_raw`"},
		{"rpc.version", "rpc.version", "version of the program, which is Wireshark's `rpc.programversion`; that of RPC is always 2"},
		{"nfs.name", "nfs.name", "also of version 4, where it is Wireshark's `nfs.pathname.component`"},
		{"nfs.stateid", "nfs.stateid", "without its seqid, which is Wireshark's `nfs.stateid.other`"},
		{"nfs.stateid.hash", "nfs.stateid.hash", "32 bits, Wireshark's `nfs.stateid.other_hash`"},
	}
}
