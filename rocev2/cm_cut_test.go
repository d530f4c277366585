package rocev2

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// checkCut holds what Decode made of the first bytes of a MAD against what it
// made of the whole: what lies in them is the same, what does not is zero.
func checkCut(t *testing.T, name string, whole, cut *CM, n int) {
	t.Helper()
	if want := (field.Fault{Offset: n, Reason: "MAD cut short"}); cut.Fault != want {
		t.Errorf("%s cut at byte %d: fault %q", name, n, cut.Fault)
	}
	if n < 18 {
		if cut.Kind != 0 || cut.LocalCommID != 0 || cut.PrivateData != nil {
			t.Errorf("%s cut at byte %d is %+v", name, n, cut)
		}
		return
	}
	full := cmScalars(whole)
	for i, s := range cmScalars(cut) {
		want := full[i].value
		if f, at := cmField(whole.Kind, s.key); at+f.End() > n {
			want = 0
		}
		if s.value != want {
			t.Errorf("%s cut at byte %d: %s is %#x, want %#x", name, n, s.key, s.value, want)
		}
	}
	if valid := whole.IP.Valid && n >= whole.PrivateDataOffset; cut.IP.Valid != valid || valid && cut.IP != whole.IP {
		t.Errorf("%s cut at byte %d: IP %+v", name, n, cut.IP)
	}
	if !bytes.HasPrefix(whole.Info, cut.Info) || !bytes.HasPrefix(whole.PrivateData, cut.PrivateData) {
		t.Errorf("%s cut at byte %d: information %x, private data %x", name, n, cut.Info, cut.PrivateData)
	}
	if want := max(0, n-whole.PrivateDataOffset); len(cut.PrivateData) != want {
		t.Errorf("%s cut at byte %d: %d bytes of private data, want %d", name, n, len(cut.PrivateData), want)
	}
}

func TestCMCutAtEveryByte(t *testing.T) {
	for _, v := range cmMADs {
		b := mad(t, v.hex)
		var whole CM
		if whole.Decode(b); whole.Fault.Bad() {
			t.Fatalf("%s: %v", v.name, whole.Fault)
		}
		all := string(AppendCMSummary(nil, b)) + " "
		for n := range b {
			var cut CM
			if got := cut.Decode(b[:n:n]); got != (n >= 2) {
				t.Errorf("%s cut at byte %d: Decode is %v", v.name, n, got)
			}
			checkCut(t, v.name, &whole, &cut, n)
			if got := countFaults(CMNodes(b[:n:n], 0)); got != 1 && n > 0 {
				t.Errorf("%s cut at byte %d: %d nodes with a fault", v.name, n, got)
			}
			s := string(AppendCMSummary(nil, b[:n:n]))
			for _, zero := range []string{"0x000000 ", "0x000000,", "PSN 0 ", "service 0x0000000000000000"} {
				if strings.Contains(s, zero) && !strings.Contains(all, zero) {
					t.Errorf("%s cut at byte %d: %q has what was not captured", v.name, n, s)
				}
			}
			if !strings.Contains(s, "MAD cut short at byte") {
				t.Errorf("%s cut at byte %d: summary %q", v.name, n, s)
			}
		}
	}
}

// countFaults is the number of nodes that have a fault of their own.
func countFaults(nodes []field.Node) (n int) {
	for i := range nodes {
		if nodes[i].Fault != "" {
			n++
		}
		n += countFaults(nodes[i].Children)
	}
	return n
}

// checkBounds demands that nodes lie in n bytes, and children in their parent.
func checkBounds(t *testing.T, nodes []field.Node, from, to int) {
	t.Helper()
	for i := range nodes {
		node := &nodes[i]
		if node.Start < from || node.End > to || node.Start > node.End {
			t.Errorf("%s is bytes %d to %d, outside of %d to %d", node.Name, node.Start, node.End, from, to)
		}
		checkBounds(t, node.Children, node.Start, node.End)
	}
}

// FuzzCM gives Decode any bytes. What it returns must lie in them, agree with
// the tables, and be shown in full.
func FuzzCM(f *testing.F) {
	for _, v := range cmMADs {
		b := mad(f, v.hex)
		f.Add(b)
		f.Add(b[:100])
	}
	for _, b := range shipped.MADs(f, "rxe-perftest", 12) { // rejections among them
		f.Add(b)
	}
	f.Add([]byte("01234567")) // cut, and of another class
	f.Fuzz(func(t *testing.T, b []byte) {
		var c CM
		ok := c.Decode(b)
		if ok != (len(b) > 1 && b[1] == MgmtClassCM) {
			t.Fatalf("Decode is %v of %x", ok, b)
		}
		if len(b) != MADSize && ok && !c.Fault.Bad() {
			t.Errorf("no fault in a MAD of %d bytes", len(b))
		}
		if c.Fault.Offset < 0 || c.Fault.Offset > len(b) {
			t.Errorf("fault %v in %d bytes", c.Fault, len(b))
		}
		if end := c.PrivateDataOffset + len(c.PrivateData); len(c.PrivateData) > 0 &&
			!bytes.Equal(c.PrivateData, b[c.PrivateDataOffset:end]) || end > MADSize+infoSize {
			t.Errorf("private data of %d bytes at %d", len(c.PrivateData), c.PrivateDataOffset)
		}
		if len(c.Info) > infoSize || c.IP.Valid && (!c.IP.Src.IsValid() || !c.IP.Dst.IsValid()) {
			t.Errorf("information %x, IP %+v", c.Info, c.IP)
		}
		if c.PrivateDataOffset > 0 {
			for _, s := range cmScalars(&c) {
				if fd, at := cmField(c.Kind, s.key); at+fd.End() <= len(b) && fd.Uint(b[at:]) != s.value {
					t.Errorf("%v %s: Decode has %#x, the table %#x", c.Kind, s.key, s.value, fd.Uint(b[at:]))
				}
			}
		}
		nodes := CMNodes(b, 7)
		checkBounds(t, nodes, 7, 7+len(b))
		// Of another class, all that can be wrong is that the MAD header is cut.
		if bad := c.Fault.Bad() || !ok && len(b) < MADHeaderSize; bad != (countFaults(nodes) > 0) {
			t.Errorf("fault %q, %d nodes have one", c.Fault, countFaults(nodes))
		}
		if s := string(AppendCMSummary([]byte("x"), b)); s[0] != 'x' || c.Fault.Bad() != strings.HasSuffix(s, c.Fault.String()+"]") {
			t.Errorf("summary %q, fault %q", s, c.Fault)
		}
	})
}
