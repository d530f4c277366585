package rocev2

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// needClmul skips a test where nothing is summed by multiplying.
func needClmul(t testing.TB) {
	if !clmul {
		t.Skip("this processor has no carry-less multiplication that is used")
	}
}

// clmulKinds are the headers below the BTH that sumByMultiplying takes.
var clmulKinds = []struct {
	name      string
	transport link.Transport
	version   byte // the upper half of the first byte
	below     int
}{
	{"IPv4", link.RoCEv2, 4, ipv4Size + udpSize},
	{"IPv6", link.RoCEv2, 6, ipv6Size + udpSize},
	{"GRH", link.RoCEv1, 6, grhSize},
}

// Both ways give the same for every length and for every place in the frame,
// whatever stands in the bytes, around the packet, too.
func TestMultiplyingIsTables(t *testing.T) {
	needClmul(t)
	random := rand.NewChaCha8([32]byte{2})
	memory := make([]byte, 8<<10)
	for _, kind := range clmulKinds {
		for network := range 40 {
			for payload := range 400 {
				if network == 14 {
					payload *= 11 // up to the longest packets
				}
				random.Read(memory)
				memory[network] = kind.version<<4 | memory[network]&15
				start := network + kind.below
				end := start + BTHSize + payload
				p := link.Compose(kind.transport, network, kind.transport == link.RoCEv1, start, end+ICRCSize)
				got, ok := sumByMultiplying(memory[:end], &p)
				// What the first block may lack must stand before the packet.
				if want := (end-network)%clmulBlock == 0 || network >= clmulBlock-(end-network)%clmulBlock; ok != want {
					t.Fatalf("%s at %d, %d bytes: taken %v, want %v", kind.name, network, payload, ok, want)
				}
				if want, fits := sumByTables(memory[:end], &p); ok && (got != want || !fits) {
					t.Fatalf("%s at %d, %d bytes: %#08x, by tables %#08x, %v", kind.name, network, payload, got, want, fits)
				}
			}
		}
	}
}

// Nearly all frames of real captures go the fast way.
func TestMultiplyingIsUsed(t *testing.T) {
	needClmul(t)
	for _, name := range []string{"rxe-basic", "rxe-ipv6"} {
		all, fast := 0, 0
		for _, b := range shipped.Frames(t, name, 800) {
			var p link.Packet
			p.Decode(link.TypeEthernet, b, len(b), link.Options{})
			if p.Transport != link.RoCEv2 {
				continue
			}
			all++
			if _, ok := sumByMultiplying(b[:p.End()-ICRCSize], &p); ok {
				fast++
			}
		}
		if all == 0 || fast != all {
			t.Errorf("%s: %d frames of %d", name, fast, all)
		}
	}
}
