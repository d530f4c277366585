package wire_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// segmentsIn are as many segments as the bytes give.
func segmentsIn(b []byte) (list []rpcrdma.Segment) {
	for ; len(b) >= rpcrdma.SegmentSize; b = b[rpcrdma.SegmentSize:] {
		list = append(list, rpcrdma.Segment{
			Handle: binary.BigEndian.Uint32(b), Length: binary.BigEndian.Uint32(b[4:]), Offset: binary.BigEndian.Uint64(b[8:]),
		})
	}
	return list
}

// segmentsOf are those of a header, in its order.
func segmentsOf(h *rpcrdma.Header) (list []rpcrdma.Segment) {
	for _, r := range h.Reads {
		list = append(list, r.Segment)
	}
	return append(list, h.Segments...)
}

// FuzzRewrite rewrites any Send. What it becomes is as long as it says, a header without fault
// keeps its form, and what was to be another is, and nothing else.
func FuzzRewrite(f *testing.F) {
	other := make([]byte, 3*rpcrdma.SegmentSize)
	for i := range other {
		other[i] = byte(i)
	}
	for _, m := range replaytest.Sample(f, "rxe-thresh", script.Options{}).Messages[:40] {
		if len(m.Bytes) <= 600 {
			f.Add(m.Bytes, uint32(7), uint32(9), other, []byte{}, false)
			f.Add(m.Bytes[:len(m.Bytes)/2], uint32(7), uint32(9), other, []byte("another RPC message"), true)
		}
	}
	for _, b := range shipped.Sends(f, "version2-roce", 12) {
		f.Add(b, uint32(1), uint32(1), other, []byte{}, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, xid, credits uint32, segments, rpc []byte, keepCredits bool) {
		m := script.Message{Bytes: data, Length: len(data)}
		ok := m.Header.Decode(data)
		h := &m.Header
		w := wire.Rewrite{XID: xid, Credits: credits, KeepCredits: keepCredits, Segments: segmentsIn(segments)}
		if len(rpc) > 0 {
			w.RPC = rpc
		}
		b := w.Append([]byte("front"), &m)
		if !bytes.HasPrefix(b, []byte("front")) {
			t.Fatalf("what is appended to has changed: %q", b[:5])
		}
		b = b[5:]
		want := len(data)
		if w.RPC != nil {
			want = min(h.Length, len(data)) + len(rpc)
		}
		if len(b) != want {
			t.Fatalf("%d bytes became %d, want %d", len(data), len(b), want)
		}
		var live rpcrdma.Header
		decodes := live.Decode(b) // whatever there is
		if !ok || w.RPC != nil && h.Version != rpcrdma.Version1 && h.Proc == rpcrdma.RDMAError {
			return // what is behind an RDMA2_ERROR tells its form
		}
		if !decodes || live.XID != xid || live.Proc != h.Proc || live.Version != h.Version || live.Length != h.Length ||
			len(live.Reads) != len(h.Reads) || len(live.Segments) != len(h.Segments) || !slices.Equal(live.Writes, h.Writes) || live.HasReply != h.HasReply {
			t.Fatalf("%+v became %+v", h, &live)
		}
		if wanted := map[bool]uint32{true: h.Credits, false: credits}[keepCredits]; live.Credits != wanted {
			t.Errorf("credits %d, want %d", live.Credits, wanted)
		}
		is, was := segmentsOf(&live), segmentsOf(h)
		for i := range is {
			wanted := was[i]
			if i < len(w.Segments) {
				wanted = w.Segments[i]
			}
			if is[i] != wanted {
				t.Errorf("segment %d is %+v, want %+v", i, is[i], wanted)
			}
		}
		back := wire.Rewrite{XID: h.XID, Credits: h.Credits, Segments: was}
		if again := back.Append(nil, &script.Message{Bytes: b[:live.Length], Header: live}); !bytes.Equal(again, data[:h.Length]) {
			t.Errorf("% x, rewritten and back, is % x", data[:h.Length], again)
		}
		edited(t, &m)
	})
}

// edited gives each field of a message another value. It has it then, or there is no such field
// and nothing has changed.
func edited(t *testing.T, m *script.Message) {
	t.Helper()
	for _, field := range wire.EditableFields() {
		b := bytes.Clone(m.Bytes)
		e := wire.Edit{Field: field, Nth: -1, Value: 0x01020304}
		if err := e.Apply(b, &m.Header); err != nil {
			if !bytes.Equal(b, m.Bytes) {
				t.Errorf("%v: %v, and it has changed", &e, err)
			}
			continue
		}
		if !bytes.Contains(b, []byte{1, 2, 3, 4}) || len(b) != len(m.Bytes) {
			t.Errorf("%v: it is not there", &e)
		}
		for i := m.Header.Length; i < len(b); i++ {
			if b[i] != m.Bytes[i] {
				t.Errorf("%v: byte %d behind the header of %d has changed", &e, i, m.Header.Length)
			}
		}
	}
}

// FuzzPrivateData edits any private data: it stays as long as it is, and says what it is to say.
func FuzzPrivateData(f *testing.F) {
	f.Add(wire.PrivateData(4096, 4096, true), uint32(1024), uint32(0), false)
	f.Add(append([]byte("before"), wire.PrivateData(8192, 1024, false)...), uint32(0), uint32(300_000), true)
	f.Add([]byte("other"), uint32(1), uint32(1), false)
	f.Fuzz(func(t *testing.T, private []byte, send, receive uint32, r bool) {
		was, known := rpcrdma.FindPrivateData(private)
		edited, told := wire.EditPrivateData(private, int(send), int(receive), r)
		is, found := rpcrdma.FindPrivateData(edited)
		if told != known || found != known || len(edited) != len(private) {
			t.Fatalf("% x became % x: known %v, told %v, found %v", private, edited, known, told, found)
		}
		p := script.Peer{PrivateData: private}
		if known {
			p.Declared = &was
		}
		given := wire.Given(&p)
		if !bytes.HasPrefix(private, given) || len(bytes.Trim(private[len(given):], "\x00")) > 0 {
			t.Errorf("of % x, % x was given", private, given)
		}
		if !known {
			if !bytes.Equal(edited, private) {
				t.Errorf("% x became % x", private, edited)
			}
			return
		}
		size := func(want uint32, was int) int {
			if want == 0 {
				return was
			}
			return 1024 * min(max(int(want)/1024, 1), 256)
		}
		if is.SendSize() != size(send, was.SendSize()) || is.ReceiveSize() != size(receive, was.ReceiveSize()) || is.RemoteInvalidation() != (was.RemoteInvalidation() && r) {
			t.Errorf("%+v became %+v, with %d, %d, %v", was, is, send, receive, r)
		}
		if again, ok := rpcrdma.FindPrivateData(given); !ok || again != was {
			t.Errorf("%+v is not in % x, which was given", was, given)
		}
	})
}

// FuzzMemory advertises memory and releases it in any order, on devices of each kind. No more is
// registered than the limit, no two segments that are advertised share a handle, and at the end
// nothing is.
func FuzzMemory(f *testing.F) {
	f.Add(byte(0), []byte{0, 10, 0, 20, 1, 0, 2, 0, 0, 30, 3, 0, 1, 0})
	f.Add(byte(1), []byte{0, 255, 0, 255, 0, 255, 1, 1, 0, 255, 2, 0})
	f.Add(byte(2), []byte{4, 7, 4, 8, 0, 7, 0, 8, 5, 0, 1, 0, 3, 0})
	f.Fuzz(func(t *testing.T, kind byte, ops []byte) {
		if len(ops) > 200 {
			return
		}
		const limit = 100_000
		device := [...]func() transport.Device{fabric.SoftRoCE, fabric.SoftIWARP, fabric.SoftRoCE}[kind%3]()
		c, _ := connect(t, device, 8)
		m := wire.NewMemory(c, [...]wire.Invalidation{wire.ByWindows, wire.ByRegistration, wire.NoInvalidation}[kind%3], limit)
		var held []*wire.Advertised
		segments := make(map[byte]*script.Segment)
		for ; len(ops) >= 2; ops = ops[2:] {
			n := ops[1]
			if segments[n] == nil {
				segments[n] = &script.Segment{Segment: rpcrdma.Segment{Length: uint32(n) * 200, Offset: uint64(n) << 20}, Purpose: rpcrdma.Purpose(n % 3)}
			}
			g := segments[n]
			switch ops[0] % 5 {
			case 0, 2:
				length := g.Length
				if ops[0]%5 == 2 {
					length /= 2
				}
				a, err := m.Advertise(g, length, make([]byte, min(int(length), 16)))
				if err != nil {
					break // the limit, or no room for work
				}
				if a.Length != length || len(a.Bytes()) != int(length) {
					t.Errorf("%d bytes of %d", len(a.Bytes()), length)
				}
				for _, b := range held {
					if a.Handle == b.Handle {
						t.Errorf("handle %d stands for two segments", a.Handle)
					}
				}
				held = append(held, a)
			case 1:
				if len(held) == 0 {
					break
				}
				a := held[int(n)%len(held)]
				held = slices.DeleteFunc(held, func(b *wire.Advertised) bool { return a == b })
				// A peer that leaves it does so when its bind has completed.
				drain(t, c, m)
				if err := m.Release(a, false); err != nil {
					t.Error(err)
				}
			case 3:
				drain(t, c, m)
			case 4:
				m.Ahead(g)
			}
			if used := m.Used(); used > limit || used < 0 {
				t.Fatalf("%d bytes are registered of %d", used, limit)
			}
		}
		for _, a := range held {
			drain(t, c, m)
			if err := m.Release(a, false); err != nil {
				t.Error(err)
			}
		}
		drain(t, c, m)
		if m.Used() != 0 || m.Busy() != 0 {
			t.Errorf("%d bytes are still registered, and %d windows at work", m.Used(), m.Busy())
		}
	})
}
