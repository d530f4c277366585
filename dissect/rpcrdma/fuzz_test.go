package rpcrdma

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

func seeds(f *testing.F) {
	for _, s := range samples {
		b := sample(f, s.name)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	for _, s := range []string{
		"01020305 00000001 00000020 00000002 00000400 00000200 00000000 00000000 00000000",
		"01020305 00000001 00000020 00000003",
		"01020305 00000001 00000020 00000004 00000001 00000001 00000002",
		"01020305 00000001 00000020 00000004 00000002",
		"01020305 00000001 00000020 00000000 00000000 00000001 00000000 00000000 00000000",
		"01020305 00000001 00000020 00000000 00000000 00000001 ffffffff",
	} {
		f.Add(check.Hex(f, s))
	}
	for seed := range uint64(12) {
		f.Add(random2(rand.New(rand.NewPCG(seed, 1))).Bytes())
	}
	for _, name := range []string{"rxe-cb", "rxe-acl", "rxe-krb"} {
		for _, b := range shipped.Sends(f, name, 30) {
			f.Add(b)
		}
	}
}

// FuzzDecode demands of any bytes that the header is either at fault within
// them, or encodes to what it was decoded from; and that the tree says the same.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var h Header
		ok := h.Decode(b)
		if ok == h.Fault.Bad() || h.Length < 0 || h.Length > len(b) {
			t.Fatalf("Decode = %v with fault %q, Length = %d of %d", ok, h.Fault, h.Length, len(b))
		}
		if h.Fault.Offset < 0 || h.Fault.Offset > len(b) {
			t.Fatalf("fault %q outside %d bytes", h.Fault, len(b))
		}
		if ok && !bytes.Equal(again(&h, b), b[:h.Length]) {
			t.Fatalf("%+v encodes to % x, not to % x", h, again(&h, b), b[:h.Length])
		}
		for _, c := range append([]Chunk{h.Reply}, h.Writes...) {
			if len(h.ChunkSegments(c)) != c.Count {
				t.Fatalf("chunk %+v of %d segments", c, len(h.Segments))
			}
		}
		grouped := 0
		for i := range h.NumReadChunks() {
			_, segments := h.ReadChunk(i)
			grouped += len(segments)
		}
		if grouped != len(h.Reads) {
			t.Fatalf("%d of %d Read segments are in chunks", grouped, len(h.Reads))
		}
		// Bytes after the fault, or after the header, change nothing, but that the
		// length of an RDMA2_ERROR tells its form.
		if !h.Cut && !(h.Version != Version1 && h.Proc == RDMAError) {
			var again Header
			again.Decode(append(bytes.Clone(b), 0, 0, 0, 1))
			if again.Fault != h.Fault || again.Length != h.Length {
				t.Fatalf("fault %q, Length = %d; with more bytes %q, %d", h.Fault, h.Length, again.Fault, again.Length)
			}
		}

		nodes := Nodes(append([]byte("before"), b...), 6)
		want := 0
		if !ok {
			want++
		}
		if o := h.Option(); o != nil && o.Fault.Bad() {
			want++
			if at := o.Fault.Offset; at < o.Start || at > o.Start+len(o.Info) {
				t.Fatalf("fault %q outside [%d:%d]", o.Fault, o.Start, o.Start+len(o.Info))
			}
		}
		if got := faults(nodes); got != want {
			t.Fatalf("%d faults in the tree, want %d:\n%s", got, want, check.Outline(nodes))
		}
		checkTree(t, nodes, 6, 6+len(b))
		if ok && nodes[0].End != 6+h.Length {
			t.Fatalf("tree ends at byte %d, the header at %d:\n%s", nodes[0].End, 6+h.Length, check.Outline(nodes))
		}
	})
}

// again encodes what was decoded of b.
func again(h *Header, b []byte) []byte {
	if h.Version != Version2 {
		return encode(h)
	}
	e := encoded(h, nil)
	if h.ErrorDirected {
		e.Direction = binary.BigEndian.Uint32(b[16:]) // not decoded
	}
	encoded := e.Bytes()
	if o := h.Option(); o != nil {
		copy(encoded[o.Start+len(o.Info):], b[o.Start+len(o.Info):]) // so is padding
	}
	return encoded
}

func faults(nodes []field.Node) int {
	n := 0
	for i := range nodes {
		if nodes[i].Fault != "" {
			n++
		}
		n += faults(nodes[i].Children)
	}
	return n
}

// checkTree demands that siblings follow one another inside their parent.
func checkTree(t *testing.T, nodes []field.Node, start, end int) {
	t.Helper()
	at := start
	for _, n := range nodes {
		if n.Start < at || n.End < n.Start || n.End > end {
			t.Fatalf("%s lies at [%d:%d], its parent at [%d:%d], the node before ends at %d", n.Name, n.Start, n.End, start, end, at)
		}
		checkTree(t, n.Children, n.Start, n.End)
		at = n.End
	}
}

// FuzzRecognise demands that the judgement is the same whatever the Header held
// before, and holds the words that Strong promises.
func FuzzRecognise(f *testing.F) {
	seeds(f)
	f.Add([]byte("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr"))
	var used Header
	f.Fuzz(func(t *testing.T, b []byte) {
		var fresh Header
		got := fresh.Recognise(b)
		if again := used.Recognise(b); again != got {
			t.Fatalf("%v with a Header that was used, %v with a fresh one", again, got)
		}
		if got == None {
			return
		}
		if fresh.Fault.Bad() || fresh.Version != 1 && fresh.Version != 2 || fresh.Proc > RDMA2Optional {
			t.Fatalf("%v with fault %q, version %d, %v", got, fresh.Fault, fresh.Version, fresh.Proc)
		}
		if o := fresh.Option(); o != nil {
			if got == Strong && o.Fault.Bad() || got == Weak && (o.Known() || len(b) > fresh.Length) {
				t.Fatalf("%v for %v with fault %q and %d bytes behind it", got, o.Type, o.Fault, len(b)-fresh.Length)
			}
			return
		}
		weak := fresh.Proc == RDMAMsgP || fresh.Proc == RDMADone || fresh.Proc == RDMAError
		if (got == Weak) != weak {
			t.Fatalf("%v for %v", got, fresh.Proc)
		}
		rest := b[fresh.Length:]
		if carries := fresh.Proc == RDMAMsg || fresh.Proc == RDMAMsgP; carries != (len(rest) > 0) || carries && !bytes.Equal(rest[:4], b[:4]) {
			t.Fatalf("%v with %d bytes after the header", fresh.Proc, len(rest))
		}
	})
}
