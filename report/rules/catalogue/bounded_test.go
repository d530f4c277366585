package catalogue_test

import (
	"runtime"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// endless is a capture that does not end: connection after connection of one
// client, each with reads, writes, calls that nobody answers, and faults.
type endless struct {
	d      *dissect.Dissector
	frames int64
	xid    uint32
	port   uint16
}

func (e *endless) feed(c *build.Conversation) {
	for _, f := range c.Frames {
		e.frames++
		e.d.Frame(&capture.Frame{Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)), Time: f.Time.UnixNano(), Number: e.frames})
	}
	c.Frames = c.Frames[:0]
}

// connection plays one connection to its end.
func (e *endless) connection(exchanges int) {
	e.port++
	c := build.NewConversation(build.Setup{Client: build.Host{QPN: 0x1000 + uint32(e.port), CommID: 0x1000 + uint32(e.port)}})
	c.Connect()
	fh := []byte("handle")
	for i := range exchanges {
		e.xid += 4
		key := e.xid << 8
		c.Reply(c.Call(build.NFS3Read(e.xid, fh, 0, 300), build.WriteChunk{{Handle: key, Length: 304, Offset: uint64(key)}}),
			build.NFS3ReadReply(e.xid, make([]byte, 300)))
		c.Reply(c.Call(build.NFS3Write(e.xid+1, fh, 0, make([]byte, 300)), build.ReadChunk{{Handle: key + 1, Length: 300, Offset: uint64(key)}}),
			build.NFS3WriteReply(e.xid+1, 300))
		if i%50 == 0 {
			c.Call(build.NFS3GetAttr(e.xid+2, fh)) // nobody answers
			c.Write(build.ToClient, key, 0, make([]byte, 8))
			c.ReplyError(c.Call(build.NFS3GetAttr(e.xid+3, fh)), build.ErrChunk)
		}
		e.feed(c)
	}
	c.Disconnect()
	e.feed(c)
}

// TestMemoryIsBounded asks all rules about a capture that does not end: what they
// keep must not grow with it, neither in one long connection nor over many.
func TestMemoryIsBounded(t *testing.T) {
	found := 0
	k := rules.NewChecker(catalogue.All(), rules.DefaultConfig(), func(_ *dissect.Connection, list []*finding.Finding) { found += len(list) })
	bindings := bindingsOf(t, catalogue.All())
	e := &endless{d: dissect.New(k, dissect.Options{Units: true, Accesses: k, Bindings: bindings})}
	for range 20 {
		e.connection(100)
	}
	e.connection(3000)
	before := heap()
	for range 100 {
		e.connection(100)
	}
	e.connection(6000)
	const limit = 2 << 20
	if grown := heap() - before; grown > limit {
		t.Errorf("the heap grew by %d bytes over 16,000 more exchanges, want at most %d", grown, limit)
	}
	k.Over()
	e.d.Flush()
	k.Finish()
	if found == 0 {
		t.Error("no finding has")
	}
}

// heap is what is in use, in bytes.
func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
