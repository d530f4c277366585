package rpcrdma

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// Private data of a Linux 6.1 NFS client's REQ and server's REP, which the
// connection manager fills up with zeros to 56 and 196 bytes.
var (
	privateREQ = "f6ab0e18 01 01 03 03" + strings.Repeat("00", 48)
	privateREP = "f6ab0e18 01 00 03 03" + strings.Repeat("00", 188)
)

func TestFindPrivateData(t *testing.T) {
	for _, test := range []struct {
		name, data    string
		want          PrivateData
		ok            bool
		send, receive int
		invalidation  bool
	}{
		{"real REQ", privateREQ, PrivateData{Version: 1, Flags: 1, SendSizeCode: 3, ReceiveSizeCode: 3}, true, 4096, 4096, true},
		{"real REP", privateREP, PrivateData{Version: 1, SendSizeCode: 3, ReceiveSizeCode: 3}, true, 4096, 4096, false},
		{"alone, smallest", "f6ab0e18 01 00 00 00", PrivateData{Version: 1}, true, 1024, 1024, false},
		{"largest", "f6ab0e18 01 01 ff ff", PrivateData{Version: 1, Flags: 1, SendSizeCode: 255, ReceiveSizeCode: 255}, true, 262144, 262144, true},
		{"reserved flags are not R", "f6ab0e18 01 fe 01 02", PrivateData{Version: 1, Flags: 0xfe, SendSizeCode: 1, ReceiveSizeCode: 2}, true, 2048, 3072, false},
		{"after three bytes", "00f6ab f6ab0e18 01 01 03 07 00", PrivateData{Version: 1, Flags: 1, SendSizeCode: 3, ReceiveSizeCode: 7, Offset: 3}, true, 4096, 8192, true},
		{"at the end", "00000000 00 f6ab0e18 01 01 03 07", PrivateData{Version: 1, Flags: 1, SendSizeCode: 3, ReceiveSizeCode: 7, Offset: 5}, true, 4096, 8192, true},
		{"Version 2", "f6ab0e18 02 01 03 03", PrivateData{Version: 2, Flags: 1, SendSizeCode: 3, ReceiveSizeCode: 3}, false, 4096, 4096, true},
		{"none", "", PrivateData{}, false, 1024, 1024, false},
		{"zeros", strings.Repeat("00", 56), PrivateData{}, false, 1024, 1024, false},
		{"another protocol's", "deadbeef 01 01 03 03", PrivateData{}, false, 1024, 1024, false},
		{"cut short", "f6ab0e18 01 01 03", PrivateData{}, false, 1024, 1024, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, ok := FindPrivateData(check.Hex(t, test.data))
			if p != test.want || ok != test.ok {
				t.Fatalf("%+v, %v; want %+v, %v", p, ok, test.want, test.ok)
			}
			if p.SendSize() != test.send || p.ReceiveSize() != test.receive || p.RemoteInvalidation() != test.invalidation {
				t.Errorf("sizes %d and %d, remote invalidation %v", p.SendSize(), p.ReceiveSize(), p.RemoteInvalidation())
			}
		})
	}
}

// The format at each place of a buffer, and the buffer cut at every byte: it
// is found exactly where it is whole.
func TestFindPrivateDataAnywhere(t *testing.T) {
	format := check.Hex(t, "f6ab0e18 01 01 03 07")
	for at := range 57 - PrivateDataSize {
		b := make([]byte, 56)
		copy(b[at:], format)
		for n := range len(b) + 1 {
			p, ok := FindPrivateData(b[:n:n])
			if whole := n >= at+PrivateDataSize; ok != whole || ok && (p.Offset != at || p.ReceiveSize() != 8192) {
				t.Errorf("at %d, %d bytes: %+v, %v", at, n, p, ok)
			}
		}
	}
}

func TestFindPrivateDataAllocatesNothing(t *testing.T) {
	b := check.Hex(t, privateREP)
	b[0] = 0 // so that the search goes to the end
	if n := testing.AllocsPerRun(100, func() { FindPrivateData(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNegotiatedThresholds(t *testing.T) {
	data := func(send, receive int, r uint8) *PrivateData {
		return &PrivateData{Version: 1, Flags: r, SendSizeCode: uint8(send/1024 - 1), ReceiveSizeCode: uint8(receive/1024 - 1)}
	}
	for _, test := range []struct {
		name               string
		client, server     *PrivateData
		toServer, toClient int
		source             string
		invalidation       bool
	}{
		{"both the same", data(4096, 4096, 1), data(4096, 4096, 1), 4096, 4096, "private-data", true},
		{"the smaller of each", data(4096, 65536, 1), data(8192, 2048, 0), 2048, 8192, "private-data", false},
		{"the sender's own size", data(1024, 262144, 0), data(262144, 262144, 1), 1024, 262144, "private-data", false},
		{"no private data", nil, nil, 1024, 1024, "default", false},
		{"only the client", data(4096, 4096, 1), nil, 1024, 1024, "default", false},
		{"only the server", nil, data(4096, 4096, 1), 1024, 1024, "default", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := NegotiatedThresholds(test.client, test.server)
			if th.ToServer != test.toServer || th.ToClient != test.toClient || th.Source.String() != test.source {
				t.Errorf("%d to server, %d to client, %v", th.ToServer, th.ToClient, th.Source)
			}
			if got := RemoteInvalidationAllowed(test.client, test.server); got != test.invalidation {
				t.Errorf("remote invalidation is %v", got)
			}
		})
	}
}

// The table is the truth about the format: every field of it agrees with what
// FindPrivateData reads, for every value of a byte.
func TestPrivateDataTable(t *testing.T) {
	table := PrivateDataTable()
	if table.Size() != PrivateDataSize {
		t.Errorf("the table has %d bytes", table.Size())
	}
	b := check.Hex(t, "f6ab0e18 01 00 00 00")
	for v := range 256 {
		b[5], b[6], b[7] = byte(v), byte(v+1), byte(v+2)
		p, _ := FindPrivateData(b)
		flags := table.Lookup("reserved").Uint(b)<<1 | table.Lookup("remote_invalidation").Uint(b)
		if flags != uint64(p.Flags) || (flags&1 == 1) != p.RemoteInvalidation() ||
			table.Lookup("version").Uint(b) != uint64(p.Version) ||
			table.Lookup("send_size").Uint(b) != uint64(p.SendSizeCode) ||
			table.Lookup("receive_size").Uint(b) != uint64(p.ReceiveSizeCode) {
			t.Errorf("%x: %+v is not what the table has", b, p)
		}
	}
}

func TestPrivateDataNode(t *testing.T) {
	n, found := PrivateDataNode(check.Hex(t, "0000"+privateREQ), 100)
	if !found || n.Start != 102 || n.End != 110 || n.Fault != "" || n.Value != "Send Size 4096, Receive Size 4096, remote invalidation" {
		t.Errorf("found %v, %+v", found, n)
	}
	if got := child(t, n, "rpcrdma.private.send_size"); got.Value != "4096 bytes (3)" || got.Start != 108 || got.End != 109 {
		t.Errorf("Send Size is %+v", got)
	}
	for _, data := range []string{"f6ab0e18 02 00 00 00", "f6ab0e18 00 00 00 00"} {
		if n, found := PrivateDataNode(check.Hex(t, data), 0); !found || n.Fault != "Version is not 1" {
			t.Errorf("%s: found %v, fault %q", data, found, n.Fault)
		}
	}
	if _, found := PrivateDataNode(make([]byte, 56), 0); found {
		t.Error("zeros have a node")
	}
}

// child finds a node's child by its key.
func child(t *testing.T, n field.Node, key string) field.Node {
	t.Helper()
	for _, c := range n.Children {
		if c.Key == key {
			return c
		}
	}
	t.Fatalf("%s has no %s", n.Name, key)
	return field.Node{}
}

// FuzzPrivateData gives the search any bytes. What it finds must be there, and
// nothing whole may lie before it.
func FuzzPrivateData(f *testing.F) {
	f.Add(check.Hex(f, privateREQ))
	f.Add(check.Hex(f, "00f6ab f6ab0e18 01 01 03 07"))
	f.Add(check.Hex(f, "f6ab0e18 02 01 03 03"))
	f.Add(check.Hex(f, "f6ab0e18 00 00 00 00"))
	for _, b := range shipped.MADs(f, "rxe-cb", 6) { // two connections' REQ, REP, RTU
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := FindPrivateData(b)
		first := strings.Index(string(b), PrivateDataFormat)
		whole := first >= 0 && first+PrivateDataSize <= len(b)
		if want := whole && b[first+4] == PrivateDataVersion; ok != want || whole && p.Offset != first {
			t.Fatalf("%x: %+v, %v", b, p, ok)
		}
		n, found := PrivateDataNode(b, 5)
		if found != whole || found && (n.Start != 5+first || n.End != n.Start+PrivateDataSize || (n.Fault == "") != ok) {
			t.Errorf("%x: node %+v, found %v", b, n, found)
		}
	})
}

func BenchmarkFindPrivateData(b *testing.B) {
	data := check.Hex(b, privateREP)
	b.ReportAllocs()
	for b.Loop() {
		FindPrivateData(data)
	}
}
