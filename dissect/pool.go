package dissect

import "github.com/rdmacap/rdmacap/dissect/flow"

// A pool keeps messages and RPCs that are over, to be used again: not before the frame
// is told in which they ended, since FrameView.Message may be one of them, and a frame
// may complete several.
type pool struct {
	messages, spentMessages []*Message
	rpcs, spentRPCs         []*RPC
	// calls are of connections that are over.
	calls []pastCalls
}

// maxPooled is how many messages and how many RPCs are kept to be used again: as many
// as 10,000 connections need that have a call open each.
const maxPooled = 1 << 14

// message returns a message to be filled.
func (p *pool) message() *Message {
	n := len(p.messages)
	if n == 0 {
		return new(Message)
	}
	m := p.messages[n-1]
	p.messages = p.messages[:n-1]
	return m
}

// rpc returns an empty RPC.
func (p *pool) rpc(c *Connection, requester flow.End, xid uint32) *RPC {
	var r *RPC
	if n := len(p.rpcs); n > 0 {
		r, p.rpcs = p.rpcs[n-1], p.rpcs[:n-1]
	} else {
		r = new(RPC)
		r.Offer.Owner = r
	}
	r.Connection, r.Requester, r.XID = c, requester, xid
	return r
}

// pastCalls returns empty ones.
func (p *pool) pastCalls() (calls pastCalls) {
	if n := len(p.calls); n > 0 {
		calls, p.calls = p.calls[n-1], p.calls[:n-1]
	}
	return calls
}

// forget takes the calls that a connection remembered, which is over. They are not for who
// looks at it later: it has none then.
func (p *pool) forget(h *History) {
	const few = 8 // what many left is little for each of those that come
	if h.answered.heads != nil && len(p.calls) < few {
		h.answered.ring.Reset()
		clear(h.answered.heads)
		p.calls = append(p.calls, h.answered)
		h.answered = pastCalls{}
	}
}

// drop takes a message that nobody needs when the frame was told.
func (p *pool) drop(m *Message) { p.spentMessages = append(p.spentMessages, m) }

// over takes an RPC that is over, whose messages were dropped.
func (p *pool) over(r *RPC) {
	r.Connection, r.Call, r.Reply, r.Untaken = nil, nil, nil, nil
	r.past, r.pastCall = 0, nil
	r.Frames = r.Frames[:0]
	if cap(r.Frames) > 4096 {
		r.Frames = nil
	}
	r.Complete, r.unsorted, r.Missing, r.WhyNotTaken, r.tries = false, false, "", NotKnownUntaken, 0
	p.spentRPCs = append(p.spentRPCs, r)
}

// release lets what was dropped be used again.
func (p *pool) release() {
	if len(p.spentMessages)+len(p.spentRPCs) > 0 {
		p.reuse()
	}
}

func (p *pool) reuse() {
	for _, m := range p.spentMessages {
		if len(p.messages) < maxPooled {
			m.shrink()
			p.messages = append(p.messages, m)
		}
	}
	for _, r := range p.spentRPCs {
		if len(p.rpcs) < maxPooled {
			p.rpcs = append(p.rpcs, r)
		}
	}
	clear(p.spentMessages)
	clear(p.spentRPCs)
	p.spentMessages, p.spentRPCs = p.spentMessages[:0], p.spentRPCs[:0]
}
