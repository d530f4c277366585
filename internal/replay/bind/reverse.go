package bind

import (
	"encoding/binary"
	"errors"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// ErrNoResult says that a captured reply has no result that could be sent again: it is
// malformed, or RPC itself refused the call.
var ErrNoResult = errors.New("the captured reply has no result")

// read decodes a call and finds what is bound in it.
func (b *Binder) read(m *Message) (*contents, error) {
	header, err := decodeCall(m)
	if err != nil {
		return nil, err
	}
	return b.reader.call(b.plan(m), m, header), nil
}

// Captured rewrites a live server's reverse-direction call into the capture's terms, so that it can be
// compared with captured ones. Slots and sequence numbers stay.
func (b *Binder) Captured(live Message) (*Rewritten, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.read(&live)
	if err != nil {
		return nil, err
	}
	r := rewrite(c, func(it *item) replacement {
		v := c.value(it)
		if !learnt(it.kind) || it.kind == types.Sequences || it.kind == types.Seqids || special(it.kind, v) {
			return replacement{}
		}
		if captured, ok := b.tables.back(it.kind, v); ok {
			return replacement{bytes: captured}
		}
		return replacement{reason: reasonUnknown}
	})
	r.Reads = r.moved.reads(live.Reads)
	return &r, nil
}

const reasonUnknown = "does not match anything known from the capture"

// Answer rewrites the captured reply to a captured call into one for a live call. What the
// caller chose is the live call's: session, slot and sequence number of CB_SEQUENCE. What
// the answerer gave stays. Played by a client to a live server's reverse-direction call, handles and
// stateids that the live server gave are put in; played by a server to a live client, they are
// the captured ones on both sides. The XID is the live call's. The error is ErrNoResult where
// there is nothing to rewrite: such a reply can be sent as it is, but for its XID.
func (b *Binder) Answer(capturedCall, capturedReply, liveCall Message) (*Rewritten, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	was, err := b.read(&capturedCall)
	if err != nil {
		return nil, err
	}
	is, err := b.read(&liveCall)
	if err != nil {
		return nil, err
	}
	e := echo{values: make(map[token][]byte), deltas: make(map[string]uint32)}
	e.learn(was, is)
	capturedReply.Program, capturedReply.Version, capturedReply.Procedure = capturedCall.Program, capturedCall.Version, capturedCall.Procedure
	capturedReply.Reverse = capturedCall.Reverse
	c := b.reader.reply(was.plan, &capturedReply)
	if c == nil {
		return nil, ErrNoResult
	}
	r := rewrite(c, func(it *item) replacement {
		v := c.value(it)
		if it.kind == types.Sequences || it.kind == types.Seqids {
			n := binary.BigEndian.Uint32(v) + e.deltas[it.kind.String()+it.count]
			return replacement{bytes: binary.BigEndian.AppendUint32(nil, n)}
		}
		if live, ok := e.values[token{kind: it.kind, value: string(v)}]; ok {
			return replacement{bytes: live}
		}
		if liveCall.Reverse && learnt(it.kind) {
			if live, ok := b.tables.findLive(it.kind, "", v); ok && !special(it.kind, v) {
				return replacement{bytes: live}
			}
		}
		return replacement{}
	})
	copy(r.Bytes, liveCall.Bytes[:4])
	return &r, nil
}

// An echo is what of a captured call is what of a live one.
type echo struct {
	values map[token][]byte
	deltas map[string]uint32
}

// learn ties the items of two calls.
func (e *echo) learn(was, is *contents) {
	places := make(map[place]*item)
	for i := range is.items {
		if it := &is.items[i]; is.opcode(it.op) == was.opcode(it.op) {
			places[it.place()] = it
		}
	}
	for i := range was.items {
		it := &was.items[i]
		live := places[it.place()]
		switch {
		case it.holds || it.inChunk || live == nil || live.kind != it.kind || live.inChunk || live.holds:
		case it.kind == types.Sequences || it.kind == types.Seqids:
			e.deltas[it.kind.String()+it.count] = binary.BigEndian.Uint32(is.value(live)) - binary.BigEndian.Uint32(was.value(it))
		default:
			e.values[token{kind: it.kind, value: string(was.value(it))}] = is.value(live)
		}
	}
}
