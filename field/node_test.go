package field

import (
	"reflect"
	"strconv"
	"testing"
)

// udp is a header like any other: fields that share no byte, in wire order.
var udp = Table{Key: "udp", Name: "UDP", Title: "User Datagram Protocol", Fields: []Field{
	{Name: "Source Port", Key: "srcport", Bit: 0, Width: 16},
	{Name: "Destination Port", Key: "dstport", Bit: 16, Width: 16},
	{Name: "Length", Key: "length", Bit: 32, Width: 16},
	{Name: "Checksum", Key: "checksum", Bit: 48, Width: 16, Format: Hex},
}}

// TestNode cuts the buffer at every byte: a field is in the tree if all of it
// is in the buffer, and a fault says where the rest is missing.
func TestNode(t *testing.T) {
	const at = 3
	buf := []byte("IP \xc0\x00\x12\xb7\x00\x0c\x00\x2a" + "data")
	all := []Node{
		{Key: "udp.srcport", Name: "Source Port", Value: "49152", Start: 3, End: 5},
		{Key: "udp.dstport", Name: "Destination Port", Value: "4791", Start: 5, End: 7},
		{Key: "udp.length", Name: "Length", Value: "12", Start: 7, End: 9},
		{Key: "udp.checksum", Name: "Checksum", Value: "0x002a", Start: 9, End: 11},
	}
	for n := range len(buf) + 1 {
		want := Node{Key: "udp", Name: "User Datagram Protocol (UDP)", Start: min(at, n), End: min(at+8, n)}
		switch {
		case n < at:
			want.Fault = "UDP lies beyond the captured bytes"
		case n < at+8:
			want.Fault = "UDP cut short at byte " + strconv.Itoa(n)
		}
		if whole := max(n-at, 0) / 2; whole > 0 {
			want.Children = all[:min(whole, len(all))]
		}
		if got := udp.Node(buf[:n], at); !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes:\n got %+v\nwant %+v", n, got, want)
		}
	}
}

func TestNodeName(t *testing.T) {
	for _, c := range []struct{ name, title, want string }{
		{"BTH", "Base Transport Header", "Base Transport Header (BTH)"},
		{"BTH", "", "BTH"},
		{"", "Padding", "Padding"},
		{"GRH", "GRH", "GRH"},
	} {
		table := Table{Name: c.name, Title: c.title}
		if got := table.Node(nil, 0).Name; got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.name, c.title, got, c.want)
		}
	}
}

func TestAddAndShift(t *testing.T) {
	n := Node{Name: "chunk", Start: 4, End: 8}
	n.Add(Node{Name: "segment", Start: 8, End: 24, Children: []Node{{Name: "handle", Start: 8, End: 12}}}).
		Add(Node{Name: "position", Start: 4, End: 8}) // ends before what was added last
	n.Shift(100)
	want := Node{Name: "chunk", Start: 104, End: 124, Children: []Node{
		{Name: "segment", Start: 108, End: 124, Children: []Node{{Name: "handle", Start: 108, End: 112}}},
		{Name: "position", Start: 104, End: 108},
	}}
	if !reflect.DeepEqual(n, want) {
		t.Errorf("\n got %+v\nwant %+v", n, want)
	}
}
