package rpcs

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection.
type kept struct {
	// uncertainCall, of RPC-002, says that there was a message of which nobody knows whether it is a
	// call, resent that a call was over since its XID served another.
	uncertainCall, resent bool
	// pending, of RPC-003, says that the next message may repeat former; repeats are those
	// that are open.
	pending bool
	former  *former
	repeats []repeat
	// calls, of RPC-004, counts the first calls, or says that no more are of interest;
	// strange are the first RDMA Writes that no call asked for.
	calls         int
	unknownWrites []unknownWrite
	times         medians           // RPC-007
	done          *rules.Ring[done] // RPC-012, nil while there is none
	// scores, of RPC-013, counts the client's calls, answered and not.
	scores     scores
	unanswered *unanswered // nil before the first
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsRPC)
