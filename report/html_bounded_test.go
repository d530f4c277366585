package report_test

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// endless is a capture that does not end, of connections with reads, writes, faults and
// calls that nobody answers.
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

// TestHTMLIsBounded makes a report of a capture that does not end: what it keeps in
// memory, and the page, must not grow with it.
func TestHTMLIsBounded(t *testing.T) {
	spool, err := os.CreateTemp(t.TempDir(), "spool")
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	bindings, err := dissect.NewBindings()
	if err != nil {
		t.Fatal(err)
	}
	list := catalogue.All()
	if err := bindings.Ask(rules.Fields(list)...); err != nil {
		t.Fatal(err)
	}
	sets, err := query.NewSets()
	if err != nil {
		t.Fatal(err)
	}
	const size = 1_000_000
	h := report.NewHTML(spool, report.HTMLOptions{
		CheckOptions: report.CheckOptions{Options: report.Options{Files: 1}, Rules: list, Config: rules.DefaultConfig(), Names: []string{"endless"}},
		MaxSize:      size, Made: time.Unix(0, 0), Sets: sets,
	})
	e := &endless{d: dissect.New(h, dissect.Options{Units: true, KeepOctets: true, Accesses: h, Bindings: bindings})}
	for range 60 {
		e.connection(100)
	}
	e.connection(3000)
	before := heap()
	for range 100 {
		e.connection(100)
	}
	e.connection(6000)
	const limit = 3 << 20
	if grown := heap() - before; grown > limit {
		t.Errorf("the heap grew by %d octets over 16,000 more exchanges, want at most %d", grown, limit)
	}
	h.Over(nil)
	e.d.Flush()
	if err := h.Finish(e.d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := h.Write(io.Writer(&page)); err != nil {
		t.Fatal(err)
	}
	if n := page.Len(); n > size || n < size/2 {
		t.Errorf("the page has %d octets of %d", n, size)
	}
}

// heap is what is in use, in octets.
func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
