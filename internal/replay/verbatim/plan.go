package verbatim

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A End is one end of a conversation.
type End int

// The sides.
const (
	Client End = iota
	Server
)

func (s End) String() string { return [...]string{"client", "server"}[s] }

// MarshalText is for JSON.
func (s End) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// An action is a Send, or an RDMA Read or Write.
type action struct {
	order     int
	time      int64 // nanoseconds since 1970, as captured
	message   *script.Message
	operation *script.Operation
	// after is how many messages of the peer were captured before it.
	after int
}

// A Plan is what one side does.
type Plan struct {
	End End `json:"side"`
	// PrivateData are the captured ones, without the zeroes that a transport adds.
	PrivateData []byte `json:"-"`
	// Private is the same in hexadecimal.
	Private string `json:"private_data"`
	// Messages and Operations are how many Sends, and RDMA Reads and Writes, there are.
	Messages   int `json:"messages"`
	Operations int `json:"operations"`
	// Expected is how many messages come from the peer.
	Expected int `json:"expected"`
	// Effects counts what the client sends by what it may do to a server that is there in
	// place of another rdmacap.
	Effects effect.Tally `json:"-"`
	// Changes is what of it changes files or state of the captured client, or may.
	Changes []string `json:"changes,omitempty"`
	// Lacks says in words what cannot be reproduced, a line each.
	Lacks []string `json:"lacks"`
	// Others are the connections of the capture that are left out.
	Others []script.Other `json:"other_connections"`

	leftOut string // the other connections, for a person
	actions []action
	theirs  []*script.Message
	// longest are the lengths of the longest message of this side, and of the peer.
	longest, theirLongest int
	// trailing says that the peer read or wrote memory of this side after the last message.
	trailing bool
	// invalidated says that the peer invalidates handles of this side.
	invalidated bool
}

// NewPlan takes what one side does out of a conversation.
func NewPlan(c *script.Conversation, side End) (*Plan, error) {
	p := &Plan{End: side, PrivateData: wire.Given(&c.Client), Others: append([]script.Other{}, c.Others...), leftOut: c.LeftOut()}
	if side == Server {
		p.PrivateData = wire.Given(&c.Server)
	}
	p.Private = hex.EncodeToString(p.PrivateData)
	cut := 0
	for _, m := range c.Messages {
		if m.Length > mostSend {
			return nil, fmt.Errorf("frame %d: a Send of %d bytes is longer than any Receive of RPC-over-RDMA (%d bytes) and cannot be replayed", m.Frame.Number, m.Length, mostSend)
		}
		if m.ToServer != (side == Client) {
			p.theirs = append(p.theirs, m)
			p.theirLongest = max(p.theirLongest, m.Length)
			p.invalidated = p.invalidated || m.HasInvalidated
			continue
		}
		p.Messages++
		p.longest = max(p.longest, m.Length)
		p.actions = append(p.actions, action{order: m.Order, time: m.Time, message: m})
		if len(m.Bytes) < m.Length {
			cut++
		}
	}
	p.Expected = len(p.theirs)
	for i := range c.Operations {
		if o := &c.Operations[i]; o.ToServer == (side == Client) {
			p.Operations++
			p.actions = append(p.actions, action{order: o.Order, time: o.Time, operation: o})
		} else if n := len(c.Messages); n > 0 && o.Order > c.Messages[n-1].Order {
			p.trailing = true
		}
	}
	slices.SortStableFunc(p.actions, func(a, b action) int { return cmp.Compare(a.order, b.order) })
	came := 0
	for i := range p.actions {
		for came < len(p.theirs) && p.theirs[came].Order < p.actions[i].order {
			came++
		}
		p.actions[i].after = came
	}
	if cut > 0 {
		p.Lacks = append(p.Lacks, fmt.Sprintf("%d Sends were not captured completely: zeros are sent for the rest", cut))
	}
	if side == Client {
		reads := 0
		for _, a := range p.actions {
			if a.operation != nil && a.operation.Kind == dissect.AccessRead {
				reads++
			}
		}
		if reads > 0 {
			p.Lacks = append(p.Lacks, fmt.Sprintf("%d RDMA Reads of the client are left out: the connecting side may not issue any", reads))
		}
	}
	if side == Client {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	p.Lacks = append(p.Lacks, "PSNs, MSNs, ICRCs, CRCs, markers, retransmissions and RNR times are the device's")
	p.Lacks = append(p.Lacks, c.Device...)
	if p.Messages+p.Expected == 0 {
		return nil, errors.New("the capture has no message of the connection")
	}
	return p, nil
}

// check judges all that the client does.
func (p *Plan) check() error {
	judge, err := effect.NewChecker()
	if err != nil {
		return err
	}
	for _, a := range p.actions {
		switch {
		case a.message != nil:
			p.Effects.Add(judge.Message(a.message, nil), a.message.Call)
		case a.operation.Kind != dissect.AccessRead:
			p.Effects.Add(effect.Verdict{Effect: effect.Changes, By: "an RDMA Write to the server's memory"}, nil)
		}
	}
	for _, n := range p.Effects.Of(effect.Changes) {
		p.Changes = append(p.Changes, n.By)
	}
	return nil
}

// options are those of the connection: room for all that the peer sends, whatever it was
// granted.
func (p *Plan) options(d transport.Device) transport.Options {
	most := d.MostWork
	if most == 0 {
		most = 1024
	}
	size := max(p.theirLongest, least)
	return transport.Options{
		PrivateData: p.PrivateData, Receives: min(p.Expected+1, most, mostReceiving/size), ReceiveSize: size,
		SendSize: max(p.longest, least),
	}
}

const (
	// mostSend is how long a Send may be: the most that private data can say (RFC 8797). A
	// capture that lacks most of a message may claim any length for it.
	mostSend = flow.MaxSend
	// mostReceiving is how many bytes of Receives are published; a message gives its buffer back
	// when it was looked at.
	mostReceiving = 64 << 20
	least         = 1024
	// mostMoved is how long an RDMA Read or Write may be.
	mostMoved = 64 << 20
)
