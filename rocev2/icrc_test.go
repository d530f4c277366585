package rocev2

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

func TestICRCVectors(t *testing.T) {
	for _, v := range vectors {
		b := v.frame(t)
		p := lower(b)
		computed, carried, ok := ICRC(b, p)
		if !ok || computed != carried || carried != binary.BigEndian.Uint32(b[len(b)-4:]) {
			t.Errorf("%s: computed %#08x, carried %#08x, %v", v.name, computed, carried, ok)
		}
		// Each byte counts, but for those that switches and routers may
		// change. (The first holds the IP version, which says what to mask.)
		for i := 1; i < len(b)-ICRCSize; i++ {
			damaged := bytes.Clone(b)
			damaged[i] ^= 1
			computed, _, ok := ICRC(damaged, p)
			if counts := !bytes.Equal(masked(b), masked(damaged)); !ok || (computed != carried) != counts {
				t.Errorf("%s: byte %d changed, computed %#08x, carried %#08x, %v", v.name, i, computed, carried, ok)
			}
		}
	}
}

// A CNP of a ConnectX-4 Lx: its fields and its ICRC are known.
func TestICRCHardwareCNP(t *testing.T) {
	b := check.Hex(t, "45c2003c 718c 4000 4011 0000 0a001101 0a001201 0000 12b7 0028 0000"+
		"8100ffff 40 000118 00000000 00000000000000000000000000000000 82fd002a")
	for _, flags := range []byte{0x40, 0x00} {
		b[6] = flags
		if computed, carried, ok := ICRC(b, lower(b)); ok && computed == carried {
			return
		}
	}
	t.Error("the ICRC fits neither with Don't Fragment nor without")
}

// masked is the frame from IP header, GRH or LRH on with all that the ICRC
// does not cover set to ones, as IBA 7.8.1 and the annexes describe it.
func masked(b []byte) []byte {
	b = bytes.Clone(b)
	bth := 0
	if b[0]>>4 == 4 {
		b[1], b[8], b[10], b[11] = 0xFF, 0xFF, 0xFF, 0xFF
		bth = int(b[0]&15)*4 + 8
	} else {
		maskGlobal(b)
		bth = 48
	}
	b[bth-2], b[bth-1] = 0xFF, 0xFF
	b[bth+4] = 0xFF
	return b
}

func maskGlobal(b []byte) {
	b[0] |= 0x0F
	b[1], b[2], b[3], b[7] = 0xFF, 0xFF, 0xFF, 0xFF
}

// reference is the ICRC of masked bytes, the plain way.
func reference(masked []byte) uint32 {
	return binary.BigEndian.Uint32(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(masked)))
}

// Each kind of frame against the plain way: mask a copy, sum it.
func TestICRCFrames(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	ones := bytes.Repeat([]byte{0xFF}, 8)
	data := func(n int) []byte {
		b := make([]byte, n)
		random.Read(b)
		return b
	}
	for _, payload := range []int{0, 1, 4, 63, 64, 1024} {
		transport := data(BTHSize + payload + ICRCSize)
		maskedTransport := bytes.Clone(transport[:BTHSize+payload])
		maskedTransport[4] = 0xFF
		udp := data(8)
		maskedUDP := append(bytes.Clone(udp[:6]), 0xFF, 0xFF)
		lrh := data(8)
		global := data(40)
		global[0] = 0x60 | global[0]&15
		maskedGlobal := bytes.Clone(global)
		maskGlobal(maskedGlobal)
		ipv4 := data(20 + 12)
		ipv4[0] = 0x48 // twelve bytes of options
		maskedIPv4 := bytes.Clone(ipv4)
		maskedIPv4[1], maskedIPv4[8], maskedIPv4[10], maskedIPv4[11] = 0xFF, 0xFF, 0xFF, 0xFF
		extension := data(16)
		maskedLRH := bytes.Clone(lrh)
		maskedLRH[0] |= 0xF0

		tests := []struct {
			name      string
			transport link.Transport
			grh       bool
			below     []byte
			covered   []byte
		}{
			{"IPv4 with options", link.RoCEv2, false, cat(ipv4, udp), cat(ones, maskedIPv4, maskedUDP)},
			{"IPv6", link.RoCEv2, false, cat(global, udp), cat(ones, maskedGlobal, maskedUDP)},
			{"IPv6 with extension headers", link.RoCEv2, false, cat(global, extension, udp), cat(ones, maskedGlobal, extension, maskedUDP)},
			{"RoCEv1", link.RoCEv1, true, global, cat(ones, maskedGlobal)},
			{"LRH and GRH", link.InfiniBand, true, cat(lrh, global), cat(ones, maskedGlobal)},
			{"LRH", link.InfiniBand, false, lrh, maskedLRH},
		}
		for _, test := range tests {
			const ethernet, trailer = 14, 6
			frame := cat(make([]byte, ethernet), test.below, transport, make([]byte, trailer))
			start := ethernet + len(test.below)
			lower := link.Compose(test.transport, ethernet, test.grh, start, start+len(transport))
			p := &lower
			want := reference(cat(test.covered, maskedTransport))
			computed, _, ok := ICRC(frame, p)
			if !ok || computed != want {
				t.Errorf("%s, %d bytes: %#08x, %v, want %#08x", test.name, payload, computed, ok, want)
			}
			if !SetICRC(frame, p) {
				t.Errorf("%s: not set", test.name)
			}
			if _, carried, _ := ICRC(frame, p); carried != want {
				t.Errorf("%s: set to %#08x, want %#08x", test.name, carried, want)
			}
			if !bytes.Equal(frame[p.End():], make([]byte, trailer)) {
				t.Errorf("%s: the trailer was written to", test.name)
			}
		}
	}
}

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// Without the whole frame, or with offsets that fit no packet, there is no ICRC.
func TestICRCNotThere(t *testing.T) {
	b := find(t, "SendOnly").frame(t)
	for n := range b {
		if _, _, ok := ICRC(b[:n], lower(b)); ok {
			t.Errorf("an ICRC from %d bytes of %d", n, len(b))
		}
		if SetICRC(b[:n], lower(b)) {
			t.Errorf("an ICRC set in %d bytes of %d", n, len(b))
		}
	}
	good := lower(b)
	start, end := good.Start(), good.End()
	bad := []link.Packet{
		{},
		link.Compose(link.NotRDMA, 0, false, start, end),
		link.Compose(link.TCP, 0, false, start, end),
		link.Compose(link.RoCEv2, 0, false, end-12, end),
		link.Compose(link.RoCEv2, 0, false, 20, end),
		link.Compose(link.RoCEv2, start, false, start, end),
		link.Compose(link.RoCEv2, math.MaxUint16, false, start, end),
		link.Compose(link.RoCEv1, 0, true, start, end),
		link.Compose(link.InfiniBand, start-4, false, start, end),
		link.Compose(link.RoCEv2, 0, false, math.MaxUint16, end),
		link.Compose(link.RoCEv2, 0, false, start, math.MaxInt32),
	}
	for i := range bad {
		if _, _, ok := ICRC(b, &bad[i]); ok {
			t.Errorf("case %d: an ICRC from %+v", i, bad[i])
		}
	}
}

func TestICRCAllocatesNothing(t *testing.T) {
	for _, v := range vectors {
		b := v.frame(t)
		p := lower(b)
		if got := allocs.Per(10, func() { ICRC(b, p) }); got != 0 {
			t.Errorf("%s: %v allocations", v.name, got)
		}
	}
}

func FuzzICRC(f *testing.F) {
	for _, v := range vectors {
		b := v.frame(f)
		p := lower(b)
		f.Add(b, uint8(p.Transport), p.Network(), p.GRH(), p.Start(), p.End())
	}
	for _, name := range []string{"rxe-cb", "rxe-ipv6"} {
		for _, b := range shipped.Frames(f, name, 60) {
			var p link.Packet
			p.Decode(link.TypeEthernet, b, len(b), link.Options{})
			f.Add(b, uint8(p.Transport), p.Network(), p.GRH(), p.Start(), p.End())
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, transport uint8, network, grh, start, end int) {
		lower := link.Compose(link.Transport(transport), network, grh >= 0, start, end)
		p := &lower
		before := bytes.Clone(b)
		computed, _, ok := ICRC(b, p)
		if ok {
			plain, fits := sumByTables(b[:end-ICRCSize], p)
			if bits.ReverseBytes32(plain) != computed || !fits {
				t.Fatalf("%#08x, but by tables %#08x, %v", computed, plain, fits)
			}
		}
		if !bytes.Equal(b, before) {
			t.Fatal("ICRC wrote to the frame")
		}
		if SetICRC(b, p) != ok {
			t.Fatal("ICRC and SetICRC disagree")
		}
		if !ok {
			return
		}
		if again, carried, ok := ICRC(b, p); !ok || again != computed || carried != computed {
			t.Fatalf("set %#x, but computed %#x, carried %#x", computed, again, carried)
		}
		if !bytes.Equal(b[:end-ICRCSize], before[:end-ICRCSize]) || !bytes.Equal(b[end:], before[end:]) {
			t.Fatal("SetICRC wrote beside the ICRC")
		}
	})
}

func BenchmarkICRC(b *testing.B) {
	for _, payload := range []int{0, 256, 1024, 4096} {
		const ethernet = 14
		start := ethernet + ipv4Size + udpSize
		frame := make([]byte, start+BTHSize+payload+ICRCSize)
		frame[ethernet] = 0x45
		lower := link.Compose(link.RoCEv2, ethernet, false, start, len(frame))
		b.Run(byteCount(payload), func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			b.ReportAllocs()
			for b.Loop() {
				ICRC(frame, &lower)
			}
		})
		b.Run(byteCount(payload)+" by tables", func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			for b.Loop() {
				sumByTables(frame[:len(frame)-ICRCSize], &lower)
			}
		})
	}
}
