package requester

import (
	"errors"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/replay/bind"
	"github.com/rdmacap/rdmacap/replay/effect"
	"github.com/rdmacap/rdmacap/replay/script"
	"github.com/rdmacap/rdmacap/replay/wire"
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
	// longest Send in octets, Span how long the capture took from the first call on.
	Most, Longest int
	Span          time.Duration
	// Segments counts the segments that are advertised, Registered their octets, and
	// MostRegistered those of a single call. MadeUp are octets of Read chunks that the
	// capture lacks.
	Segments                           int
	Registered, MostRegistered, MadeUp uint64

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
	judgement *effect.Judge
}

// A step is a message that is to be sent, or a reply that has to be there first.
type step struct {
	kind    stepKind
	message *script.Message
	call    *script.Call // nil for a Send that carries no call
	// gap is the time in the capture since the message before.
	gap time.Duration
}

type stepKind uint8

const (
	stepSend stepKind = iota
	stepAwait
)

// NewPlan says what a replay is going to do. The error says why it cannot be done.
func NewPlan(c *script.Conversation, o Options) (*Plan, error) {
	o = o.withDefaults()
	if err := c.CannotBeSent(); err != nil {
		return nil, err
	}
	for _, e := range o.Edits {
		if err := e.Check(); err != nil {
			return nil, err
		}
	}
	judge, err := effect.NewJudge()
	if err != nil {
		return nil, err
	}
	p := &Plan{Conversation: c, Options: o, judgement: judge}
	p.follow()
	if p.Calls == 0 {
		return nil, errors.New("there is no call of the client to replay")
	}
	if err := p.faults(); err != nil {
		return nil, err
	}
	p.connect()
	var surveyed map[*script.Call]effect.Verdict
	if o.Binder != nil {
		if surveyed, err = p.survey(o.Specs); err != nil {
			return nil, err
		}
	}
	p.judge(surveyed)
	return p, nil
}

// follow goes through the messages of the capture.
func (p *Plan) follow() {
	open := make(map[*script.Call]bool)
	var before, first int64
	for _, m := range p.Conversation.Messages {
		if first == 0 {
			first = m.Time
		}
		s := step{message: m, gap: time.Duration(max(0, m.Time-before))}
		if before == 0 || m.Time == 0 {
			s.gap = 0
		}
		switch call := m.Call; {
		case m.ToServer && m.Role == dissect.RoleCall && call != nil, m.ToServer && m.Role == dissect.RoleNone:
			if !p.send(&s) {
				continue
			}
			if call != nil {
				open[call] = true
				p.Most = max(p.Most, len(open))
			}
		case !m.ToServer && m.Role == dissect.RoleAnswer && call != nil && !call.Backward && open[call]:
			delete(open, call)
			s.kind, s.call = stepAwait, call
			p.steps = append(p.steps, s)
		default:
			continue
		}
		before = m.Time
		p.Span = time.Duration(max(0, m.Time-first))
	}
}

// send adds a Send, if it can be sent.
func (p *Plan) send(s *step) bool {
	m := s.message
	if m.Missing != "" || m.Length != len(m.Octets) {
		p.Skipped = append(p.Skipped, fmt.Sprintf("frame %d, a message of %d bytes: %s", m.Frame.Number, m.Length, m.Missing))
		return false
	}
	if m.Call == nil {
		p.Others++
	} else {
		if p.Calls == p.Options.MaxCalls {
			p.Left++
			return false
		}
		p.Calls++
		s.call = m.Call
		octets := uint64(0)
		for i := range m.Call.Segments {
			octets += uint64(m.Call.Segments[i].Length)
		}
		p.Segments += len(m.Call.Segments)
		p.Registered += octets
		p.MostRegistered = max(p.MostRegistered, octets)
		p.MadeUp += m.Call.MadeUp()
	}
	p.Longest = max(p.Longest, m.Length)
	p.steps = append(p.steps, *s)
	return true
}

// connect makes the private data.
func (p *Plan) connect() {
	client := &p.Conversation.Client
	if client.PrivateData == nil && p.Conversation.Setup == flow.SetupInferred || client.Told == nil && (p.Options.InlineSend != 0 || p.Options.InlineReceive != 0) {
		p.Made = "it was not captured"
		if client.PrivateData != nil {
			p.Made = "the captured one does not have the format"
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
		p.Made = "its sizes are those of the command line"
	}
	p.PrivateData = edited
}

// roundUp is the next multiple of 1024.
func roundUp(octets int) int { return (octets + 1023) / 1024 * 1024 }

// told is what the private data say.
func (p *Plan) told() (told rpcrdma.PrivateData, ok bool) {
	return rpcrdma.FindPrivateData(p.PrivateData)
}

// receiveSize is how long each Receive is to be.
func (p *Plan) receiveSize() int {
	if told, ok := p.told(); ok {
		return told.ReceiveSize()
	}
	return rpcrdma.DefaultThreshold
}

// receives is how many Receives are needed: the credits that calls ask for, and those for
// backward calls.
func (p *Plan) receives() int {
	credits, backward := 1, backwardCredits
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

// backwardCredits is how many calls of the server may be open at once: as many as Linux
// clients grant. mostReceives bounds what a capture can ask for.
const (
	backwardCredits = 16
	mostReceives    = 4096
)
