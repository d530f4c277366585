package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

const (
	// mostLost is how many calls of a capture are remembered that were open when
	// their connection was lost, and how many that were the first of a new one.
	mostLost = 512
	// firstCalls is with how many calls of a connection such may come again.
	firstCalls = 256
)

// replays knows the calls that were open at the end of a connection, and the first
// calls of those that came later: one of the former may be told after the latter,
// since the end of a connection may show late.
type replays struct {
	lost  rules.Ring[lostCall]
	young rules.Ring[youngCall]
	// echoed, of RPC-010, are replies that may be answers of old to lost calls.
	echoed rules.Ring[echoed]
	deeds  deeds // RPC-012
	// conns counts the connections of two hosts so far.
	conns map[rules.Hosts]int
}

// replaysSlot is where CrossConnection keeps it.
const replaysSlot = rules.CrossSlot[replays](rules.KeepsRPC)

func replaysOf(a *rules.CrossConnection) *replays {
	return replaysSlot.Of(a)
}

// begun counts a connection, and returns how many its hosts had before.
func (p *replays) begun(h rules.Hosts) (before int) {
	if p.conns == nil {
		p.conns = make(map[rules.Hosts]int)
	}
	before = p.conns[h]
	const most = 4096
	if before > 0 || len(p.conns) < most {
		p.conns[h]++
	}
	return before
}

// alone reports whether it is known that a connection is the first of its hosts, so that
// its calls are of no interest.
func alone(a *rules.CrossConnection, c *rules.Conn) bool {
	return a != nil && replaysOf(a).conns[c.Hosts()] <= 1
}

// A lostCall was open at the end of its connection.
type lostCall struct {
	hosts rules.Hosts
	conn  int // the connection's ID, which CrossConnection knows
	rules.PastMessage
	proc   procedure
	name   string
	unsafe bool // it may not be executed twice, and no session keeps it from that
	doubt  string
	memory memory
}

// A procedure is what is called.
type procedure struct{ program, version, procedure uint32 }

func procedureOf(h *rpc.Call) procedure { return procedure{h.Program, h.Version, h.Procedure} }

// A youngCall is one of the first of a connection.
type youngCall struct {
	of *youngConn // in CrossConnection
	rules.PastMessage
	proc  procedure
	place flow.Place
}

// A youngConn is a connection of hosts that had others before.
type youngConn struct {
	hosts rules.Hosts
	id    int
	entry *rules.ConnRef // nil once it is over
	// replayed says that one of its first calls was lost before: the end of the other
	// connection may be told late.
	replayed bool
}

// youngConnSlot is where CrossConnection keeps it of each connection.
const youngConnSlot = rules.RefSlot[youngConn](rules.KeepsRPC)

// youngOf is what is remembered of a connection, nil if it is the first of its hosts.
func youngOf(e *rules.ConnRef) *youngConn { return youngConnSlot.IfAny(e) }

// same reports whether a lost call came again.
func (y *youngCall) same(l *lostCall) bool {
	return y.XID == l.XID && y.of.id > l.conn && y.of.hosts == l.hosts && y.proc == l.proc && y.Time >= l.Time
}

// mostUnknownWrites is how many RDMA Writes of a connection are kept that no call of it
// asked for.
const mostUnknownWrites = 16

// A unknownWrite is an RDMA Write to memory that no call of its connection named.
type unknownWrite struct {
	handle uint32
	offset uint64
	length int
	place  flow.Place
	time   int64
}

// named is a lost call of an earlier connection that named what is written, nil if
// none did.
func (p *replays) named(h rules.Hosts, conn int, w *unknownWrite) *lostCall {
	for l := range p.lost.All() {
		if l.hosts == h && l.conn < conn && l.memory.has(w.handle, w.offset, w.length) {
			return l
		}
	}
	return nil
}

// unsafe reports whether a call changes something each time that it is executed, and
// no session of NFS version 4.1 keeps the server from executing it twice.
func unsafe(r *dissect.RPC) bool {
	if r.CallHeader() == nil || r.CallHeader().Version == 4 && calls(r, func(op uint32) bool { return op == numbers.OpSequence }) {
		return false
	}
	return changes(r)
}

// changes reports whether a call changes something each time that it is executed.
func changes(r *dissect.RPC) bool {
	h := r.CallHeader()
	if h == nil || h.Program != rpc.ProgramNFS {
		return false
	}
	if h.Version != 4 {
		return values.NonIdempotent(h.Version, h.Procedure) != ""
	}
	return calls(r, func(op uint32) bool {
		return op == numbers.OpCreate || op == numbers.OpLink || op == numbers.OpRemove || op == numbers.OpRename
	})
}

// calls reports whether one of the operations of a COMPOUND is one of some.
func calls(r *dissect.RPC, is func(op uint32) bool) bool {
	b := r.Call.Body()
	if b == nil {
		return false
	}
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation && is(uint32(e.Value)) {
			return true
		}
	}
	return false
}
