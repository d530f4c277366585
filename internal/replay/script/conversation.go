package script

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Conversation is one connection of a capture. Times are in nanoseconds since 1970.
type Conversation struct {
	// ID is the number of the connection in the capture, from 1.
	ID        int
	Transport link.Transport
	IWARP     bool
	// Setup says how the connection became known: flow.SetupInferred if the capture began
	// later.
	Setup          flow.Setup
	Client, Server Peer
	// Closed is the time of its last frame if the connection ended within the capture, 0 if not.
	Closed int64
	// Version is the version of RPC-over-RDMA that was spoken last, 0 if no message says.
	Version uint32
	// Thresholds are the inline thresholds in force at the end, if ThresholdsKnown.
	Thresholds      rpcrdma.Thresholds
	ThresholdsKnown bool
	// Messages are the Sends of both ends in the order of the capture, and Calls the calls
	// of both, in that order too. Messages that are in no call are those of calls whose
	// reply only was captured, and those that carry no RPC.
	Messages []*Message
	Calls    []*Call
	// Operations are the RDMA Reads and Writes of both ends.
	Operations []Operation
	// Bytes is about how much memory all of it takes.
	Bytes int64
	// Unselected is how many RPCs Options.Select left out.
	Unselected int
	// Lacks says in words what the capture lacks of the connection, a line each.
	Lacks []string
	// Device says in words what of it the adapters and the network did, a line each: a replay
	// has its own.
	Device []string
	// Others are the other connections of the capture that speak RPC-over-RDMA.
	Others []Other
}

// A Peer is one end of the connection.
type Peer struct {
	// Addr is the address and the port of TCP or of InfiniBand's IP CM service; the address
	// is not valid on a native InfiniBand subnet, the port 0 where it is not known.
	Addr netip.AddrPort
	// PrivateData is what the end gave when the connection was made, as long as the
	// transport has it, with zeroes after it on InfiniBand and RoCE; nil if that was not
	// captured. Told is what it says in the format of RFC 8797, nil if nothing.
	PrivateData []byte
	Declared    *rpcrdma.PrivateData
}

// An Other is a connection of the capture that is not the Conversation.
type Other struct {
	ID     int    `json:"connection"`
	Client string `json:"client"`
	Server string `json:"server"`
	Calls  int    `json:"calls"`
}

func (o Other) String() string {
	s := "s"
	if o.Calls == 1 {
		s = ""
	}
	return fmt.Sprintf("connection %d (%s to %s, %d call%s)", o.ID, o.Client, o.Server, o.Calls, s)
}

// AsOther names the Conversation where it is left out.
func (c *Conversation) AsOther() Other {
	return Other{ID: c.ID, Client: c.Client.Addr.String(), Server: c.Server.Addr.String(), Calls: c.Forward()}
}

// MostNamed is how many other connections are named to a person.
const MostNamed = 8

// LeftOut says in lines for a person which other connections a replay leaves out, and how to
// choose one of them; "" if there are none.
func (c *Conversation) LeftOut() string {
	n := len(c.Others)
	if n == 0 {
		return ""
	}
	var b strings.Builder
	switch {
	case n == 1:
		b.WriteString("1 other connection of the capture is left out (--connection N selects it):\n")
	case n == MaxOthers:
		fmt.Fprintf(&b, "%d or more other connections of the capture are left out (--connection N selects one):\n", n)
	default:
		fmt.Fprintf(&b, "%d other connections of the capture are left out (--connection N selects one):\n", n)
	}
	for _, o := range c.Others[:min(n, MostNamed)] {
		fmt.Fprintf(&b, "  %v\n", o)
	}
	if n > MostNamed {
		fmt.Fprintf(&b, "  and %d more\n", n-MostNamed)
	}
	return b.String()
}

// Forward is how many calls the client made, Backward how many the server did (RFC 8167).
func (c *Conversation) Forward() int { return len(c.Calls) - c.ReverseCalls() }

// ReverseCalls is how many calls the server made.
func (c *Conversation) ReverseCalls() (n int) {
	for _, call := range c.Calls {
		if call.Reverse {
			n++
		}
	}
	return n
}

// CannotBeSent says why no end of the conversation can be replayed to a live peer, nil if
// it can: what RPCSEC_GSS protects is bound to a security context that ended with the
// captured one, and of other versions than 1 live peers know nothing.
func (c *Conversation) CannotBeSent() error {
	for _, call := range c.Calls {
		switch {
		case call.GSS():
			return fmt.Errorf("frame %d, %s: the call uses RPCSEC_GSS, whose credential and checksums hold only in the captured security context; replay a capture made with sec=sys, or select other calls",
				call.Request.Frame.Number, call.Name)
		case call.Request.Header.Version != rpcrdma.Version1 && call.Request.Missing == "":
			return fmt.Errorf("frame %d: the call uses RPC-over-RDMA version %d; only version 1 can be replayed, others only to another rdmacap with --verbatim",
				call.Request.Frame.Number, call.Request.Header.Version)
		}
	}
	return nil
}
