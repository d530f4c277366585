package responder

import (
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// An entry is a captured call of the client, with its reply.
type entry struct {
	call *script.Call
	// place counts entries in the order of the capture.
	place int
	used  int // how often it was played
	reading
	bytes []byte // of the RPC call
	reads []walk.ReadChunk
	// operations are the RDMA Writes that preceded the reply.
	operations []*script.Operation
}

// nearby is how many calls ahead of the conversation one is still due: clients have that
// many under way, and repeat some less often than before.
const nearby = 48

// A matcher finds the captured call for a live one. Its owner sees to it that one goroutine at
// a time uses it.
type matcher struct {
	*reader
	entries []*entry
	same    map[string][]*entry
	near    map[string][]*entry
	known   map[string]bool   // handles in the capture
	mapped  map[string]string // live handle to captured
	root    string            // that clients get from a MOUNT server
	front   int               // place of the farthest entry that was used
}

// newMatcher takes the calls of the client out of a conversation. Those that the capture does
// not have whole are left out.
func newMatcher(c *script.Conversation, specs []*types.Spec) (*matcher, error) {
	r, err := newReader(specs)
	if err != nil {
		return nil, err
	}
	m := &matcher{reader: r, same: make(map[string][]*entry), near: make(map[string][]*entry), known: make(map[string]bool), mapped: make(map[string]string)}
	of := make(map[*script.Call]*entry)
	for _, call := range c.Calls {
		if call.Reverse || call.Request.Missing != "" || !call.HasHeader {
			continue
		}
		e := &entry{call: call, place: len(m.entries)}
		e.bytes, _ = call.Message()
		e.reads = readChunks(&call.Request.Header)
		e.reading = r.call(e.bytes, e.reads, nil)
		for _, h := range e.handles {
			m.known[h] = true
			if m.root == "" && e.header.Version < 4 && e.header.Program == rpc.ProgramNFS {
				m.root = h
			}
		}
		m.entries = append(m.entries, e)
		m.same[e.same] = append(m.same[e.same], e)
		m.near[e.near] = append(m.near[e.near], e)
		of[call] = e
	}
	m.operate(c, of)
	return m, nil
}

// operate gives each entry the RDMA Writes of its reply. Those to memory that nobody
// advertised belong to the reply that follows them.
func (m *matcher) operate(c *script.Conversation, of map[*script.Call]*entry) {
	next := 0
	var stray []*script.Operation
	for i := range c.Operations {
		o := &c.Operations[i]
		if o.ToServer || o.Kind != accessWrite {
			continue
		}
		for next < len(c.Messages) && c.Messages[next].Order < o.Order {
			if !c.Messages[next].ToServer && c.Messages[next].Call != nil {
				stray = m.giveStrays(of[c.Messages[next].Call], stray)
			}
			next++
		}
		if e := of[o.Call]; e != nil {
			e.operations = append(e.operations, o)
		} else {
			stray = append(stray, o)
		}
	}
	for ; next < len(c.Messages) && len(stray) > 0; next++ {
		if !c.Messages[next].ToServer && c.Messages[next].Call != nil {
			stray = m.giveStrays(of[c.Messages[next].Call], stray)
		}
	}
}

// giveStrays gives an entry the stray operations.
func (m *matcher) giveStrays(e *entry, stray []*script.Operation) []*script.Operation {
	if e == nil {
		return stray
	}
	e.operations = append(e.operations, stray...)
	return stray[:0:0]
}

// How a live call was matched.
type match int

const (
	matchNone match = iota
	matchSame
	matchNear
)

// findEntry is the captured call that a live one is.
func (m *matcher) findEntry(data []byte, reads []walk.ReadChunk) (*entry, match, reading) {
	live := m.call(data, reads, m.mapped)
	for _, h := range live.handles {
		if _, is := m.mapped[h]; !is && !m.known[h] && m.root != "" && live.header.Version < 4 && !m.rooted() {
			m.mapped[h] = m.root
			live = m.call(data, reads, m.mapped)
			break
		}
	}
	if e := m.due(m.same[live.same]); e != nil {
		return e, matchSame, live
	}
	if e := m.due(m.near[live.near]); e != nil {
		return e, matchNear, live
	}
	return nil, matchNone, live
}

// rooted reports whether the live handle of the root is known.
func (m *matcher) rooted() bool { return len(m.mapped) > 0 }

// due chooses among captured calls that are all the same.
func (m *matcher) due(list []*entry) (best *entry) {
	for _, e := range list {
		if e.call.Reply == nil && best != nil {
			continue // one that was answered is better
		}
		switch {
		case best == nil, best.call.Reply == nil && e.call.Reply != nil:
			best = e
		case best.used > 0 && (e.used > 0 || e.place <= m.front+nearby):
			best = e
		}
		if best.used == 0 {
			break
		}
	}
	if best != nil {
		best.used++
		m.front = max(m.front, best.place)
	}
	return best
}

// has reports whether the capture has calls of a program.
func (m *matcher) has(program, version uint32) (it, thisVersion bool, low, high uint32) {
	for _, e := range m.entries {
		if e.header.Program != program {
			continue
		}
		if v := e.header.Version; !it {
			low, high = v, v
		} else {
			low, high = min(low, v), max(high, v)
		}
		it = true
		thisVersion = thisVersion || e.header.Version == version
	}
	return it, thisVersion, low, high
}
