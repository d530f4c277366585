package scene

import (
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// A wire is what both transports have.
type wire interface {
	Send(d build.Direction, data []byte) build.Span
	SendInvalidate(d build.Direction, handle uint32, data []byte) build.Span
	Write(d build.Direction, handle uint32, offset uint64, data []byte) build.Span
	Read(d build.Direction, handle uint32, offset uint64, data []byte) build.Span
	Ack(d build.Direction) build.Span
	Wait(d time.Duration)
	Now() time.Time
	Connect() build.Span
}

// A conn is one connection: exactly one of roce and iwarp is there.
type conn struct {
	index   int
	roce    *build.Conversation
	iwarp   *build.IWARP
	version uint32   // of RPC-over-RDMA that calls have, if they do not say
	last    [2]*sent // the last Send in each direction
	memory  []memory
	effects map[int]*effect // by the index of the frame
}

// memory is what a Read chunk holds.
type memory struct {
	handle uint32
	offset uint64
	bytes  []byte
}

func (c *conn) wire() wire {
	if c.roce != nil {
		return c.roce
	}
	return c.iwarp
}

func (c *conn) frames() build.Frames {
	if c.roce != nil {
		return c.roce.Frames
	}
	return c.iwarp.Frames
}

func (c *conn) credits(d build.Direction) uint32 {
	hosts := [2]*build.Host{}
	if c.roce != nil {
		hosts = [2]*build.Host{&c.roce.Client, &c.roce.Server}
	} else {
		hosts = [2]*build.Host{&c.iwarp.Client, &c.iwarp.Server}
	}
	return hosts[d].Credits
}

// send sends bytes and notes where they lie.
func (c *conn) send(d build.Direction, data []byte, invalidate bool, handle uint32) *sent {
	m := &sent{dir: d, length: len(data)}
	if c.roce != nil {
		m.first = c.roce.NextPSN(d)
	}
	if invalidate {
		m.span = c.wire().SendInvalidate(d, handle, data)
	} else {
		m.span = c.wire().Send(d, data)
	}
	if c.roce != nil {
		m.last = (c.roce.NextPSN(d) - 1) & 0xffffff
		m.pieces = func() []build.Piece { return c.roce.Pieces(m.span) }
	} else {
		laid := c.iwarp.Laid()
		m.pieces = func() []build.Piece { return c.iwarp.Pieces(laid) }
	}
	c.last[d] = m
	return m
}

// again sends the frames of a span again, which all have one direction.
func (c *conn) again(s build.Span) {
	if s.First >= s.End {
		return
	}
	if c.roce != nil {
		c.roce.Retransmit(s.First)
		return
	}
	for i := s.First; i < s.End; i++ {
		c.iwarp.Retransmit(i)
	}
}

// hold lets the memory of segments have bytes, which a peer may read.
func (c *conn) hold(segments []build.Segment, data []byte) {
	pieces, _ := split(segments, data)
	for i, s := range segments {
		c.memory = append(c.memory, memory{s.Handle, s.Offset, pieces[i]})
	}
}

// held is what lies in memory: what a Read chunk holds there, the latest first,
// else a pattern.
func (c *conn) held(handle uint32, offset uint64, n int) []byte {
	b := pattern(n, offset)
	for i := len(c.memory) - 1; i >= 0; i-- {
		m := c.memory[i]
		if at := offset - m.offset; m.handle == handle && at <= uint64(len(m.bytes)) {
			copy(b, m.bytes[at:])
			for i := len(m.bytes) - int(at); i < n; i++ {
				b[i] = 0
			}
			break
		}
	}
	return b
}

// direction is a direction by its sender.
func (c *cursor) direction() build.Direction {
	if c.one("client", "server") == "server" {
		return build.ToClient
	}
	return build.ToServer
}
