package script

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Call is an RPC: a call, the memory that it advertised, and what answered it.
type Call struct {
	// Index is its place in Conversation.Calls.
	Index int
	XID   uint32
	// Reverse says that the server made it (RFC 8167).
	Reverse bool
	// Request is the call. Reply is the reply or RDMA_ERROR, nil if none was captured.
	Request, Reply *Message
	// Segments is the memory that Request advertises, in the order of its header: Read
	// list, Write list, Reply chunk.
	Segments []Segment
	// Header and Answer are the ONC RPC headers of call and reply, if HasHeader and
	// HasAnswer: an RDMA_ERROR has none.
	Header               rpc.Call
	Answer               rpc.Reply
	HasHeader, HasAnswer bool
	// Name is what a person calls it ("NFS4 OPEN"), Ops are its operations, and Status is
	// the status of the program ("NFS4ERR_NOENT"), "" where there is none.
	Name, Status string
	Ops          []dissect.Op
	// Marks are the answers to Options.Marks.
	Marks []bool
	// Missing says what of the RPC is not in the capture, "" if all of it is.
	Missing string
}

// Latency is the time in nanoseconds from the call to its reply, as captured; not ok if
// one of them has no time.
func (c *Call) Latency() (ns int64, ok bool) {
	if c.Reply == nil || c.Request.Time == 0 || c.Reply.Time < c.Request.Time {
		return 0, false
	}
	return c.Reply.Time - c.Request.Time, true
}

// GSS reports whether the call uses RPCSEC_GSS.
func (c *Call) GSS() bool { return c.HasHeader && c.Header.Cred.Flavor == rpc.RPCSECGSS }

// Failed reports whether an RDMA_ERROR answered the call.
func (c *Call) Failed() bool {
	return c.Reply != nil && c.Reply.Header.Proc == rpcrdma.RDMAError
}

// Message is the RPC call after the transport header: what was inline, or the content of
// the Position-Zero Read chunk. Data of other Read chunks are not in it. Made says how many
// of its bytes the capture lacks: those are zeroes.
func (c *Call) Message() (data []byte, made uint64) {
	if _, long := c.Request.Header.PositionZero(); !long || c.Request.Header.Proc != rpcrdma.RDMANoMsg {
		return c.Request.Inline(), uint64(max(0, c.Request.Length-len(c.Request.Bytes)))
	}
	for i := range c.Segments {
		if s := &c.Segments[i]; s.Purpose == rpcrdma.ForRead && s.Position == 0 {
			data = append(data, s.first(s.Length)...)
			made += uint64(s.Length) - s.Moved.Len()
		}
	}
	return data, made
}

// Result is the RPC reply after the transport header: what was inline, or what was put
// into the Reply chunk. Data of Write chunks are not in it. Made is that of Message.
func (c *Call) Result() (data []byte, made uint64) {
	if c.Reply == nil {
		return nil, 0
	}
	h := &c.Reply.Header
	if h.Proc != rpcrdma.RDMANoMsg || !h.HasReply {
		return c.Reply.Inline(), uint64(max(0, c.Reply.Length-len(c.Reply.Bytes)))
	}
	return c.Returned(rpcrdma.ForReply, 0)
}

// Returned are the bytes that the reply says were put into a Write chunk, or with
// rpcrdma.ForReply into the Reply chunk. Made is how many of them the capture lacks: those
// are zeroes.
func (c *Call) Returned(p rpcrdma.Purpose, chunk int) (data []byte, made uint64) {
	returned := c.returned(p, chunk)
	at := 0
	for i := range c.Segments {
		s := &c.Segments[i]
		if s.Purpose != p || s.Chunk != chunk {
			continue
		}
		if at == len(returned) {
			break
		}
		n := min(returned[at].Length, s.Length)
		data = append(data, s.first(n)...)
		made += s.lacks(n)
		at++
	}
	return data, made
}

// Lacking is how many bytes the capture lacks of what Returned puts together, and length how many
// that are with them. It takes no memory, whatever the headers claim.
func (c *Call) Lacking(p rpcrdma.Purpose, chunk int) (made, length uint64) {
	returned := c.returned(p, chunk)
	at := 0
	for i := range c.Segments {
		s := &c.Segments[i]
		if s.Purpose != p || s.Chunk != chunk || at == len(returned) {
			continue
		}
		n := min(returned[at].Length, s.Length)
		made += s.lacks(n)
		length += uint64(n)
		at++
	}
	return made, length
}

// conveyed is how many bytes Message and Result put together out of chunks, as the headers claim.
func (c *Call) conveyed() (n uint64) {
	if _, long := c.Request.Header.PositionZero(); long && c.Request.Header.Proc == rpcrdma.RDMANoMsg {
		for i := range c.Segments {
			if s := &c.Segments[i]; s.Purpose == rpcrdma.ForRead && s.Position == 0 {
				n += uint64(s.Length)
			}
		}
	}
	if c.Reply != nil && c.Reply.Header.Proc == rpcrdma.RDMANoMsg && c.Reply.Header.HasReply {
		_, length := c.Lacking(rpcrdma.ForReply, 0)
		n += length
	}
	return n
}

// returned are the segments of a Write or Reply chunk in the reply.
func (c *Call) returned(p rpcrdma.Purpose, chunk int) []rpcrdma.Segment {
	if c.Reply == nil {
		return nil
	}
	h := &c.Reply.Header
	switch {
	case p == rpcrdma.ForReply && h.HasReply:
		return h.ChunkSegments(h.Reply)
	case p == rpcrdma.ForWrite && chunk < len(h.Writes):
		return h.ChunkSegments(h.Writes[chunk])
	}
	return nil
}

// MadeUp is how many bytes of the Read chunks the capture lacks, so that a replay has to
// make them up.
func (c *Call) MadeUp() (n uint64) {
	for i := range c.Segments {
		if s := &c.Segments[i]; s.Purpose == rpcrdma.ForRead {
			n += uint64(s.Length) - s.Moved.Len()
		}
	}
	return n
}
