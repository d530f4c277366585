package flow

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/rocev2"
)

// connections are those that are open, from the first frame of each to a little
// after its end, whatever carries them.
type connections struct {
	*shared
	all     list[Conn] // open: see evict for their order
	closing []*Conn    // disconnected, kept for late frames
	nextID  int
	frames  int64 // that may be of RDMA
}

const (
	// maxConns is how many connections are open. With 16 kB for each, which is what
	// check holds, they take 512 MiB. Those unused for longest go first.
	maxConns = 1 << 15
	// maxMarks is how many half connections, or TCP connections, of those that have
	// ended are still recognised.
	maxMarks = 1 << 16
	// closeDelay is how many frames, of whatever connection, a disconnected
	// connection is kept for what is still to come of it.
	closeDelay = 256
)

// A path is what carries a connection: two halves between queue pairs, or TCP.
type path interface {
	// service is the transport service of its packets.
	service() rocev2.Transport
	iwarp() bool
	oneWay() bool
	gap() bool
	// distance is how far a number lies behind another of the same end.
	distance(n, from uint32) int32
	delivery(p *Point) Delivery
	// finish settles what still waits: no frame comes any more.
	finish()
}

// A keeper finds connections, and knows how frames find them.
type keeper interface {
	// adopt gives a connection that has ended what may still wait for it.
	adopt(c *Conn)
	// evicting notes what lets a connection go on that is closed to make room.
	evicting(c *Conn)
	// forget lets a closed connection go.
	forget(c *Conn)
}

// add gives a new connection its number.
func (t *connections) add(c *Conn, s Setup, p path, k keeper) {
	if t.all.n >= maxConns {
		t.evict()
	}
	t.nextID++
	c.ID, c.Setup, c.path, c.keeper = t.nextID, s, p, k
	c.lastSeen, c.setupSeq = t.frames, t.frames
	t.list(c)
}

// open announces a connection once.
func (t *connections) open(c *Conn) {
	if c.opened {
		return
	}
	c.opened = true
	t.sink.Opened(c)
}

// count counts a frame of a connection.
func (t *connections) count(c *Conn, f *Frame) {
	c.Frames++
	c.Octets += int64(f.Length)
	t.saw(c, f)
}

// saw notes that a connection has a frame.
func (t *connections) saw(c *Conn, f *Frame) {
	c.seen(f.Ref(), f.Time)
	c.lastSeen = t.frames
}

// disconnect notes how a connection ended; it is let go a little later.
func (t *connections) disconnect(c *Conn, how Closing) {
	if c.Closing != Open || c.closed {
		return
	}
	c.Closing = how
	c.closeAt = t.frames + closeDelay
	t.closing = append(t.closing, c)
}

// during reports whether a frame, by the count of all, lies between the
// connection's set-up and its disconnect.
func (c *Conn) during(seq int64) bool {
	return c.setupSeq <= seq && (c.Closing == Open || seq <= c.closeAt-closeDelay)
}

// replaced ends a connection whose names serve a new one.
func (t *connections) replaced(c *Conn) {
	if c.Closing == Open {
		c.Closing = Replaced
		c.closeAt = t.frames + closeDelay
	}
	c.keeper.adopt(c)
	t.close(c)
}

// closeExpired closes the disconnected connections whose time has come.
func (t *connections) closeExpired() {
	for len(t.closing) > 0 && t.closing[0].closeAt <= t.frames {
		c := t.closing[0]
		t.closing = t.closing[1:]
		if !c.closed {
			c.keeper.adopt(c)
		}
		t.close(c)
	}
}

// close settles what a connection still waits for and lets it go.
func (t *connections) close(c *Conn) {
	if c.closed {
		return
	}
	t.open(c)
	c.path.finish()
	c.closed = true
	t.sink.Closed(c)
	c.User = nil
	t.all.remove(&c.open)
	c.keeper.forget(c)
}

// closeAll closes every connection in the order of its number.
func (t *connections) closeAll() {
	for _, c := range slices.SortedFunc(t.all.values, byNumber) {
		t.close(c)
	}
	t.closing = t.closing[:0]
}

func byNumber(a, b *Conn) int { return cmp.Compare(a.ID, b.ID) }

// list puts a connection at the end of the open ones.
func (t *connections) list(c *Conn) {
	c.listed = c.lastSeen
	t.all.push(&c.open, c)
}

// evict closes one of the connections that were unused for longest. A frame does
// not move its connection in the list, for that would touch two others that are not
// in a processor's cache: who had one since goes to the end only when its turn comes.
func (t *connections) evict() {
	c := t.all.oldest()
	for c.lastSeen != c.listed {
		t.all.remove(&c.open)
		t.list(c)
		c = t.all.oldest()
	}
	c.keeper.evicting(c)
	t.close(c)
}

// seen widens the span of frames that the connection covers. Frames that
// waited come after later ones of the other direction.
func (c *Conn) seen(ref Ref, time int64) {
	c.Mixed = c.Mixed || ref.File < c.file
	c.file = max(c.file, ref.File)
	if c.First.Number == 0 || time < c.FirstTime {
		c.First, c.FirstTime = ref, time
	}
	if c.Last.Number == 0 || time >= c.LastTime {
		c.Last, c.LastTime = ref, time
	}
}
