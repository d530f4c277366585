package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/google/gopacket/pcapgo"
)

// benchFiles are 16 MiB of frames of 1,100 bytes, the size of a RoCEv2 packet
// with a path MTU of 1,024.
func benchFiles() map[string][]byte {
	o := binary.LittleEndian
	data := make([]byte, 1100)
	random := rand.New(rand.NewPCG(1, 2))
	plain := pcapHead(o, 0xa1b2c3d4, 65535, 1)
	ng := join(ngSection(o, -1), ngInterface(o, ethernet, 0))
	for i := range uint32(16 << 20 / 1100) {
		for j := 0; j < len(data)/2; j += 4 { // half of it compresses
			o.PutUint32(data[j:], random.Uint32())
		}
		plain = append(plain, pcapRecord(o, 1_700_000_000, i, 1100, string(data), "")...)
		ng = append(ng, ngEnhanced(o, 0, uint64(i), 1100, string(data), ngOption(o, 2, make([]byte, 4)))...)
	}
	return map[string][]byte{"pcap": plain, "pcapng": ng}
}

func benchmarkRead(b *testing.B, size int, file []byte) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		f, err := NewReader(bytes.NewReader(file), "F", 0)
		if err != nil {
			b.Fatal(err)
		}
		var frame Frame
		for err == nil {
			err = f.Next(&frame)
			f.Ready() // as who gathers frames asks after each
		}
		if err != io.EOF || frame.Number == 0 {
			b.Fatal(err)
		}
		f.Close()
	}
}

func BenchmarkRead(b *testing.B) {
	for name, file := range benchFiles() {
		b.Run(name, func(b *testing.B) { benchmarkRead(b, len(file), file) })
		b.Run(name+"/gzip", func(b *testing.B) { benchmarkRead(b, len(file), gzipped(b, file)) })
		b.Run(name+"/zstd", func(b *testing.B) { benchmarkRead(b, len(file), zstandard(b, file)) })
	}
}

// BenchmarkPcapgo is gopacket's reader on the same bytes, to compare with.
func BenchmarkPcapgo(b *testing.B) {
	files := benchFiles()
	b.Run("pcap", func(b *testing.B) {
		b.SetBytes(int64(len(files["pcap"])))
		for b.Loop() {
			r, err := pcapgo.NewReader(bytes.NewReader(files["pcap"]))
			for err == nil {
				_, _, err = r.ZeroCopyReadPacketData()
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}
	})
	b.Run("pcapng", func(b *testing.B) {
		b.SetBytes(int64(len(files["pcapng"])))
		for b.Loop() {
			r, err := pcapgo.NewNgReader(bytes.NewReader(files["pcapng"]), pcapgo.DefaultNgReaderOptions)
			for err == nil {
				_, _, err = r.ZeroCopyReadPacketData()
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}
	})
}
