package query

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// unpacked is a sample's pcap file as bytes.
func unpacked(tb testing.TB, name string) []byte {
	tb.Helper()
	f, err := os.Open("../../samples/" + name + ".pcap.zst")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	data, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// BenchmarkRead reads a capture out of memory without a filter and with some:
// the difference is what a filter costs. Nothing is printed; to print a row costs
// more than to ask about it.
func BenchmarkRead(b *testing.B) {
	sets := newSets(b)
	file := unpacked(b, "rxe-basic")
	for _, c := range []struct {
		name  string
		level Level
		expr  string
	}{
		{"without", RPCs, ""},
		{"number", RPCs, "rpc.xid == 5"},
		{"latency", RPCs, "rpc.latency > 10ms"},
		{"operation and latency", RPCs, "nfs.op == READ and rpc.latency > 10ms"},
		{"name", RPCs, "nfs.name contains 'small'"},
		{"message", Messages, "rdma.reads.count > 1"},
		{"PSN", Frames, "bth.psn == 5"},
		{"address", Frames, "ip.addr == 203.0.113.0/24"},
		{"Ethernet address", Frames, "eth.src == 00:00:00:00:00:01"},
		{"VLAN", Frames, "vlan.id == 5"},
		{"TCP options", Frames, "tcp.options.mss.mss_val == 5"},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := compile(b, sets, c.level, c.expr)
			var sink told
			if c.expr != "" {
				sink = [levels]told{
					RPCs:     {rpc: func(r *dissect.RPC) { q.RPC(r) }},
					Messages: {message: func(m *dissect.Message) { q.Message(m) }},
					Frames:   {frame: func(v *dissect.FrameView) { q.Frame(v) }},
				}[c.level]
			}
			bound := bindings(b, q.Keys()...)
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := capture.NewReader(bytes.NewReader(file), "rxe-basic", 0)
				if err != nil {
					b.Fatal(err)
				}
				d := dissect.New(&sink, dissect.Options{Bindings: bound, Units: c.level == Frames})
				if _, err := d.Run(f, func(bool) error { return nil }); err != nil {
					b.Fatal(err)
				}
				d.Flush()
				f.Close()
			}
		})
	}
}

// BenchmarkRow asks about one RPC, a READ of NFS version 3 that was walked over.
func BenchmarkRow(b *testing.B) {
	sets := newSets(b)
	for _, expr := range []string{
		"rpc.xid == 5", "rpc.latency > 10s", "nfs.op == READ and rpc.latency > 10s", "rdma.handle == 5", "nfs.fh.hash == 5", "nfs3.fattr3.size == 5",
	} {
		b.Run(expr, func(b *testing.B) {
			q := compile(b, sets, RPCs, expr)
			is := compile(b, sets, RPCs, "rpc.version == 3 and nfs.op == READ and rpc.complete")
			done := false
			read(b, "../../samples/rxe-basic.pcap.zst", &told{rpc: func(r *dissect.RPC) {
				if done || !is.RPC(r) {
					return
				}
				done = true
				b.ReportAllocs()
				for b.Loop() {
					q.RPC(r)
				}
			}}, q.Keys()...)
		})
	}
}

func BenchmarkNewSets(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newSets(b)
	}
}
