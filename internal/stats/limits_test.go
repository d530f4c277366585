package stats_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/build"
)

// TestTooManyOperations calls more procedures than a table has rows for. None is
// forgotten: what has no row is counted with the others of the totals.
func TestTooManyOperations(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	c.Reply(c.Call(build.NFS3GetAttr(1000, fh)), build.NFS3GetAttrReply(1000, 1)) // it is NFS/RDMA
	const procedures, rows = 300, 256
	for i := range uint32(procedures) {
		call := build.RPCCall{XID: i, Program: 0x2000_0000, Version: 1, Procedure: i}
		c.Reply(c.Call(build.Message{Bytes: call.Bytes()}), build.Message{Bytes: build.RPCReply{XID: i}.Bytes()})
	}
	c.Disconnect()
	g, e := tell(t, c.Frames)
	if len(e.rows) != rows || e.Unlisted != procedures+1-rows || e.RPCs != procedures+1 {
		t.Errorf("%d rows and %d RPCs without one, of %d", len(e.rows), e.Unlisted, e.RPCs)
	}
	if n := len(g.Totals.Rows()); n != rows || g.Totals.Others.Calls != procedures+1-rows || g.Totals.Others.Latency.Count != procedures+1-rows {
		t.Errorf("%d rows in all, and others %+v", n, g.Totals.Others)
	}
}

// crowd is some connections that call procedures which no other calls, each
// from its first frame to its last.
func crowd(connections, procedures int, disconnect bool) (list []build.Frames) {
	for n := range connections {
		c := build.NewConversation(build.Setup{
			Client: build.Host{QPN: uint32(100 + n), CommID: uint32(1 + 2*n)},
			Server: build.Host{QPN: uint32(200 + n), CommID: uint32(2 + 2*n)},
		})
		c.Connect()
		c.Reply(c.Call(build.NFS3GetAttr(1000, fh)), build.NFS3GetAttrReply(1000, 1))
		for i := range uint32(procedures - 1) {
			call := build.RPCCall{XID: i, Program: uint32(0x2000_0000 + n), Version: 1, Procedure: i}
			c.Reply(c.Call(build.Message{Bytes: call.Bytes()}), build.Message{Bytes: build.RPCReply{XID: i}.Bytes()})
		}
		if disconnect {
			c.Disconnect()
		}
		list = append(list, c.Frames)
	}
	return list
}

// TestTooManyRows has more connections open at once, with more operations, than
// there are rows for.
func TestTooManyRows(t *testing.T) {
	const connections, procedures, rows, inAll = 9, 250, 2048, 256
	g := newGathering(t)
	tellAll(g, crowd(connections, procedures, false))
	listed, unlisted := 0, 0
	for _, e := range g.list {
		listed += len(e.rows)
		unlisted += int(e.Unlisted)
	}
	if len(g.list) != connections || listed != rows || unlisted != connections*procedures-rows {
		t.Errorf("%d connections have %d rows and %d RPCs without one", len(g.list), listed, unlisted)
	}
	// What all have in common has one row of the totals; the others are others.
	calls := int64(0)
	for _, o := range g.Totals.Rows() {
		calls += o.Calls
	}
	if n := len(g.Totals.Rows()); n != inAll || calls+g.Totals.Others.Calls != connections*procedures {
		t.Errorf("%d rows in all with %d calls, others with %d", n, calls, g.Totals.Others.Calls)
	}
}

// TestRowsAreGivenBack has the same connections one after the other.
func TestRowsAreGivenBack(t *testing.T) {
	const connections, procedures = 9, 250
	g := newGathering(t)
	tellAll(g, crowd(connections, procedures, true))
	for _, e := range g.list {
		if len(e.rows) != procedures || e.Unlisted != 0 {
			t.Errorf("connection %d has %d rows and %d RPCs without one", e.id, len(e.rows), e.Unlisted)
		}
	}
	if len(g.list) != connections {
		t.Errorf("%d connections, want %d", len(g.list), connections)
	}
}

// TestNothingAllocated counts each message and RPC of real captures again and
// again, when all it needs is there.
func TestNothingAllocated(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-cb", "rxe-krb", "siw-basic"} {
		s := &repeating{gathering: newGathering(t), t: t}
		feed(t, name, s)
		if s.messages < 100 || s.rpcs < 50 {
			t.Errorf("%s has %d messages and %d RPCs", name, s.messages, s.rpcs)
		}
	}
}

// repeating counts everything some times more.
type repeating struct {
	*gathering
	t              *testing.T
	messages, rpcs int
}

func (s *repeating) Message(m *dissect.Message) {
	s.Gatherer.Message(m)
	s.messages++
	if n := allocs.Per(5, func() { s.Gatherer.Message(m) }); n != 0 {
		s.t.Errorf("%v allocations for a message", n)
	}
}

func (s *repeating) RPC(r *dissect.RPC) {
	s.Gatherer.RPC(r)
	s.rpcs++
	if n := allocs.Per(5, func() { s.Gatherer.RPC(r) }); n != 0 {
		s.t.Errorf("%v allocations for %s", n, r.AppendName(nil, nil))
	}
}
