package link

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// second is what gopacket says of an Ethernet frame.
type second struct {
	src, dst         netip.Addr
	srcPort, dstPort uint16
	network, start   int
	ok               bool // down to UDP or TCP, without an error on the way
}

// ask decodes a frame with gopacket, through the layers that Decode follows too.
func ask(data []byte) (s second) {
	addr := func(b []byte) netip.Addr { a, _ := netip.AddrFromSlice(b); return a.Unmap() }
	at := 0
	packet := gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	packet.TransportLayer() // decodes as far as that
	for _, layer := range packet.Layers() {
		switch l := layer.(type) {
		case *layers.Ethernet, *layers.Dot1Q, *layers.IPv6HopByHop, *layers.IPv6Destination, *layers.IPv6Routing:
		case *layers.IPv4:
			s.network, s.src, s.dst = at, addr(l.SrcIP), addr(l.DstIP)
		case *layers.IPv6:
			s.network, s.src, s.dst = at, addr(l.SrcIP), addr(l.DstIP)
		case *layers.UDP:
			s.srcPort, s.dstPort, s.start, s.ok = uint16(l.SrcPort), uint16(l.DstPort), at+len(l.Contents), true
			return s
		case *layers.TCP:
			s.srcPort, s.dstPort, s.start, s.ok = uint16(l.SrcPort), uint16(l.DstPort), at, true
			return s
		default:
			return s
		}
		at += len(layer.LayerContents())
	}
	return s
}

// TestSecondOpinion mutates frames and compares with gopacket: where both see a
// sound UDP or TCP header, all they say of it is the same; where Decode finds
// RoCEv2 without a fault, gopacket finds UDP.
func TestSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var seeds [][]byte
	for _, v := range vectors() {
		// Outer headers are what gopacket says of a tunnel here, and what Decode leaves.
		var p Packet
		if p.Decode(v.link, v.data, len(v.data), Options{}); v.link == TypeEthernet && !p.Tunneled() && ask(v.data).ok {
			seeds = append(seeds, v.data)
		}
	}
	if len(seeds) < 6 {
		t.Fatalf("gopacket reads only %d of the vectors", len(seeds))
	}
	const frames = 40000
	compared, onlyOurs := 0, 0
	var p Packet
	for range frames {
		data := append([]byte(nil), seeds[rng.IntN(len(seeds))]...)
		for range rng.IntN(3) {
			data[12+rng.IntN(len(data)-12)] = byte(rng.Uint32())
		}
		p.Decode(TypeEthernet, data, len(data), Options{})
		theirs := ask(data)
		ours := p.DstPort != 0 && p.Protocol() != "IPv4 fragment" && !p.Faulty() && !p.Tunneled()
		switch {
		case ours && theirs.ok:
			compared++
			got := second{p.Src().IP(), p.Dst().IP(), p.SrcPort, p.DstPort, p.Network(), p.Start(), true}
			if p.Transport == NotRDMA { // then Decode gives no offsets
				got.network, got.start = theirs.network, theirs.start
			}
			if got != theirs {
				t.Fatalf("%x:\n got %+v\nwant %+v", data, got, theirs)
			}
		case theirs.ok && theirs.dstPort == rocePort && !p.Faulty():
			t.Fatalf("%x: gopacket finds port 4791, Decode %+v", data, find(&p))
		case ours:
			// gopacket does not know the tag 0x9100, reads IPv6 options and TCP
			// options more strictly, and stops at an atomic fragment.
			onlyOurs++
		}
	}
	if compared < frames/2 || onlyOurs > frames/20 {
		t.Errorf("of %d frames %d were compared, and %d gopacket could not read", frames, compared, onlyOurs)
	}
}
