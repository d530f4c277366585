package html_test

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
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/html"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// endless is a capture that does not end, of connections with reads, writes, faults and
// calls that nobody answers. It is a capture.Source.
type endless struct {
	steps   []func() // each makes frames, or looks at the heap
	waiting []build.Frame
	frames  int64
	xid     uint32
	port    uint16
}

// Next implements capture.Source.
func (e *endless) Next(f *capture.Frame) error {
	for len(e.waiting) == 0 {
		if len(e.steps) == 0 {
			return io.EOF
		}
		do := e.steps[0]
		e.steps = e.steps[1:]
		do()
	}
	x := &e.waiting[0]
	e.waiting = e.waiting[1:]
	e.frames++
	*f = capture.Frame{Link: link.TypeEthernet, Data: x.Data, Length: int32(len(x.Data)), Time: x.Time.UnixNano(), Number: e.frames}
	return nil
}

// connection adds the steps of one with so many exchanges.
func (e *endless) connection(exchanges int) {
	var c *build.Conversation
	then := func(do func()) {
		e.steps = append(e.steps, func() {
			do()
			e.waiting = append(e.waiting[:0], c.Frames...)
			c.Frames = c.Frames[:0]
		})
	}
	then(func() {
		e.port++
		c = build.NewConversation(build.Setup{Client: build.Host{QPN: 0x1000 + uint32(e.port), CommID: 0x1000 + uint32(e.port)}})
		c.Connect()
	})
	fh := []byte("handle")
	for i := range exchanges {
		then(func() {
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
		})
	}
	then(func() { c.Disconnect() })
}

// TestHTMLIsBounded makes a report of a capture that does not end: what it keeps in
// memory, and the page, must not grow with it.
func TestHTMLIsBounded(t *testing.T) {
	const size = 1_000_000
	h, bindings := pageOf(t, size)
	e := new(endless)
	for range 60 {
		e.connection(100)
	}
	e.connection(3000)
	var before, after int64
	e.steps = append(e.steps, func() { before = heap() })
	for range 100 {
		e.connection(100)
	}
	e.connection(6000)
	e.steps = append(e.steps, func() { after = heap() })
	shards := dissectInto(t, h, bindings, e)
	const limit = 6 << 20 // and what is underway may differ
	if grown := after - before; grown > limit {
		t.Errorf("the heap grew by %d bytes over 16,000 more exchanges, want at most %d", grown, limit)
	}
	h.Check().Over(nil)
	shards.Flush()
	if err := h.Check().Finish(shards.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := h.Write(io.Writer(&page)); err != nil {
		t.Fatal(err)
	}
	if n := page.Len(); n > size || n < size/2 {
		t.Errorf("the page has %d bytes of %d", n, size)
	}
}

// pageOf is a page of a size at most, in bytes, with the bindings that its rules need.
func pageOf(t *testing.T, size int64) (*html.Page, *dissect.Bindings) {
	t.Helper()
	spool, err := os.CreateTemp(t.TempDir(), "spool")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { spool.Close() })
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
	return html.New(spool, html.Options{
		Options: check.Options{Rules: list, Config: rules.DefaultConfig(), Files: 1}, Names: []string{"endless"},
		MaxSize: size, Made: time.Unix(0, 0), Sets: sets,
	}), bindings
}

// dissectInto makes the page of a source.
func dissectInto(t *testing.T, h *html.Page, bindings *dissect.Bindings, source capture.Source) *dissect.Shards {
	t.Helper()
	shards := dissect.NewShards(2, dissect.Options{Units: true, KeepBytes: true, Bindings: bindings}, h.Part)
	h.Check().PauseBy(shards.Pause)
	if faults, err := shards.Run(source, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	return shards
}

// TestNothingIsAllocatedPerFrame has READs of much data: their frames, of which the page shows few,
// cost no allocation each.
func TestNothingIsAllocatedPerFrame(t *testing.T) {
	const size, segment, warm, measured = 100_000, 1 << 20, 8, 8
	h, bindings := pageOf(t, size)
	e := new(endless)
	c := build.NewConversation(build.Setup{})
	var marks [2]uint64
	frames := [2]int64{}
	mark := func(i int) {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		marks[i], frames[i] = s.Mallocs, e.frames
	}
	fh, data := []byte("handle"), make([]byte, segment)
	read := func(xid uint32) func() {
		return func() {
			c.Frames = c.Frames[:0]
			if xid == 1 {
				c.Connect()
			}
			key := xid << 8
			c.Reply(c.Call(build.NFS3Read(xid, fh, 0, segment), build.WriteChunk{{Handle: key, Length: segment, Offset: uint64(key)}}), build.NFS3ReadReply(xid, data))
			e.waiting = append(e.waiting[:0], c.Frames...)
		}
	}
	for i := range uint32(warm) {
		e.steps = append(e.steps, read(1+i))
	}
	// Making the frames allocates too: all are made before they are counted.
	made := make([][]build.Frame, measured)
	e.steps = append(e.steps, func() {
		for i := range made {
			read(uint32(1 + warm + i))()
			made[i] = append(made[i], e.waiting...)
		}
		e.waiting = nil
		mark(0)
	})
	for i := range made {
		e.steps = append(e.steps, func() { e.waiting = made[i] })
	}
	e.steps = append(e.steps, func() { mark(1) })
	dissectInto(t, h, bindings, e)
	count, allocated := frames[1]-frames[0], marks[1]-marks[0]
	if count < 4000 || allocated > uint64(count)/4 {
		t.Errorf("%d allocations while %d frames were read", allocated, count)
	}
}

// heap is what is in use, in bytes.
func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
