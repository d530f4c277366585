package link

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// FuzzDecode holds Decode to what others rely on, whatever the bytes: bounds
// in order and, where the transport begins, within the captured bytes; the
// straight-line route and the general one give the same; a tree that stays in
// the frame.
func FuzzDecode(f *testing.F) {
	for _, v := range vectors() {
		f.Add(uint32(v.link), v.data, 0, uint16(0))
		f.Add(uint32(v.link), v.data[:len(v.data)/2], len(v.data)/2, uint16(4792))
	}
	for _, name := range []string{"rxe-cb", "rxe-ipv6"} {
		for _, frame := range shipped.Frames(f, name, 60) {
			f.Add(uint32(TypeEthernet), frame, 0, uint16(0))
		}
	}
	for _, frame := range shipped.Frames(f, "siw-loss", 40) {
		f.Add(uint32(TypeEthernet), frame, 0, uint16(0))
	}
	var used Packet // dirty from the frame before, as in a capture
	f.Fuzz(func(t *testing.T, link uint32, data []byte, more int, roce uint16) {
		length := len(data) + more&0xFFFF
		o := Options{RoCEPort: roce, Left: Tunnels(more >> 16)}
		p := &used
		p.Decode(Type(link), data, length, o)

		var headers Headers
		headers.Find(p, Type(link), data, length)
		if s, ok := headers.Stamp(); ok && (s.Time < -tai || s.Period != 0 && s.Time >= s.Period) {
			t.Errorf("a stamp of %d ns, which begins anew after %d", s.Time, s.Period)
		}
		if p.Transport != NotRDMA {
			if p.Network() < 0 || p.Start() < p.Network() || p.End() < p.Start() || p.Start() > len(data) {
				t.Errorf("network %d, start %d, end %d of %d bytes", p.Network(), p.Start(), p.End(), len(data))
			}
			if !p.Src().IsValid() || !p.Dst().IsValid() {
				t.Error("a transport without addresses")
			}
		} else {
			if p.Protocol() == "" {
				t.Error("no name for a frame that is not RDMA")
			}
			if p.Network() != 0 || p.Start() != 0 || p.End() != 0 {
				t.Error("bounds of no transport")
			}
		}
		switch p.Transport {
		case RoCEv1:
			if p.GRH() != p.Network() || p.Start() != p.GRH()+grhSize {
				t.Errorf("RoCEv1: network %d, GRH %d, start %d", p.Network(), p.GRH(), p.Start())
			}
		case InfiniBand:
			if p.GRH() != -1 && (p.GRH() != p.Network()+lrhSize || p.Start() != p.GRH()+grhSize) || p.GRH() == -1 && p.Start() != p.Network()+lrhSize {
				t.Errorf("InfiniBand: network %d, GRH %d, start %d", p.Network(), p.GRH(), p.Start())
			}
		case TCP:
			if n := len(p.AppendSACK(nil, data)); n > MaxSACKBlocks {
				t.Errorf("%d SACK blocks", n)
			}
		case RoCEv2:
			if p.DstPort != rocePort && (p.DstPort != roce || roce == 0) {
				t.Errorf("RoCEv2 to port %d", p.DstPort)
			}
		}
		if !p.Faulty() && !p.Cut() && p.End() > length+icrcSize && Type(link) != TypeERF {
			t.Errorf("end %d of %d bytes, and no fault", p.End(), length)
		}
		if p.Faulty() && (p.Fault().Offset < 0 || p.Fault().Offset > len(data)) {
			t.Errorf("fault %q outside the %d bytes", p.Fault(), len(data))
		}

		var fresh Packet
		fresh.decodeAny(Type(link), data, length, o, maxTunnels, nil)
		if *p != fresh {
			t.Errorf("by the straight-line route\n     %+v\nelse %+v", *p, fresh)
		}
		if got, want := outline(nodesOf(p, Type(link), data, length)), outline(nodesOf(&fresh, Type(link), data, length)); got != want {
			t.Errorf("by the straight-line route\n%selse\n%s", got, want)
		}
		nodes := nodesOf(p, Type(link), data, length)
		checkNodes(t, nodes, 0, len(data))
		if p.Faulty() && countFaults(nodes, p.Fault().Reason) == 0 {
			t.Errorf("fault %q is on no node", p.Fault())
		}
	})
}

// TestLayersFit makes a frame with as many layers as Decode takes, of each kind and
// in tunnels, and finds every one of them.
func TestLayersFit(t *testing.T) {
	tcp := hexBytes("90be08017cc78c03000000006002faf0db480000 01010101")
	extensions := bytes.Repeat(hexBytes("3c00010400000000"), maxExtensions-1)
	extensions = append(extensions, hexBytes("0600010400000000")...)
	data := hexBytes("60000000 0058 3c 40 20010db8000000000000000000000001 20010db8000000000000000000000002")
	data = slices.Concat(data, extensions, tcp)
	labels := bytes.Repeat(hexBytes("00064040"), maxLabels-1)
	data = slices.Concat(hexBytes(macs, "8847"), labels, hexBytes("000001ff"), data)
	for range maxTunnels - 1 {
		// GRE with three fields, ERSPAN III with a subheader, in IPv4 with options.
		h := hexBytes("4600 0000 1234 4000 40 2f 0000 cb007101 cb007102 01010101",
			"b00022eb 00000000 00abcd07 00000009", "2000 6123 01020304 0009 815b 0c000003 00000011")
		binary.BigEndian.PutUint16(h[2:], uint16(len(h)+len(data)))
		data = slices.Concat(hexBytes(macs, "0800"), h, data)
	}
	tags := bytes.Repeat(hexBytes("81000001"), maxTags)
	data = slices.Concat(data[:12], tags, data[12:])
	erf := bytes.Repeat(hexBytes("8300000000000000"), maxERFExtensions-1)
	data = slices.Concat(hexBytes("0011223344556677 82 04 0000 0000 0000"), erf, hexBytes("0300000000000000 0000"), data)

	var p Packet
	p.Decode(TypeERF, data, len(data), Options{})
	if p.Faulty() || p.Transport != TCP {
		t.Fatalf("%v, fault %q", p.Transport, p.Fault())
	}
	h := headersOf(&p, TypeERF, data, len(data))
	const inTunnels = 1 + 2 + 4 + 3
	if want := 1 + maxERFExtensions + 1 + maxTags + (maxTunnels-1)*inTunnels + 1 + maxLabels + 1 + maxExtensions + 2; h.n != want || want > maxLayers {
		t.Errorf("%d headers of %d, and room for %d", h.n, want, maxLayers)
	}
	last := h.Nodes()[h.n-1]
	if last.Key != "tcp.options" || last.End != len(data) {
		t.Errorf("the last header is %+v", field.Node{Key: last.Key, Start: last.Start, End: last.End})
	}
}
