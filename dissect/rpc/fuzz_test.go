package rpc

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
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
		"01020305 00000001 00000000 00000000 00000000 00000002 00000003 00000004",
		"01020305 00000001 00000001 00000000 00000002 00000002",
		"01020305 00000001 00000001 00000001 0000000d",
		"01020305 00000000 00000002 000186a3 00000003 00000007 00000006 00000000 00000000 00000191",
	} {
		f.Add(check.Hex(f, s))
	}
	for _, name := range []string{"rxe-cb", "rxe-acl", "rxe-krb"} {
		for _, b := range shipped.Sends(f, name, 30) {
			var h rpcrdma.Header
			if h.Decode(b) && h.Proc == rpcrdma.RDMAMsg {
				f.Add(b[h.Length:])
			}
		}
	}
}

// FuzzCall demands that a header is at fault within its bytes or has the
// length that its credential and verifier give it.
func FuzzCall(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Call
		c.Decode(b)
		checkBounds(t, b, c.Length, c.Fault)
		if c.Fault.Bad() {
			return
		}
		cred := int(authTable.Fields[1].Uint(b[24:]))
		verf := int(authTable.Fields[1].Uint(b[32+(cred+3)/4*4:]))
		if want := 24 + 8 + (cred+3)/4*4 + 8 + (verf+3)/4*4; c.Length != want || cred > 400 || verf > 400 {
			t.Fatalf("Length = %d, want %d: credential of %d, verifier of %d bytes", c.Length, want, cred, verf)
		}
		// What follows the header changes nothing, and every byte of it counts.
		again := c
		again.Decode(append(bytes.Clone(b[:c.Length]), "arguments"...))
		if again != c {
			t.Fatalf("with other arguments %+v, not %+v", again, c)
		}
		if again.Decode(b[:c.Length-1]); !again.Cut {
			t.Fatalf("one byte less, and the fault is %q", again.Fault)
		}
	})
}

// FuzzReply demands the same of replies.
func FuzzReply(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Reply
		r.Decode(b)
		checkBounds(t, b, r.Length, r.Fault)
		if r.Fault.Bad() {
			return
		}
		if r.Denied && r.Length != 20 && r.Length != 24 || !r.Denied && r.Length < 24 {
			t.Fatalf("Length = %d of %+v", r.Length, r)
		}
		again := r
		again.Decode(append(bytes.Clone(b[:r.Length]), "results"...))
		if again != r {
			t.Fatalf("with other results %+v, not %+v", again, r)
		}
		if again.Decode(b[:r.Length-1]); !again.Cut {
			t.Fatalf("one byte less, and the fault is %q", again.Fault)
		}
	})
}

func checkBounds(t *testing.T, b []byte, length int, fault field.Fault) {
	t.Helper()
	if length < 0 || length > len(b) || fault.Offset < 0 || fault.Offset > len(b) {
		t.Fatalf("Length = %d, fault %q in %d bytes", length, fault, len(b))
	}
}

// FuzzNodes demands that the tree lies in the bytes, each part after the one
// before, and shows a fault wherever Decode finds one.
func FuzzNodes(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		nodes := Nodes(append([]byte("before"), b...), 6, ownXID(b))
		checkTree(t, nodes, 6, 6+len(b))
		call, ok := MessageType(b)
		var fault field.Fault
		var length int
		if call {
			var c Call
			c.Decode(b)
			fault, length = c.Fault, c.Length
		} else {
			var r Reply
			r.Decode(b)
			fault, length = r.Fault, r.Length
		}
		if (!ok || fault.Bad()) && faults(nodes) == 0 {
			t.Fatalf("no fault in the tree, Decode says %q:\n%s", fault, check.Outline(nodes))
		}
		if ok && !fault.Bad() && nodes[0].End != 6+length {
			t.Fatalf("tree ends at byte %d, header at %d:\n%s", nodes[0].End, 6+length, check.Outline(nodes))
		}
	})
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
