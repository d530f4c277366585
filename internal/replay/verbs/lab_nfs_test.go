//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// The private data of RFC 8797: version 1, remote invalidation or not, 4096 bytes both ways.
var (
	noInvalidation = []byte{0xf6, 0xab, 0x0e, 0x18, 1, 0, 3, 3}
	invalidation   = []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3}
)

// call is an RPC-over-RDMA call of procedure NULL, with a reply chunk where there is memory
// for one.
func call(xid uint32, credits, version uint32, reply *transport.Remote, length int) []byte {
	words := []uint32{xid, 1, credits, 0, 0, 0}
	if reply == nil {
		words = append(words, 0)
	} else {
		words = append(words, 1, 1, reply.Handle, uint32(length), uint32(reply.Offset>>32), uint32(reply.Offset))
	}
	words = append(words, xid, 0, 2, 100003, version, 0, 0, 0, 0, 0)
	var b []byte
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}

// word is a number of a message.
func word(b []byte, n int) uint32 {
	if len(b) < 4*n+4 {
		return 0xffffffff
	}
	return binary.BigEndian.Uint32(b[4*n:])
}

// dialNFS connects to the kernel's server, and holds what it says of itself.
func dialNFS(t *testing.T, p transport.Provider, private []byte) transport.Connection {
	t.Helper()
	c, err := p.Dial(patience(t), nfsServer, transport.Options{PrivateData: private})
	must(t, err)
	t.Cleanup(func() { closed(t, c) })
	theirs := c.PrivateData()
	want := map[bool]int{true: 8, false: 196}[c.Device().IWARP]
	if len(theirs) != want || word(theirs, 0) != 0xf6ab0e18 || theirs[4] != 1 || theirs[6] != 3 || theirs[7] != 3 {
		t.Fatalf("the server's private data: %d bytes, % x", len(theirs), theirs[:min(len(theirs), 8)])
	}
	return c
}

// reply takes completions until there is a message.
func reply(t *testing.T, c transport.Connection) transport.Completion {
	t.Helper()
	for {
		done, err := c.Next(patience(t))
		must(t, err)
		must(t, done.Err)
		if done.Operation == transport.OpReceive {
			return done
		}
	}
}

// TestLabNull holds that the kernel's server answers calls, as many at once as it grants.
func TestLabNull(t *testing.T) {
	p, kind := inLab(t)
	c := dialNFS(t, p, noInvalidation)
	xid, grant := uint32(0x10000), uint32(1)
	for round := range 3 {
		begin, waiting := time.Now(), make(map[uint32]bool)
		n := int(min(grant, 64))
		for i := range n {
			xid++
			waiting[xid] = true
			must(t, c.Send(uint64(xid), call(xid, 64, 3+uint32(i%2), nil, 0)))
		}
		for len(waiting) > 0 {
			got := reply(t, c)
			m := got.Message
			// A header without chunks, then the reply: accepted, successful.
			if !waiting[word(m, 0)] || word(m, 1) != 1 || word(m, 3) != 0 || word(m, 7) != word(m, 0) || word(m, 8) != 1 || word(m, 9) != 0 || word(m, 12) != 0 {
				t.Fatalf("reply % x", m)
			}
			delete(waiting, word(m, 0))
			grant = word(m, 2)
			must(t, c.Repost(got))
		}
		t.Logf("%s: round %d: %d calls at once, %v each, %d credits", kind, round, n, (time.Since(begin) / time.Duration(n)).Round(10*time.Microsecond), grant)
	}
	if grant < 64 {
		t.Errorf("the server grants %d credits", grant)
	}
}

// TestLabReplyChunk holds that the server writes into memory advertised here, at an offset of
// our own where the device has that, and what becomes of the handle that it invalidates.
func TestLabReplyChunk(t *testing.T) {
	p, kind := inLab(t)
	c := dialNFS(t, p, invalidation)
	r := transport.Registration{Access: transport.RemoteWrite | transport.Bindable}
	if c.Device().Offsets {
		r.At, r.Offset = true, 0xdeadbeef123
	}
	memory := register(t, c, r, make([]byte, 1024))
	chunk := transport.Remote{Handle: memory.Handle(), Offset: memory.Offset()}
	var window transport.Window
	if c.Device().Windows {
		var err error
		window, err = c.NewWindow()
		must(t, err)
	}
	for i := range uint32(5) {
		clear(memory.Bytes())
		switch {
		case window != nil:
			handle, err := window.Bind(0, transport.Range{Region: memory, Length: 1024}, transport.RemoteWrite)
			must(t, err)
			chunk.Handle = handle
		case i > 0: // its handle was invalidated: another
			must(t, memory.Close())
			memory = register(t, c, r, make([]byte, 1024))
			chunk = transport.Remote{Handle: memory.Handle(), Offset: memory.Offset()}
		}
		xid := 0x20000 + i
		must(t, c.Send(uint64(xid), call(xid, 64, 3, &chunk, 1024)))
		got := reply(t, c)
		m, written := got.Message, memory.Bytes()
		// RDMA_NOMSG with a reply chunk of one segment, in which the reply is.
		if word(m, 0) != xid || word(m, 3) != 1 || word(m, 6) != 1 || word(m, 7) != 1 || word(m, 8) != chunk.Handle || word(m, 9) != 24 {
			t.Fatalf("reply % x", m)
		}
		if word(written, 0) != xid || word(written, 1) != 1 || word(written, 5) != 0 {
			t.Errorf("the reply chunk: % x", written[:32])
		}
		if got.Invalidated != (window != nil) || window != nil && got.Handle != chunk.Handle {
			t.Errorf("invalidated %v, handle %#x; advertised was %#x", got.Invalidated, got.Handle, chunk.Handle)
		}
		must(t, c.Repost(got))
	}
	t.Logf("%s: 5 replies in chunks at offset %#x, windows %v", kind, chunk.Offset, window != nil)
}

// TestLabFaults holds that the server ends the connection for faults, and that this is told
// in words and soon.
func TestLabFaults(t *testing.T) {
	p, kind := inLab(t)
	for name, fault := range map[string]func(c transport.Connection) error{
		"unknown handle": func(c transport.Connection) error {
			return c.Send(1, call(0x30000, 64, 3, &transport.Remote{Handle: 0x123456, Offset: 0x1000}, 1024))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := dialNFS(t, p, noInvalidation)
			begin := time.Now()
			if err, d := fault(c), (*transport.Disconnected)(nil); err != nil && !errors.As(err, &d) {
				t.Fatal(err)
			}
			for {
				done, err := c.Next(patience(t))
				if d := (*transport.Disconnected)(nil); errors.As(err, &d) {
					t.Logf("%s, %v: %v", kind, time.Since(begin).Round(time.Millisecond), err)
					return
				}
				must(t, err)
				if done.Operation == transport.OpReceive {
					must(t, c.Repost(done))
				}
			}
		})
	}
}
