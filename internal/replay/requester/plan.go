package requester

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A Plan is what a replay is going to do.
type Plan struct {
	Conversation *script.Conversation
	Options      Options
	// PrivateData is what is given when the connection is made, if the device allows remote
	// invalidation; else R is cleared. Made says why it is not what was captured, "" if it
	// is.
	PrivateData []byte
	Made        string
	// Calls is how many calls are sent, Left how many Options.MaxCalls leaves out; Others are
	// Sends that carry no call.
	Calls, Left, Others int
	// Skipped says in words what cannot be sent, a line each.
	Skipped []string
	// Most is how many calls were open at once in the capture, Longest the length of the
	// longest Send in bytes, Span how long the capture took from the first call on.
	Most, Longest int
	Span          time.Duration
	// Segments counts the segments that are advertised, Registered their bytes, and
	// MostRegistered those of a single call. MadeUp are bytes of Read chunks that the
	// capture lacks.
	Segments                           int
	Registered, MostRegistered, MadeUp uint64

	// Retransmissions is how many of the calls repeat one of another connection, with the same XID.
	Retransmissions int

	// Faults are those on purpose, a line each.
	Faults []string
	// Root is the captured handle that is asked of the live server, and Unbound what of the
	// calls a binder is not going to replace, a line each; both with Options.Binder only.
	Root    []byte
	Unbound []string

	// Own is what the replay does itself, with Options.Binder only.
	Own bind.Beginning

	// Effects counts what is sent by what it may do to the server.
	Effects effect.Tally

	steps     []step
	judgement *effect.Checker
}

// NewPlan says what a replay is going to do. The error says why it cannot be done.
func NewPlan(c *script.Conversation, o Options) (*Plan, error) {
	t, err := NewTogether([]*script.Conversation{c}, o)
	if err != nil {
		return nil, err
	}
	return t.Plans[0], nil
}

// connect makes the private data.
func (p *Plan) connect() {
	client := &p.Conversation.Client
	if client.PrivateData == nil && p.Conversation.Setup == flow.SetupInferred || client.Declared == nil && (p.Options.InlineSend != 0 || p.Options.InlineReceive != 0) {
		p.Made = "it was not captured"
		if client.PrivateData != nil {
			p.Made = "the captured private data has another format"
		}
		send, receive := max(rpcrdma.Version2Threshold, p.Longest), rpcrdma.Version2Threshold
		for _, m := range p.Conversation.Messages {
			if !m.ToServer {
				receive = max(receive, m.Length)
			}
		}
		p.PrivateData = wire.PrivateData(roundUp(send), roundUp(receive), false)
	} else {
		p.PrivateData = wire.Given(client)
	}
	edited, told := wire.EditPrivateData(p.PrivateData, p.Options.InlineSend, p.Options.InlineReceive, true)
	if told && string(edited) != string(p.PrivateData) && p.Made == "" {
		p.Made = "its sizes are from the command line"
	}
	p.PrivateData = edited
}

// roundUp is the next multiple of 1024.
func roundUp(size int) int { return (size + 1023) / 1024 * 1024 }

// privateData is what the private data say.
func (p *Plan) privateData() (told rpcrdma.PrivateData, ok bool) {
	return rpcrdma.FindPrivateData(p.PrivateData)
}

// receiveSize is how long each Receive is to be.
func (p *Plan) receiveSize() int {
	if told, ok := p.privateData(); ok {
		return told.ReceiveSize()
	}
	return rpcrdma.DefaultThreshold
}

// receives is how many Receives are needed: the credits that calls ask for, and those for
// reverse-direction calls.
func (p *Plan) receives() int {
	credits, backward := 1, reverseCredits
	for _, s := range p.steps {
		if s.call != nil {
			credits = max(credits, int(min(s.message.Header.Credits, mostReceives)))
		}
	}
	if p.Options.IgnoreCredits {
		credits = max(credits, min(p.Calls, mostReceives)) // the fault is to be the server's to find
	}
	return credits + backward
}

// reverseCredits is how many calls of the server may be open at once: as many as Linux
// clients grant. mostReceives bounds what a capture can ask for.
const (
	reverseCredits = 16
	mostReceives   = 4096
)
