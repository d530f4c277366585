package ktrace

import (
	"net/netip"
	"time"
)

// A Trace is what the client recorded, each list in the order of the file.
type Trace struct {
	Calls      []Call
	Replies    []Reply
	Thresholds []Threshold
	Callbacks  []Callback
}

// A Segment is a piece of memory that the client registered for one call
// (xprtrdma_chunk_read, _write, _reply, _wp).
type Segment struct {
	// Position is the byte of the RPC message that a Read segment belongs to;
	// 0 in the Write list and the Reply chunk.
	Position uint32
	// Length is in bytes.
	Length uint32
	Offset uint64
	Handle uint32
}

// A Kind is how the client moves one call, in the words of the kernel.
type Kind struct {
	// Call is "inline" (nothing to gather), "pullup" (inline, copied
	// together), "mapped" (inline, gathered by the adapter), "read list" (an
	// argument in a Read chunk) or "*read list" (the whole call in a
	// Position-Zero Read chunk: RDMA_NOMSG).
	Call string
	// Reply is "inline", "write list" or "reply chunk".
	Reply string
}

// A Call is one xprtrdma_marshal line with the segments of its last attempt.
// The same XID has several when the client sends the call again.
type Call struct {
	// Time is since the client booted, in microseconds' precision.
	Time time.Duration
	// Task identifies the RPC task in the client, "task@client" in hex.
	Task string
	XID  uint32
	// HeaderLength is the number of bytes of the transport header, as the
	// client counted them.
	HeaderLength int
	Kind         Kind
	// Head, Page and Tail are the bytes in the three parts of the RPC call,
	// before reduction.
	Head, Page, Tail int
	// Reads is the Read list, Writes the one Write chunk, Replies the Reply
	// chunk; each is empty if the call has none.
	Reads, Writes, Replies []Segment
	// Abandoned is the number of segments that attempts before the last left
	// in the trace. They are not in the lists.
	Abandoned int
	// Unsent is true if the call did not reach the wire this time: it was sent
	// on this connection before, and a Linux client that times out never
	// sends twice on one connection but marshals the call, drops the
	// connection and marshals it again on the next.
	Unsent bool
}

// ListsLength is the size in bytes of a version 1 transport header that has
// the lists of c (RFC 8166, section 4.1). It differs from HeaderLength only
// where the trace lacks a segment, as when the event xprtrdma_chunk_wp (the
// pad of an unaligned Write chunk) was not recorded.
func (c *Call) ListsLength() int {
	const fixed, segment = 28, 16
	n := fixed + len(c.Reads)*(8+segment) // each with its "one more" word and Position
	if len(c.Writes) > 0 {
		n += 8 + segment*len(c.Writes)
	}
	if len(c.Replies) > 0 {
		n += 4 + segment*len(c.Replies)
	}
	return n
}

// Retried reports whether the client needed more than one attempt to marshal
// the call.
func (c *Call) Retried() bool { return c.Abandoned > 0 }

// A Reply is one xprtrdma_reply line: a reply that the client received.
type Reply struct {
	Time time.Duration
	Task string
	XID  uint32
	// Credits is the number that the server granted in this reply.
	Credits uint32
}

// A Threshold is one xprtrdma_inline_thresh line, written when a connection
// has been set up.
type Threshold struct {
	Time           time.Duration
	Client, Server netip.AddrPort
	// Send and Receive are the client's inline thresholds in bytes, to the
	// server and from it, after both private data were compared ("neg").
	Send, Receive int
}

// A Callback is one xprtrdma_cb_call or xprtrdma_cb_reply line: a call of the
// reverse direction that the client received, or its reply that it sent.
type Callback struct {
	Time time.Duration
	// Server is the peer that called.
	Server netip.AddrPort
	XID    uint32
	// Reply is false for the call, true for the reply.
	Reply bool
}
