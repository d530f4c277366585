package watch

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// notes are all that a Watch takes of events, of one at a time or of a batch: copied out of
// connections, which go on, into memory that is used again.
type notes struct {
	events     []event
	identities []identity
	rpcs       []rpcNote // some may be of no event any more
	noted      int       // of rpcs
}

// reset forgets all.
func (n *notes) reset() {
	clear(n.events)
	clear(n.identities)
	n.events, n.identities, n.noted = n.events[:0], n.identities[:0], 0
}

// identify notes what is known of a connection, and returns its index.
func (n *notes) identify(c *dissect.Connection) int {
	n.identities = append(n.identities, identity{
		transport: c.Transport.String(), service: c.Service, first: c.FirstTime, client: c.ClientEnd, ends: [2]flow.Endpoint{*c.Client(), *c.Server()},
	})
	return len(n.identities) - 1
}

// rpc notes that an RPC of a connection is over, and returns where the rest of it goes.
func (n *notes) rpc(c *dissect.Connection) *rpcNote {
	if n.noted == len(n.rpcs) {
		n.rpcs = append(n.rpcs, rpcNote{})
	}
	n.events = append(n.events, event{kind: rpc, conn: c, more: n.noted})
	n.noted++
	return &n.rpcs[n.noted-1]
}

// A kind is what an event is.
type kind uint8

const (
	begins kind = iota
	ends
	frame
	message
	rpc
)

// An event is what a Dissector found.
type event struct {
	kind kind
	conn *dissect.Connection // nil of a frame of none
	more int                 // index of its identity, or RPC
	time int64               // of a frame or a message, in nanoseconds since 1970
	standing

	bytes    int64 // of a frame on the wire
	toServer bool  // a frame
	call     bool  // a message

	// What a message grants, and to whom, if grants.
	granted   uint32
	requester flow.End
	grants    bool
}

// A standing is how a connection stands.
type standing struct {
	open    int // calls of the client without a reply
	frames  int64
	losses  Losses
	closing flow.Closing
}

func standingOf(c *dissect.Connection) standing {
	s := standing{open: c.Outstanding(c.ClientEnd), frames: c.Counters.Frames, closing: c.Closing}
	s.losses.addCounters(&c.Counters)
	return s
}

// An identity is what is known of a connection, and may change when more is.
type identity struct {
	transport string
	service   string
	first     int64
	client    flow.End
	ends      [2]flow.Endpoint // client and server
}

// An rpcNote is an RPC that is over.
type rpcNote struct {
	fact    stats.Fact
	latency int64 // nanoseconds, -1 if it is not known
	matched bool  // it is listed, in line
	line    rpcLine
}
