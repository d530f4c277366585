package flow

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Connections are those that are open, from the first frame of each to a little
// after its end, whatever carries them.
type Connections struct {
	*Shared
	all     list.List[Conn] // open: see evict for their order
	claims  list.List[Conn] // those among them that only one end has shown so far: see claim.go
	closing []*Conn         // disconnected, kept for late frames
	// Made receives each new connection, to give it its number.
	Made func(c *Conn)
	// Frames counts the frames so far that may be of RDMA, of the whole capture: front.Arrival.
	Frames int64
	// When is the number of the frame in the capture at which Frames was as high. If it
	// is nil, Advance is called for each frame.
	When func(frames int64) (ordinal int64)
	// At is what is done for it.
	At   Position
	made int64 // connections so far
}

const (
	// MaxConns is how many connections are open. With 23 kB for each, which is what
	// check holds of one with a dozen calls, they take 720 MiB. Those unused for longest
	// go first.
	MaxConns = 1 << 15
	// MaxMarks is how many half connections, or TCP connections, of those that have
	// ended are still recognised.
	MaxMarks = 1 << 16
	// closeDelay is how many frames, of whatever connection, a disconnected
	// connection is kept for what is still to come of it.
	closeDelay = 256
)

// A Carrier is what carries a connection: two halves between queue pairs, or TCP.
type Carrier interface {
	// TransportService is the transport service of its packets.
	TransportService() rocev2.Transport
	// IWARP, OneWay, Gap and Delivery are those of Conn.
	IWARP() bool
	OneWay() bool
	Gap(of End) bool
	// Distance is how far a number lies after another of the same end.
	Distance(n, from uint32) int32
	Delivery(p Point) Delivery
	// Finish settles what still waits: no frame comes any more.
	Finish()
}

// A Keeper finds connections, and knows how frames find them.
type Keeper interface {
	// Adopt gives a connection that has ended what may still wait for it.
	Adopt(c *Conn)
	// Evicting notes what lets a connection go on that is closed to make room.
	Evicting(c *Conn)
	// Forget lets a closed connection go.
	Forget(c *Conn)
}

// Add gives a new connection its number.
func (t *Connections) Add(c *Conn, s Setup, by Carrier, k Keeper) {
	if t.all.N >= MaxConns {
		t.evict()
	}
	t.makeRoomForClaim()
	t.made++
	c.made, c.madeAt, c.Setup, c.carrier, c.keeper = t.made, t.At.Ordinal, s, by, k
	c.lastSeen, c.setupSeq = t.Frames, t.Frames
	t.Made(c)
	t.list(c)
	t.claim(c)
}

// Open announces a connection once.
func (t *Connections) Open(c *Conn) {
	if c.opened {
		return
	}
	c.opened = true
	t.Sink.Opened(c)
}

// Count counts a frame of a connection.
func (t *Connections) Count(c *Conn, f *Frame) {
	c.Frames++
	c.Bytes += int64(f.Length)
	t.Saw(c, f)
}

// Saw notes that a connection has a frame.
func (t *Connections) Saw(c *Conn, f *Frame) {
	c.Cover(f.Ref(), f.Time)
	c.lastSeen = t.Frames
	if f.LeftOut() {
		c.LeftOut = true
		c.AddHoles(Moment{f.Ref(), f.Time})
	}
}

// Disconnect notes how a connection ended; it is let go a little later.
func (t *Connections) Disconnect(c *Conn, how Closing) {
	if c.Closing != Open || c.closed {
		return
	}
	c.Closing = how
	c.closeAt = t.Frames + closeDelay
	t.closing = append(t.closing, c)
}

// During reports whether a frame, by the count of all, lies between the
// connection's setup and its disconnect.
func (c *Conn) During(seq int64) bool {
	return c.setupSeq <= seq && (c.Closing == Open || seq <= c.closeAt-closeDelay)
}

// Replace ends a connection whose names serve a new one.
func (t *Connections) Replace(c *Conn) {
	if c.Closing == Open {
		c.Closing = Replaced
		c.closeAt = t.Frames + closeDelay
	}
	c.keeper.Adopt(c)
	t.close(c)
}

// Advance goes on to a frame of the capture, by its number and by that of Frames: the
// disconnected connections whose time has come by then are closed, each as of its frame.
func (t *Connections) Advance(ordinal, frames int64) {
	for len(t.closing) > 0 && t.closing[0].closeAt <= frames {
		c := t.closing[0]
		at := ordinal
		if t.When != nil {
			at = t.When(c.closeAt)
		}
		t.Frames, t.At = c.closeAt, Position{Ordinal: at, Phase: Expiry}
		t.closing = t.closing[1:]
		if !c.closed {
			c.keeper.Adopt(c)
		}
		t.close(c)
	}
	t.Frames, t.At = frames, Position{Ordinal: ordinal, Phase: Arriving}
}

// close settles what a connection still waits for and lets it go.
func (t *Connections) close(c *Conn) {
	if c.closed {
		return
	}
	t.Open(c)
	if !c.LetGo {
		c.carrier.Finish()
	}
	c.closed = true
	t.Sink.Closed(c)
	c.User = nil
	t.all.Remove(&c.open)
	t.claims.Remove(&c.claimed)
	c.keeper.Forget(c)
}

// Between chooses what is between two addresses, in either order.
type Between func(a, b link.Addr) bool

// Leave goes on to what is done before a frame of the capture: LetGo.
func (t *Connections) Leave(ordinal int64) {
	t.At = Position{Ordinal: ordinal, Phase: Leaving}
}

// LetGo ends the connections that are chosen, in the order in which they were made. Their
// frames may go on, but nobody follows them: what waits for some is forgotten and not
// told, and whatever is asked of their past, frames may be missing.
func (t *Connections) LetGo(which func(c *Conn) bool) {
	var list []*Conn
	for c := range t.all.Values {
		if which(c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, byAge)
	for _, c := range list {
		t.At.Order = c.madeAt // others of that frame are followed here too
		c.LetGo = true
		c.AddHoles(Moment{c.Last, c.LastTime})
		t.close(c)
	}
}

// Dropped notes that any of the open connections may lack frames before one of the
// capture, of whichever connection that is: whoever captured them dropped some.
func (t *Connections) Dropped(before Moment) {
	for c := range t.all.Values {
		c.AddHoles(before)
	}
}

// Number is how many connections are open, and how many of them have been ended and
// are kept for late frames.
func (t *Connections) Number() (open, ended int) { return t.all.N, len(t.closing) }

// CloseAll closes every connection in the order in which they were made, which is that
// of their numbers.
func (t *Connections) CloseAll() {
	for _, c := range slices.SortedFunc(t.all.Values, byAge) {
		t.At.Order = int64(c.ID)
		t.close(c)
	}
	t.closing = t.closing[:0]
}

func byAge(a, b *Conn) int { return cmp.Compare(a.made, b.made) }

// list puts a connection at the end of the open ones.
func (t *Connections) list(c *Conn) {
	c.listed = c.lastSeen
	t.all.Push(&c.open, c)
}

// evict closes one of the connections that were unused for longest. A frame does
// not move its connection in the list, for that would touch two others that are not
// in a processor's cache: who had one since goes to the end only when its turn comes.
func (t *Connections) evict() {
	c := t.all.Oldest()
	for c.lastSeen != c.listed || t.underway(c) {
		t.all.Remove(&c.open)
		t.list(c)
		c = t.all.Oldest()
	}
	t.oust(c)
}

// underway reports whether a connection is the last that was made: what makes it may make
// room for another one meanwhile.
func (t *Connections) underway(c *Conn) bool { return c.made == t.made }

// oust closes a connection to make room for another.
func (t *Connections) oust(c *Conn) {
	c.Ousted = true
	c.AddHoles(Moment{c.Last, c.LastTime})
	c.keeper.Evicting(c)
	t.close(c)
}

// Cover widens the span of frames that the connection covers. Frames that
// waited come after later ones of the other direction.
func (c *Conn) Cover(ref Ref, time int64) {
	if time >= c.LastTime && ref.File == c.file && c.First.Number != 0 && time >= c.FirstTime {
		c.Last, c.LastTime = ref, time // the common case
		return
	}
	c.Mixed = c.Mixed || ref.File < c.file
	c.file = max(c.file, ref.File)
	if c.First.Number == 0 || time < c.FirstTime {
		c.First, c.FirstTime = ref, time
	}
	if c.Last.Number == 0 || time >= c.LastTime {
		c.Last, c.LastTime = ref, time
	}
}
