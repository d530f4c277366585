package iwarp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

func TestStartCutAtEveryByte(t *testing.T) {
	for _, v := range startVectors {
		b := check.Hex(t, v.bytes)
		for n := range b {
			var s Start
			size, whole := s.Decode(b[:n:n])
			want := 0
			if n >= StartSize {
				want = len(b)
			}
			if size != want || whole {
				t.Errorf("%s cut at byte %d: %d bytes, whole is %v", v.name, n, size, whole)
			}
			if !s.Fault.Bad() || s.Fault.Offset != n || !strings.HasSuffix(s.Fault.Reason, "cut short") {
				t.Errorf("%s cut at byte %d: fault %q", v.name, n, s.Fault)
			}
			checkStartCut(t, &s, &v.want, n)
			if !bytes.Equal(s.Bytes, b[:n]) || s.PrivateData() != nil {
				t.Errorf("%s cut at byte %d: bytes %x, private data %x", v.name, n, s.Bytes, s.PrivateData())
			}
			if got := LooksLikeStart(b[:n]); got != (n > 0) {
				t.Errorf("%s cut at byte %d: LooksLikeStart is %v", v.name, n, got)
			}
			if nodes := StartNodes(b[:n:n], 0); countNodeFaults(nodes) != 1 {
				t.Errorf("%s cut at byte %d:\n%s", v.name, n, check.Outline(nodes))
			}
		}
	}
}

// checkStartCut holds what was decoded of a frame's first n bytes against the
// whole: what lies in them is the same, what does not is zero.
func checkStartCut(t *testing.T, s, whole *Start, n int) {
	t.Helper()
	want := Start{Fault: s.Fault, Bytes: s.Bytes, Reply: whole.Reply && n > 9}
	if n > 16 {
		want.Flags, want.Markers, want.CRC, want.Reject, want.Enhanced = whole.Flags, whole.Markers, whole.CRC, whole.Reject, whole.Enhanced
	}
	if n > 17 {
		want.Revision = whole.Revision
	}
	if n >= 20 {
		want.PDLength = whole.PDLength
	}
	if n >= 24 {
		want.HasDepths, want.IRD, want.ORD = whole.HasDepths, whole.IRD, whole.ORD
		want.PeerToPeer, want.ZeroSend, want.ZeroWrite, want.ZeroRead = whole.PeerToPeer, whole.ZeroSend, whole.ZeroWrite, whole.ZeroRead
	}
	got, expected := *s, want
	got.Bytes, expected.Bytes = nil, nil
	if !equalStart(&got, &expected) {
		t.Errorf("cut at byte %d:\n got %+v\nwant %+v", n, got, expected)
	}
}

// equalStart compares two frames but for their bytes.
func equalStart(a, b *Start) bool {
	return a.Fault == b.Fault && a.Reply == b.Reply && a.Markers == b.Markers && a.CRC == b.CRC && a.Reject == b.Reject &&
		a.Enhanced == b.Enhanced && a.Flags == b.Flags && a.Revision == b.Revision && a.PDLength == b.PDLength && a.HasDepths == b.HasDepths &&
		a.PeerToPeer == b.PeerToPeer && a.ZeroSend == b.ZeroSend && a.ZeroWrite == b.ZeroWrite && a.ZeroRead == b.ZeroRead &&
		a.IRD == b.IRD && a.ORD == b.ORD
}

// countNodeFaults is the number of nodes that have a fault of their own.
func countNodeFaults(nodes []field.Node) (n int) {
	for i := range nodes {
		if nodes[i].Fault != "" {
			n++
		}
		n += countNodeFaults(nodes[i].Children)
	}
	return n
}

// checkNodeOrder demands that siblings follow one another inside their parent;
// fields of the same bytes share them.
func checkNodeOrder(t *testing.T, nodes []field.Node, start, end int) {
	t.Helper()
	at := start
	for i := range nodes {
		n := &nodes[i]
		if n.Start < at || n.End < n.Start || n.End > end {
			t.Errorf("%s lies at [%d:%d], its parent at [%d:%d], the node before begins at %d", n.Name, n.Start, n.End, start, end, at)
		}
		checkNodeOrder(t, n.Children, n.Start, n.End)
		at = n.Start
	}
}

// FuzzStart gives Decode any bytes. What it returns must lie in them, agree
// with the tables, be shown in full, and not hang on what follows the frame.
func FuzzStart(f *testing.F) {
	for _, v := range startVectors {
		b := check.Hex(f, v.bytes)
		f.Add(b)
		f.Add(b[:len(b)-1])
	}
	f.Add([]byte("MPA ID Re"))
	f.Add(check.Hex(f, hexReply+"10 02 0003 000100"))
	f.Add(check.Hex(f, hexReply+"10 02 0201 000100"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Start
		n, whole := s.Decode(b)
		if s.Fault.Offset < 0 || s.Fault.Offset > len(b) || len(b) < n && whole {
			t.Fatalf("fault %q, whole %v, in %d bytes", s.Fault, whole, len(b))
		}
		key := len(b) >= keySize && (string(b[:keySize]) == keyRequest || string(b[:keySize]) == keyReply)
		if (n > 0) != (key && len(b) >= StartSize) || n > StartSize+MaxPrivateData || n > 0 && n < StartSize {
			t.Fatalf("the frame has %d bytes, in %x", n, b)
		}
		if n == 0 && (whole || !s.Fault.Bad()) || !whole && !s.Fault.Bad() {
			t.Fatalf("%d bytes, whole %v, fault %q", n, whole, s.Fault)
		}
		if len(b) >= keySize && LooksLikeStart(b) != key {
			t.Fatalf("LooksLikeStart is %v of %x", !key, b)
		}
		if !bytes.HasPrefix(b, s.Bytes) || n > 0 && len(s.Bytes) != min(n, len(b)) {
			t.Fatalf("bytes %x of %x", s.Bytes, b)
		}
		if private := s.PrivateData(); len(private) > 0 && !bytes.HasSuffix(s.Bytes, private) || private != nil && !whole {
			t.Fatalf("private data %x of %x", private, b)
		}
		if whole { // bytes after the frame change nothing
			var again Start
			if m, _ := again.Decode(append(bytes.Clone(b[:n]), 0xff)); m != n || !equalStart(&s, &again) {
				t.Fatalf("%+v with other bytes behind it, %+v", again, s)
			}
		}
		for key, v := range map[string]uint64{"m": flagBit(s.Markers), "c": flagBit(s.CRC), "r": flagBit(s.Reject), "s": flagBit(s.Enhanced),
			"rev": uint64(s.Revision), "pd_length": uint64(s.PDLength)} {
			if fd := startTable.Lookup(key); fd.End() <= len(s.Bytes) && fd.Uint(s.Bytes) != v {
				t.Fatalf("mpa.%s is %d in %x", key, v, b)
			}
		}
		const at = 7
		nodes := StartNodes(append(make([]byte, at), b...), at)
		checkNodeOrder(t, nodes, at, at+len(b))
		if got := countNodeFaults(nodes); (got == 1) != s.Fault.Bad() || got > 1 {
			t.Fatalf("fault %q, %d nodes have one:\n%s", s.Fault, got, check.Outline(nodes))
		}
		row := string(AppendStartSummary([]byte("x"), &s))
		if row[0] != 'x' || s.Fault.Bad() != strings.HasSuffix(row, s.Fault.String()+"]") {
			t.Fatalf("summary %q, fault %q", row, s.Fault)
		}
	})
}
