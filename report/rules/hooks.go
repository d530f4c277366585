package rules

import "github.com/rdmacap/rdmacap/dissect"

// Hooks are what a rule looks at; those that are nil cost nothing. What they
// are handed is valid during the call only.
type Hooks struct {
	// SetUp is called once, before any other hook that follows the set-up: when
	// the connection is established, or when it is known that its set-up was not
	// captured or failed.
	SetUp func()
	// Frame is called for each frame of the connection that has one of the bits of
	// FrameOf, or if that is 0, for all, after what it completed.
	Frame   func(v *dissect.FrameView)
	FrameOf FrameClass
	// Message is called for each RPC-over-RDMA message that has one of the bits of
	// MessageOf, or if that is 0, for all.
	Message   func(m *dissect.Message)
	MessageOf Class
	// Access is called for each packet or segment of an RDMA Write, each RDMA
	// Read request and each packet or segment of its response.
	Access func(a *dissect.Access)
	// RPC is called when an RPC is over, answered and complete or given up, that has
	// one of the bits of RPCOf, or if that is 0, for all.
	RPC   func(r *dissect.RPC)
	RPCOf Class
	// Judged is called after the RPC hooks of all rules: Conn.Said knows what
	// they found. It is called for RPCs that have one of the bits of JudgedOf, or if
	// that is 0, for all.
	Judged   func(r *dissect.RPC)
	JudgedOf Class
	// Tick is called now and then, at least once in a second of capture time while
	// there are frames, for what shows by nothing happening.
	Tick func(now int64)
	// Done, if it is not nil, is true when the rule has seen all that it wants to of
	// the connection: after Conn.Rest none of the hooks above is called any more.
	Done *bool
	// End is called when the connection is over, or the capture is.
	End func()
}
