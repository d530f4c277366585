package rules

// A Protocol is what a connection must have been seen to speak before a rule looks at it.
type Protocol uint8

const (
	// AnyProtocol is for rules that look at all connections, from the first frame on.
	AnyProtocol Protocol = iota
	// RPCRDMA is for those to which nothing matters that comes before the first message of
	// RPC-over-RDMA. They receive that message.
	RPCRDMA
	// Version2 is the same for the first message of another version than 1.
	Version2
	protocols
)

// spokenIn is the Protocol that a message or an RPC of a class shows.
func spokenIn(of Class) Protocol {
	if of&OtherVersion != 0 {
		return Version2
	}
	return RPCRDMA
}
