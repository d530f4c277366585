package rocev2

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// layerTypes are the types of a packet's layers after UDP.
func layerTypes(p gopacket.Packet) (types []gopacket.LayerType) {
	for _, l := range p.Layers() {
		types = append(types, l.LayerType())
	}
	for i, t := range types {
		if t == layers.LayerTypeUDP {
			return types[i+1:]
		}
	}
	return types
}

func same(a, b []gopacket.LayerType) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestGopacketRealFrame(t *testing.T) {
	RegisterUDPPort()
	v := find(t, "WriteOnly, one pad octet")
	b := v.frame(t)
	p := gopacket.NewPacket(b, layers.LayerTypeIPv4, gopacket.Default)
	if p.ErrorLayer() != nil {
		t.Fatal(p.ErrorLayer().Error())
	}
	if got, want := layerTypes(p), []gopacket.LayerType{LayerTypeBTH, LayerTypeRETH, gopacket.LayerTypePayload}; !same(got, want) {
		t.Fatalf("layers %v, want %v", got, want)
	}
	bth := p.Layer(LayerTypeBTH).(*BTH)
	if bth.OpCode != OpRCWriteOnly || bth.PSN != 0xE2D787 || bth.DestQP != 0x11 || bth.PadCnt != 1 || !bth.AckReq || bth.ICRC != 0xA8E5C589 || bth.Fault.Bad() {
		t.Errorf("BTH %+v", bth)
	}
	reth := p.Layer(LayerTypeRETH).(*RETH)
	if reth.VA != 0x4A2E105D45464029 || reth.RKey != 0x8F4 || reth.DMALen != 3 {
		t.Errorf("RETH %+v", reth)
	}
	if got := p.Layer(gopacket.LayerTypePayload).LayerContents(); len(got) != 3 {
		t.Errorf("payload of %d octets, want 3 without pad and ICRC", len(got))
	}
}

// A frame cut by the snap length has no ICRC to show, and no fault for it.
func TestGopacketCutFrame(t *testing.T) {
	RegisterUDPPort()
	v := find(t, "ReadResponseOnly")
	b := v.frame(t)
	start := lower(b).Start
	for n := start + bthSize; n < len(b); n++ {
		p := gopacket.NewPacket(b[:n], layers.LayerTypeIPv4, gopacket.Default)
		bth, ok := p.Layer(LayerTypeBTH).(*BTH)
		if !ok || bth.ICRC != 0 || bth.Fault.Bad() || !p.Metadata().Truncated {
			t.Fatalf("%d octets: BTH %+v", n, bth)
		}
		if cut := n < start+16; cut != (p.Layer(LayerTypeAETH) == nil) || cut != (p.ErrorLayer() != nil) {
			t.Errorf("%d octets: AETH %v, error %v", n, p.Layer(LayerTypeAETH), p.ErrorLayer())
		}
	}
	p := gopacket.NewPacket(b[start:start+11], LayerTypeBTH, gopacket.Default)
	if p.ErrorLayer() == nil || !p.Metadata().Truncated {
		t.Error("no error from eleven octets of BTH")
	}
}

// The parser goes from header to header for every opcode, as Decode does.
func TestDecodingLayerParser(t *testing.T) {
	l := NewLayers()
	var payload gopacket.Payload
	parser := gopacket.NewDecodingLayerParser(LayerTypeBTH, append(l.All(), &payload)...)
	random := rand.NewChaCha8([32]byte{2})
	b := make([]byte, 84)
	var types []gopacket.LayerType
	for op := range 256 {
		random.Read(b)
		b[0], b[1] = byte(op), b[1]&0xC0
		if err := parser.DecodeLayers(b, &types); err != nil {
			t.Fatalf("%v: %v", OpCode(op), err)
		}
		want := []gopacket.LayerType{LayerTypeBTH}
		for h := range extCount {
			if OpCode(op).Extended().Has(1 << h) {
				want = append(want, gopacket.LayerType(layerRDETH+h))
			}
		}
		want = append(want, gopacket.LayerTypePayload)
		if !same(types, want) {
			t.Errorf("%v: layers %v, want %v", OpCode(op), types, want)
		}
		whole := gopacket.NewPacket(b, LayerTypeBTH, gopacket.NoCopy)
		if got := layerTypes(whole); !same(got, want) {
			t.Errorf("%v: layers of the packet %v, want %v", OpCode(op), got, want)
		}
	}
}

// Layers that were decoded serialize to the octets they came from, but for
// reserved bits, which are sent as zero.
func TestLayersSerialize(t *testing.T) {
	random := rand.NewChaCha8([32]byte{3})
	for op := range 256 {
		b := make([]byte, 84)
		random.Read(b)
		b[0] = byte(op)
		b[1] &= 0xC0
		clearReserved(decoded(b))
		p := gopacket.NewPacket(b, LayerTypeBTH, gopacket.Default)
		var parts []gopacket.SerializableLayer
		for _, l := range p.Layers() {
			parts = append(parts, l.(gopacket.SerializableLayer))
		}
		buf := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, parts...); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(buf.Bytes(), b) {
			t.Errorf("%v:\n got %x\nwant %x", OpCode(op), buf.Bytes(), b)
		}
	}
}

// clearReserved zeroes the reserved fields of a packet's headers.
func clearReserved(p *Packet) {
	p.Octets[4] &= 0xC0
	p.Octets[8] &= 0x80
	for h, at := range extOffsets(p) {
		if at == 0 {
			continue
		}
		switch ExtSet(1 << h) {
		case ExtRDETH, ExtXRCETH:
			p.Octets[at] = 0
		case ExtDETH:
			p.Octets[at+4] = 0
		case ExtFETH:
			p.Octets[at], p.Octets[at+1], p.Octets[at+2] = 0, 0, 0
			p.Octets[at+3] &= 0x3F
		}
	}
}

// A frame built of layers is, with SetICRC, the wire reference's vector.
func TestLayersBuildVector(t *testing.T) {
	want := find(t, "IPv4 SendOnly").frame(t)
	at := lower(want)
	ip := &layers.IPv4{Version: 4, TOS: 2, Id: 0x1234, Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
		SrcIP: want[12:16], DstIP: want[16:20]}
	udp := &layers.UDP{SrcPort: 0xC000, DstPort: Port}
	bth := &BTH{OpCode: OpRCSendOnly, MigReq: true, PKey: 0xFFFF, DestQP: 0x456, AckReq: true, PSN: 0xABC}
	payload := gopacket.Payload(decoded(want[at.Start:]).Payload())
	buf := gopacket.NewSerializeBuffer()
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: false}
	if err := gopacket.SerializeLayers(buf, opts, ip, udp, bth, payload); err != nil {
		t.Fatal(err)
	}
	got := buf.Bytes()
	if !SetICRC(got, lower(got)) {
		t.Fatal("no ICRC")
	}
	copy(want[10:12], got[10:12]) // the header checksum was not asked for
	if !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
}

// Each extended header that no BTH announced is an error if it is cut, and
// else followed by payload.
func TestExtendedLayersAlone(t *testing.T) {
	for h, size := range extSizes {
		typ := gopacket.LayerType(layerRDETH + h)
		if typ.String() != extNames[h] {
			t.Errorf("layer type %d is %v, want %s", int(typ), typ, extNames[h])
		}
		for n := 1; n <= size+1; n++ {
			p := gopacket.NewPacket(make([]byte, n), typ, gopacket.Default)
			if (n < size) != (p.ErrorLayer() != nil) || (n > size) != (p.Layer(gopacket.LayerTypePayload) != nil) {
				t.Errorf("%v of %d octets: %v", typ, n, p)
			}
		}
	}
}
