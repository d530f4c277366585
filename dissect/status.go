package dissect

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// StatusWord is the first word of the result of an RPC that was accepted, where that is the
// status of NFS, NFSACL or MOUNT: 0 for success, and where there is none or it is not known.
func (r *RPC) StatusWord() uint32 {
	if r.Reply == nil {
		return 0
	}
	status, _ := r.StatusOf(r.Reply)
	return status
}

// StatusOf is StatusWord for its Reply or for its Untaken one, not ok where there is none or it is
// not known.
func (r *RPC) StatusOf(reply *Message) (status uint32, ok bool) {
	h, call := &reply.ReplyHeader, r.CallHeader()
	if !reply.HasRPC || call == nil || h.Denied || h.Accept != rpc.Success || !beginsWithStatus(call) {
		return 0, false
	}
	data := reply.rest
	if reply.Transfer == Long || call.Cred.Flavor == rpc.RPCSECGSS {
		data = reply.BodyBytes()
	}
	if len(data) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(data), true
}

// beginsWithStatus reports whether the result of what is called begins with its status.
func beginsWithStatus(call *rpc.Call) bool {
	const mnt = 1
	switch call.Program {
	case rpc.ProgramNFS, rpc.ProgramNFSACL:
		return call.Procedure != 0
	case rpc.ProgramMount:
		return call.Procedure == mnt
	}
	return false
}

// EachOpen calls do for each open call of the connection, the oldest first.
func (c *Connection) EachOpen(do func(r *RPC)) {
	for _, r := range c.unanswered() {
		do(r)
	}
}
