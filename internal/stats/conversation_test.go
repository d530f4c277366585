package stats_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/stats"
)

var fh = []byte("handle")

// memory is a piece of the client's memory.
func memory(handle, length uint32) build.Segment {
	return build.Segment{Handle: handle, Length: length, Offset: uint64(handle) << 16}
}

// TestCreditsAndOpenCalls sends three calls before the first reply, then one at
// a time, and a server that changes its mind about credits.
func TestCreditsAndOpenCalls(t *testing.T) {
	c := build.NewConversation(build.Setup{Client: build.Host{Credits: 128}, Server: build.Host{Credits: 64}})
	c.Connect()
	var waiting []*build.Exchange
	for xid := uint32(1); xid <= 3; xid++ {
		waiting = append(waiting, c.Call(build.NFS3GetAttr(xid, fh)))
	}
	c.Server.Credits = 32
	for i, e := range waiting {
		c.Reply(e, build.NFS3GetAttrReply(uint32(i+1), 1))
	}
	c.Server.Credits, c.Client.Credits = 48, 100
	for xid := uint32(4); xid <= 6; xid++ {
		c.Reply(c.Call(build.NFS3GetAttr(xid, fh)), build.NFS3GetAttrReply(xid, 1), build.Invalidate(0x77))
	}
	c.Call(build.NFS3GetAttr(7, fh)) // nobody answers
	c.Disconnect()
	_, e := tell(t, c.Frames)

	if want := (stats.Range{Min: 100, Max: 128, Last: 100, Count: 7}); e.up.Requested != want {
		t.Errorf("credits requested %+v, want %+v", e.up.Requested, want)
	}
	if want := (stats.Range{Min: 32, Max: 48, Last: 48, Count: 6}); e.up.Granted != want {
		t.Errorf("credits granted %+v, want %+v", e.up.Granted, want)
	}
	if e.up.Count != 7 || e.up.MostOpen != 3 || e.down.Count != 0 || e.down.MostOpen != 0 {
		t.Errorf("%d calls to the server, %d open at once; %d to the client, %d at once; want 7, 3, 0, 0",
			e.up.Count, e.up.MostOpen, e.down.Count, e.down.MostOpen)
	}
	// Header of 28 bytes each; a call's arguments and a reply's results after it.
	call, reply := 28+len(build.NFS3GetAttr(1, fh).Bytes), 28+len(build.NFS3GetAttrReply(1, 1).Bytes)
	if want := (stats.Sends{Count: 7, Longest: call}); *e.toServer != want {
		t.Errorf("Sends to the server %+v, want %+v", *e.toServer, want)
	}
	if want := (stats.Sends{Count: 6, Longest: reply, Invalidates: 3}); *e.toClient != want {
		t.Errorf("Sends to the client %+v, want %+v", *e.toClient, want)
	}
	o := e.rows["NFS3 GETATTR"]
	if o == nil || o.Calls != 7 || o.Replies != 6 || o.Unanswered != 1 || o.Incomplete != 1 || o.Errors.Total != 0 {
		t.Errorf("%+v", o)
	}
}

// TestBothDirections lets the server call back while a call of the client's own,
// with the same XID, is open.
func TestBothDirections(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	e1 := c.Call(build.NFS3GetAttr(9, fh))
	callback := build.RPCCall{XID: 9, Program: 0x4000_0017, Version: 1, Procedure: 0}
	c.ReverseCall(build.Message{Bytes: callback.Bytes()}, build.Message{Bytes: build.RPCReply{XID: 9}.Bytes()})
	c.Reply(e1, build.NFS3GetAttrReply(9, 1))
	c.Disconnect()
	_, e := tell(t, c.Frames)
	if e.up.Count != 1 || e.up.MostOpen != 1 || e.down.Count != 1 || e.down.MostOpen != 1 {
		t.Errorf("to the server %+v, to the client %+v", e.up, e.down)
	}
	if e.up.Requested.Last != 128 || e.up.Granted.Last != 64 || e.down.Requested.Last != 64 || e.down.Granted.Last != 128 {
		t.Errorf("credits to the server %+v, to the client %+v", e.up, e.down)
	}
	o := e.rows["NFS callback CB_NULL"]
	if o == nil || !o.Reverse || o.Program != 0 || o.Calls != 1 || o.Replies != 1 {
		t.Errorf("%+v", o)
	}
}

// TestErrors answers in every way that says that the call failed.
func TestErrors(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	xid := uint32(0)
	read := func() *build.Exchange {
		xid++
		return c.Call(build.NFS3Read(xid, fh, 0, 100))
	}
	c.Reply(read(), build.NFS3ReadReply(xid, make([]byte, 100)))
	for range 3 {
		c.Reply(read(), build.NFS3ReadFailed(xid, 70))
	}
	c.Reply(read(), build.NFS3ReadFailed(xid, 2))
	c.ReplyError(read(), build.ErrChunk)
	c.ReplyError(read(), build.ErrVers)
	const garbageArgs, authTooWeak = 4, 5
	e := read()
	c.Reply(e, build.Message{Bytes: build.RPCReply{XID: xid, Stat: garbageArgs}.Bytes()})
	e = read()
	c.Reply(e, build.Message{Bytes: build.RPCDenied(xid, 1, authTooWeak)})
	c.Disconnect()
	_, got := tell(t, c.Frames)
	o := got.rows["NFS3 READ"]
	if o == nil || o.Calls != 9 || o.Replies != 9 || o.Errors.Total != 8 || o.ReplyTransfers.Total() != 7 {
		t.Fatalf("%+v", o)
	}
	list, others := o.Errors.List()
	want := []stats.Named{
		{Name: "NFS3ERR_STALE", Count: 3}, {Name: "AUTH_ERROR", Count: 1}, {Name: "ERR_CHUNK", Count: 1},
		{Name: "ERR_VERS", Count: 1}, {Name: "GARBAGE_ARGS", Count: 1}, {Name: "NFS3ERR_NOENT", Count: 1},
	}
	if !reflect.DeepEqual(list, want) || others != 0 {
		t.Errorf("errors %v and %d others, want %v", list, others, want)
	}
}

// TestManyStatuses gives more different statuses than have a count of their own.
func TestManyStatuses(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for status := uint32(10_001); status <= 10_012; status++ {
		c.Reply(c.Call(build.NFS3Read(status, fh, 0, 100)), build.NFS3ReadFailed(status, status))
	}
	c.Disconnect()
	g, e := tell(t, c.Frames)
	for _, o := range []*stats.Operation{e.rows["NFS3 READ"], g.Totals.Rows()[0]} {
		if list, others := o.Errors.List(); o.Errors.Total != 12 || len(list) != 8 || others != 4 {
			t.Errorf("%d errors, %d by name, %d others; want 12, 8, 4", o.Errors.Total, len(list), others)
		}
	}
}

// TestTransfers moves messages in every way there is.
func TestTransfers(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	data := make([]byte, 5000)
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 10)), build.NFS3ReadReply(1, data[:10]))
	c.Reply(c.Call(build.NFS3Read(2, fh, 0, 5000), build.WriteChunk{memory(1, 8192)}), build.NFS3ReadReply(2, data))
	c.Reply(c.Call(build.NFS3Read(3, fh, 0, 5000), build.ReplyChunk{memory(2, 8192)}), build.NFS3ReadReply(3, data))
	c.Reply(c.Call(build.NFS3Read(4, fh, 0, 10), build.WriteChunk{memory(3, 8192)}), build.NFS3ReadFailed(4, 70))
	c.Reply(c.Call(build.NFS3Write(5, fh, 0, data[:8])), build.NFS3WriteReply(5, 8))
	c.Reply(c.Call(build.NFS3Write(6, fh, 0, data), build.ReadChunk{memory(4, 5000)}), build.NFS3WriteReply(6, 5000))
	long := build.NFS3Write(7, fh, 0, data)
	c.Reply(c.Call(long, build.LongCall{memory(5, uint32(len(long.Bytes)))}), build.NFS3WriteReply(7, 5000))
	c.Disconnect()
	_, e := tell(t, c.Frames)

	read, write := e.rows["NFS3 READ"], e.rows["NFS3 WRITE"]
	reply := len(build.NFS3ReadReply(3, data).Bytes)
	for _, x := range []struct {
		what      string
		got, want any
	}{
		{"READ calls", read.CallTransfers, stats.Transfers{Inline: 4}},
		{"READ replies", read.ReplyTransfers, stats.Transfers{Inline: 2, Chunked: 1, Long: 1}},
		{"WRITE calls", write.CallTransfers, stats.Transfers{Inline: 1, Chunked: 1, Long: 1}},
		{"WRITE replies", write.ReplyTransfers, stats.Transfers{Inline: 3}},
		{"READ moved", [2]uint64{read.ReadBytes, read.WriteBytes}, [2]uint64{0, uint64(5000 + reply)}},
		{"WRITE moved", [2]uint64{write.ReadBytes, write.WriteBytes}, [2]uint64{uint64(5000 + len(long.Bytes)), 0}},
		{"READ reply bytes", read.ReplyBytes, uint64(2*reply + len(build.NFS3ReadReply(1, data[:10]).Bytes) + len(build.NFS3ReadFailed(4, 70).Bytes))},
		{"WRITE call bytes", write.CallBytes, uint64(2*len(long.Bytes) + len(build.NFS3Write(5, fh, 0, data[:8]).Bytes))},
	} {
		if x.got != x.want {
			t.Errorf("%s: %+v, want %+v", x.what, x.got, x.want)
		}
	}
}

// TestLatency holds from when to when a call takes: from its last frame to the
// first of its reply.
func TestLatency(t *testing.T) {
	const step = 10 * time.Microsecond // between frames
	c := build.NewConversation(build.Setup{Step: step})
	c.Connect()
	for xid := uint32(1); xid <= 10; xid++ {
		e := c.Call(build.NFS3GetAttr(xid, fh)) // the Send, and its acknowledgement
		c.Wait(time.Duration(xid) * time.Millisecond)
		c.Reply(e, build.NFS3GetAttrReply(xid, 1))
	}
	c.Disconnect()
	_, e := tell(t, c.Frames)
	h := &e.rows["NFS3 GETATTR"].Latency
	if h.Count != 10 || h.Min != (time.Millisecond+2*step).Nanoseconds() || h.Max != (10*time.Millisecond+2*step).Nanoseconds() {
		t.Errorf("%d latencies, %d to %d ns", h.Count, h.Min, h.Max)
	}
	if got, want := h.Percentile(50), (5*time.Millisecond + 2*step).Nanoseconds(); max(got-want, want-got) > want/128 {
		t.Errorf("median %d ns, want about %d", got, want)
	}
}

// TestOnlyReply counts a reply whose call is not in the capture.
func TestOnlyReply(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	e1 := c.Call(build.NFS3GetAttr(1, fh))
	c.Reply(e1, build.NFS3GetAttrReply(1, 1))
	e2 := c.Call(build.NFS3GetAttr(2, fh))
	c.Reply(e2, build.NFS3GetAttrReply(2, 1))
	c.Disconnect()
	_, e := tell(t, c.Frames.Drop(e1.Sent.First))
	o := e.rows["call not captured"]
	if o == nil || o.Known || o.Calls != 0 || o.Replies != 1 || o.Unanswered != 0 || o.Incomplete != 1 || o.Latency.Count != 0 {
		t.Errorf("%+v", o)
	}
	if o := e.rows["NFS3 GETATTR"]; o == nil || o.Calls != 1 || o.Replies != 1 {
		t.Errorf("%+v", o)
	}
	if e.up.Count != 1 || e.up.MostOpen != 1 || e.up.Granted.Count != 2 {
		t.Errorf("%+v", e.up)
	}
}

// TestOutOfOrder has a reply before its call, and one call after the other that
// nobody answers, all with one XID: none of them stays open.
func TestOutOfOrder(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	e1 := c.Call(build.NFS3GetAttr(1, fh))
	r1 := c.Reply(e1, build.NFS3GetAttrReply(1, 1))
	for range 3 {
		c.Call(build.NFS3GetAttr(2, fh))
	}
	c.Disconnect()
	_, e := tell(t, c.Frames.Swap(e1.Sent.First, r1.First))
	if o := e.rows["NFS3 GETATTR"]; len(e.rows) != 1 || o.Calls != 4 || o.Replies != 1 || o.Unanswered != 3 {
		t.Errorf("%d rows, %+v", len(e.rows), o)
	}
	if e.up.Count != 4 || e.up.MostOpen != 1 {
		t.Errorf("%d calls, %d open at once, want 4, 1", e.up.Count, e.up.MostOpen)
	}
}

// TestXIDUsedAgain has an XID that serves a new call while the former, which was
// answered, still waits for data that do not come. When that is given up, the new
// one is still open.
func TestXIDUsedAgain(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	chunk := build.WriteChunk{memory(1, 100)}
	c.Call(build.NFS3Read(1, fh, 0, 100), chunk)
	// The reply says that its data were placed, and no RDMA Write did.
	reply := build.Header{XID: 1, Credits: 64, Writes: [][]build.Segment{chunk}}
	c.Send(build.ToClient, reply.With(build.NFS3ReadReply(1, make([]byte, 100)).Reduced()))
	c.Ack(build.ToServer)
	c.Call(build.NFS3GetAttr(1, fh)) // nobody answers
	for xid := uint32(2); xid < 50; xid++ {
		c.Reply(c.Call(build.NFS3GetAttr(xid, fh)), build.NFS3GetAttrReply(xid, 1))
	}
	c.Call(build.NFS3GetAttr(50, fh))
	c.Call(build.NFS3GetAttr(51, fh))
	c.Disconnect()
	_, e := tell(t, c.Frames)
	if o := e.rows["NFS3 READ"]; o == nil || o.Replies != 1 || o.Incomplete != 1 {
		t.Errorf("%+v", o)
	}
	if e.up.MostOpen != 3 {
		t.Errorf("%d calls open at once, want 3", e.up.MostOpen)
	}
}
