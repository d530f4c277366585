package bind

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// Reply learns from the replies of a call that was sent. The captured one is nil if the
// capture lacks it. It is to be called once for each live reply; with Retry the next
// is that to the call's Again.
func (c *Call) Reply(captured *Message, live Message) Verdict {
	b := c.binder
	b.mu.Lock()
	defer b.mu.Unlock()
	p := c.contents.plan
	if p == nil {
		return Verdict{}
	}
	is := b.reader.reply(p, c.messageOf(&live))
	var was *contents
	if captured != nil {
		was = b.reader.reply(p, c.messageOf(captured))
	}
	var v Verdict
	v.Status, v.Retry = is.verdict(was)
	v.Captured, _ = was.verdict(is)
	// With Retry the captured reply is still to come.
	c.counted(was, is, captured != nil && !v.Retry)
	if !v.Retry && was != nil {
		v.Lacking = c.learn(was, is)
	}
	return v
}

// messageOf is a reply with the numbers of its call.
func (c *Call) messageOf(m *Message) *Message {
	reply := *m
	reply.Program, reply.Version, reply.Procedure = c.captured.Program, c.captured.Version, c.captured.Procedure
	reply.Reverse = c.captured.Reverse
	return &reply
}

// verdict is the name of a reply's status, and whether it asks to wait while the other
// reply does not.
func (c *contents) verdict(other *contents) (name string, retry bool) {
	if c == nil {
		return "", false
	}
	s := c.status(0)
	if s == nil || s.names == nil {
		return "", false
	}
	name = s.names.Name(s.value)
	if m := s.names.Member(s.value); m != nil && m.Retry {
		retry = true
		if other != nil {
			o := other.status(0)
			retry = o == nil || o.value != s.value
		}
	}
	return name, retry
}

// A place is where an item stands in a reply.
type place struct {
	op, mark int32
	name     string
	ordinal  int
}

func (it *item) place() place {
	if it.kind == types.Cookies {
		// Where a listing goes on is a matter of how much was read of it, not of
		// the order in which a server lists names.
		return place{it.op, it.mark, "", it.ordinal}
	}
	return place{it.op, it.mark, it.name, it.ordinal}
}

// learn ties the items of two replies, and returns what the live one lacks.
func (c *Call) learn(was, is *contents) (lacking []Unbound) {
	t := &c.binder.tables
	places := make(map[place]*item)
	cookies := make(map[int32]*item) // the last of each operation
	if is != nil {
		for i := range is.items {
			if it := &is.items[i]; !it.holds && !it.inChunk && is.opcode(it.op) == was.opcode(it.op) {
				places[it.place()] = it
				if it.kind == types.Cookies {
					cookies[it.op] = it
				}
			}
		}
	}
	for i := range was.items {
		it := &was.items[i]
		if it.holds || it.inChunk || !learnt(it.kind) {
			continue
		}
		v, live := was.value(it), places[it.place()]
		if live == nil && it.kind == types.Cookies {
			live = cookies[it.op] // fewer entries: it goes on after the last one
		}
		switch {
		case special(it.kind, v) && it.kind != types.Verifiers:
		case live == nil || live.kind != it.kind:
			t.lack(it.kind, scope(c.scopes, it), v)
			if it.kind == types.Stateids {
				t.state(v).standsIn = is.hasState(it.op)
			}
			if len(lacking) < mostUnbound {
				lacking = append(lacking, was.unbound(it, reasonLacking))
			}
		case it.kind == types.Sequences || it.kind == types.Seqids:
			if count := t.count(it); count != "" && !c.numbered(it) {
				t.expect(count, binary.BigEndian.Uint32(v), binary.BigEndian.Uint32(is.value(live)))
			}
		default:
			t.obtained(it.kind, v, is.value(live), c.foreign)
			t.tie(it.kind, scope(c.scopes, it), v, is.value(live))
			if s := scope(c.scopes, it); s != "" {
				t.tie(it.kind, "", v, is.value(live))
			}
		}
		if it.kind == types.Stateids && !special(it.kind, v) {
			if count := c.owner(it.op); count != "" {
				t.state(v).count = count
			}
		}
	}
	return lacking
}

// hasState reports whether an operation's result has a stateid.
func (c *contents) hasState(op int32) bool {
	if c == nil {
		return false
	}
	for _, it := range c.itemsOf(op) {
		if it.kind == types.Stateids && !special(it.kind, c.value(&it)) {
			return true
		}
	}
	return false
}

// learnt reports whether items of a kind in replies say something about later calls.
func learnt(k types.BindKind) bool {
	return k != types.Owners && k != types.Slots && k != types.Devices && k != types.NotBound
}

// numbered reports whether a number in a result repeats one of the call.
func (c *Call) numbered(it *item) bool {
	for _, n := range c.numbersOf(it.op) {
		if n.kind == it.kind {
			return true
		}
	}
	return false
}

// owner is what the last seqid of an operation counts: that of the owner to whom a
// stateid in its result belongs.
func (c *Call) owner(op int32) (count string) {
	for _, n := range c.numbersOf(op) {
		if n.kind == types.Seqids {
			count = n.count
		}
	}
	return count
}

// numbersOf are the numbers of an operation.
func (c *Call) numbersOf(op int32) []number {
	i, _ := slices.BinarySearchFunc(c.numbers, op, func(n number, op int32) int { return int(n.op - op) })
	end := i
	for end < len(c.numbers) && c.numbers[end].op == op {
		end++
	}
	return c.numbers[i:end]
}

// opcode is the number of an operation, 0 outside of any.
func (c *contents) opcode(op int32) uint64 {
	if op > 0 && int(op) <= len(c.opcodes) {
		return c.opcodes[op-1]
	}
	return 0
}
