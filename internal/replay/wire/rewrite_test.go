package wire_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestRewrite gives every message of real captures, and of version 2, other handles, offsets,
// XIDs and credits: decoded again, these are there, and all else is as it was.
func TestRewrite(t *testing.T) {
	for _, sample := range []string{"rxe-basic", "rxe-thresh", "version2-roce"} {
		for i, m := range replaytest.Sample(t, sample, script.Options{}).Messages {
			h := &m.Header
			if h.Fault.Bad() {
				continue
			}
			w := wire.Rewrite{XID: 0x01020304, Credits: 77}
			for j := range len(h.Reads) + len(h.Segments) {
				w.Segments = append(w.Segments, rpcrdma.Segment{Handle: uint32(j) + 1, Length: uint32(j) + 2, Offset: uint64(j) << 33})
			}
			b := w.Append([]byte("front"), m)[5:]
			var live rpcrdma.Header
			if !live.Decode(b) || live.XID != 0x01020304 || live.Credits != 77 || live.Proc != h.Proc || live.Length != h.Length || len(b) != len(m.Bytes) {
				t.Fatalf("%s, message %d: %+v", sample, i, live)
			}
			var got []rpcrdma.Segment
			for _, r := range live.Reads {
				got = append(got, r.Segment)
			}
			if got = append(got, live.Segments...); !slices.Equal(got, w.Segments) {
				t.Errorf("%s, message %d: segments %v, want %v", sample, i, got, w.Segments)
			}
			if rpc := b[h.Length:]; h.Proc == rpcrdma.RDMAMsg && binary.BigEndian.Uint32(rpc) != 0x01020304 {
				t.Errorf("%s, message %d: the RPC message has the XID %x", sample, i, rpc[:4])
			}
			back := wire.Rewrite{XID: h.XID, Credits: h.Credits}
			for j := range w.Segments {
				at, _ := wire.SegmentAt(h, j)
				of := m.Bytes[at:]
				back.Segments = append(back.Segments, rpcrdma.Segment{
					Handle: binary.BigEndian.Uint32(of), Length: binary.BigEndian.Uint32(of[4:]), Offset: binary.BigEndian.Uint64(of[8:]),
				})
			}
			again := script.Message{Bytes: b, Header: live}
			if was := back.Append(nil, &again); string(was) != string(m.Bytes) {
				t.Errorf("%s, message %d: not the same when rewritten back", sample, i)
			}
		}
	}
}

// TestRewriteShort rewrites messages cut at every byte.
func TestRewriteShort(t *testing.T) {
	var m *script.Message
	for _, x := range replaytest.Sample(t, "rxe-basic", script.Options{}).Messages {
		if len(x.Header.Reads) > 0 {
			m = x
			break
		}
	}
	for n := range m.Bytes {
		short := script.Message{Bytes: m.Bytes[:n]}
		short.Header.Decode(short.Bytes)
		w := wire.Rewrite{XID: 1, Segments: make([]rpcrdma.Segment, 4), Positions: []uint32{8}}
		if b := w.Append(nil, &short); len(b) != n {
			t.Errorf("cut at %d: %d bytes", n, len(b))
		}
	}
}

// TestEdit gives each field another value.
func TestEdit(t *testing.T) {
	var m *script.Message
	for _, x := range replaytest.Sample(t, "rxe-basic", script.Options{}).Messages {
		if len(x.Header.Reads) > 0 {
			m = x
			break
		}
	}
	for _, tt := range []struct {
		edit wire.Edit
		get  func(h *rpcrdma.Header) uint64
	}{
		{wire.Edit{Field: "rdma.xid", Nth: -1, Value: 9}, func(h *rpcrdma.Header) uint64 { return uint64(h.XID) }},
		{wire.Edit{Field: "rdma.version", Nth: -1, Value: 9}, func(h *rpcrdma.Header) uint64 { return uint64(h.Version) }},
		{wire.Edit{Field: "rdma.credits", Nth: -1}, func(h *rpcrdma.Header) uint64 { return uint64(h.Credits) }},
		{wire.Edit{Field: "rdma.proc", Nth: 0, Value: 1}, func(h *rpcrdma.Header) uint64 { return uint64(h.Proc) }},
		{wire.Edit{Field: "rdma.position", Nth: -1, Value: 44}, func(h *rpcrdma.Header) uint64 { return uint64(h.Reads[0].Position) }},
		{wire.Edit{Field: "rdma.handle", Nth: -1, Value: 0xabc}, func(h *rpcrdma.Header) uint64 { return uint64(h.Reads[0].Handle) }},
		{wire.Edit{Field: "rdma.segment_length", Nth: 0, Value: 5}, func(h *rpcrdma.Header) uint64 { return uint64(h.Reads[0].Length) }},
		{wire.Edit{Field: "rdma.offset", Nth: 0, Value: 1 << 40}, func(h *rpcrdma.Header) uint64 { return h.Reads[0].Offset }},
	} {
		b := slices.Clone(m.Bytes)
		if err := tt.edit.Apply(b, &m.Header); err != nil {
			t.Errorf("%v: %v", &tt.edit, err)
			continue
		}
		var h rpcrdma.Header
		h.Decode(b)
		if got := tt.get(&h); got != tt.edit.Value {
			t.Errorf("%v: it is %d", &tt.edit, got)
		}
	}
	for _, tt := range []struct {
		edit wire.Edit
		want string
	}{
		{wire.Edit{Field: "rdma.error", Nth: -1}, "the header has no rdma.error"},
		{wire.Edit{Field: "rdma.inv_handle", Nth: -1}, "the header has no rdma.inv_handle"},
		{wire.Edit{Field: "rdma.handle", Nth: 7}, "the header has no rdma.handle[7]"},
		{wire.Edit{Field: "rdma.length", Nth: -1}, "rdma.length is not a field of the transport header that can be edited: those are rdma.xid"},
		{wire.Edit{Field: "rdma.credits", Nth: -1, Value: 1 << 32}, "rdma.credits has 32 bits"},
	} {
		if err := tt.edit.Apply(slices.Clone(m.Bytes), &m.Header); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", &tt.edit, err, tt.want)
		}
	}
}

// TestPrivateData makes private data, and edits those of a capture.
func TestPrivateData(t *testing.T) {
	made := wire.PrivateData(8192, 300_000, true)
	if p, ok := rpcrdma.FindPrivateData(made); !ok || p.SendSize() != 8192 || p.ReceiveSize() != 262144 || !p.RemoteInvalidation() {
		t.Errorf("%x", made)
	}
	captured := append([]byte("before"), append(wire.PrivateData(4096, 4096, true), 0, 0, 0)...)
	edited, told := wire.EditPrivateData(captured, 1024, 0, false)
	if p, _ := rpcrdma.FindPrivateData(edited); !told || p.SendSize() != 1024 || p.ReceiveSize() != 4096 || p.RemoteInvalidation() || len(edited) != len(captured) {
		t.Errorf("%x, %v", edited, told)
	}
	if edited, told := wire.EditPrivateData([]byte("other"), 1024, 1024, false); told || string(edited) != "other" {
		t.Errorf("%x, %v", edited, told)
	}
	for _, tt := range []struct{ captured, given string }{
		{"\xf6\xab\x0e\x18\x01\x00\x00\x00\x00\x00\x00", "\xf6\xab\x0e\x18\x01\x00\x00\x00"},
		{"\xf6\xab\x0e\x18\x01\x01\x03\x03\x00\x00", "\xf6\xab\x0e\x18\x01\x01\x03\x03"},
		{"other\x00\x00", "other"},
		{"\x00\x00", ""},
	} {
		p := script.Peer{PrivateData: []byte(tt.captured)}
		if told, ok := rpcrdma.FindPrivateData(p.PrivateData); ok {
			p.Declared = &told
		}
		if got := string(wire.Given(&p)); got != tt.given {
			t.Errorf("%x: %x, want %x", tt.captured, got, tt.given)
		}
	}
}
