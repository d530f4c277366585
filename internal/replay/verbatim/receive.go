package verbatim

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// came takes a message: what it advertises stands for what the captured one did.
func (p *player) came(done *transport.Completion) {
	if p.Received == len(p.theirs) {
		p.note("a message of %d bytes beyond those of the capture", len(done.Message))
		return
	}
	captured := p.theirs[p.Received]
	p.Received++
	var live rpcrdma.Header
	live.Decode(done.Message)
	p.peers.learn(&captured.Header, &live)
	if done.Invalidated {
		p.own.gone(done.Handle)
	} else if captured.HasInvalidated {
		p.own.goneAsCaptured(captured.Invalidated)
	}
	if captured.Call != nil && captured.Call.Reply == captured {
		p.own.answer(captured.Call)
	}
	was, is := bytes.Clone(captured.Bytes), bytes.Clone(done.Message)
	clearHandles(was, &captured.Header)
	clearHandles(is, &live)
	if !bytes.HasPrefix(is, was) || len(is) != captured.Length {
		p.Other++
		p.note("frame %d: the message is not as captured: %d bytes, %d captured", captured.Frame.Number, len(is), captured.Length)
	}
}

// clearHandles clears handles and offsets.
func clearHandles(b []byte, h *rpcrdma.Header) {
	for i := 0; ; i++ {
		at, ok := wire.SegmentAt(h, i)
		if !ok || at+rpcrdma.SegmentSize > len(b) {
			return
		}
		length := bytes.Clone(b[at+rpcrdma.SegmentLength:][:4])
		clear(b[at : at+rpcrdma.SegmentSize])
		copy(b[at+rpcrdma.SegmentLength:], length)
	}
}
