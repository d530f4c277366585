package layers

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Whole packets whose ICRC someone else computed, from the IP header on.
const (
	// An RDMA WRITE Only of three bytes and a pad byte, as an NFS server sent it.
	writeOnly = "45000040dff640004011d6b2c0000201c0000202c2a112b7004c00000a10ffff0000001180e2d7874a2e105d" +
		"45464029000008f40000000300000000a8e5c589"
	// A SEND Only of an NFS READ's call, ICRC 0x1cb1c268.
	sendOnly = "45020070123440004011a443c0000201c0000202c00012b7005c00000440ffff0000045680000abc0102030400000001" +
		"0000008000000000000000000000000000000000010203040000000000000002000186a3000000030000000000000000" +
		"00000000000000000000000068c2b11c"
)

// extCount is the number of extended headers, of which each is a bit of an ExtSet.
const extCount = 10

func hexBytes(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantTypes are the types of the layers that follow when a BTH of that opcode
// is decoded and payload is left.
func wantTypes(op rocev2.OpCode) []gopacket.LayerType {
	types := []gopacket.LayerType{LayerTypeBTH}
	for h := range extCount {
		if op.Extended().Has(1 << h) {
			types = append(types, gopacket.LayerType(layerRDETH+h))
		}
	}
	return append(types, gopacket.LayerTypePayload)
}

func TestLayerTypesAreNamed(t *testing.T) {
	for h := range extCount {
		if typ := gopacket.LayerType(layerRDETH + h); typ.String() != rocev2.ExtSet(1<<h).String() {
			t.Errorf("layer type %d is %v, want %v", int(typ), typ, rocev2.ExtSet(1<<h))
		}
	}
	if extra := rocev2.ExtSet(1 << extCount); extra.Size() != 0 {
		t.Errorf("there are more than %d extended headers", extCount)
	}
}

// The parser and a packet go from header to header for every opcode, as
// rocev2.Packet.Decode does, and find in each what it finds.
func TestEveryOpcode(t *testing.T) {
	set := NewSet()
	var payload gopacket.Payload
	parser := gopacket.NewDecodingLayerParser(LayerTypeBTH, append(set.All(), &payload)...)
	random := rand.NewChaCha8([32]byte{2})
	b := make([]byte, 84)
	var types []gopacket.LayerType
	for i := range 256 {
		op := rocev2.OpCode(i)
		random.Read(b)
		b[0], b[1] = byte(op), b[1]&0xC0
		if err := parser.DecodeLayers(b, &types); err != nil {
			t.Fatalf("%v: %v", op, err)
		}
		if !slices.Equal(types, wantTypes(op)) {
			t.Errorf("%v: the parser has layers %v, want %v", op, types, wantTypes(op))
		}
		packet := gopacket.NewPacket(b, LayerTypeBTH, gopacket.NoCopy)
		var whole []gopacket.LayerType
		for _, l := range packet.Layers() {
			whole = append(whole, l.LayerType())
		}
		if !slices.Equal(whole, wantTypes(op)) {
			t.Errorf("%v: the packet has layers %v, want %v", op, whole, wantTypes(op))
		}
		var want rocev2.Packet
		want.Decode(b, len(b))
		if complaint := differs(packet, &want, binary.BigEndian.Uint32(b[len(b)-rocev2.ICRCSize:])); complaint != "" {
			t.Errorf("%v: %s", op, complaint)
		}
	}
}

func TestParserAllocatesNothing(t *testing.T) {
	set := NewSet()
	var payload gopacket.Payload
	parser := gopacket.NewDecodingLayerParser(LayerTypeBTH, append(set.All(), &payload)...)
	types := make([]gopacket.LayerType, 0, 8)
	b := hexBytes(t, writeOnly)[28:]
	if n := testing.AllocsPerRun(100, func() {
		if err := parser.DecodeLayers(b, &types); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a packet", n)
	}
}

// Layers that were decoded serialize to the bytes they came from, but for
// reserved bits, which are sent as zero.
func TestSerialize(t *testing.T) {
	random := rand.NewChaCha8([32]byte{3})
	for op := range 256 {
		b := make([]byte, 84)
		random.Read(b)
		b[0], b[1] = byte(op), b[1]&0xC0
		clearReserved(b)
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
			t.Errorf("%v:\n got %x\nwant %x", rocev2.OpCode(op), buf.Bytes(), b)
		}
	}
}

// clearReserved zeroes the reserved fields of a packet's headers, which the
// tables of rocev2 name so.
func clearReserved(b []byte) {
	at := 0
	set := rocev2.OpCode(b[0]).Extended()
	for i, table := range rocev2.Tables() {
		if i > 0 && (i > extCount || !set.Has(1<<(i-1))) {
			continue
		}
		for _, f := range table.Fields {
			for bit := f.Bit; f.Name == "Reserved" && bit < f.Bit+f.Width; bit++ {
				b[at+bit/8] &^= 0x80 >> (bit % 8)
			}
		}
		if i == 0 {
			at = rocev2.BTHSize
		} else {
			at += rocev2.ExtSet(1 << (i - 1)).Size()
		}
	}
}

// A frame built of layers is, with rocev2.SetICRC, the wire reference's vector.
func TestBuildVector(t *testing.T) {
	want := hexBytes(t, sendOnly)
	ip := &layers.IPv4{Version: 4, TOS: 2, Id: 0x1234, Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
		SrcIP: want[12:16], DstIP: want[16:20]}
	udp := &layers.UDP{SrcPort: 0xC000, DstPort: rocev2.Port}
	bth := &BTH{OpCode: rocev2.OpRCSendOnly, MigReq: true, PKey: 0xFFFF, DestQP: 0x456, AckReq: true, PSN: 0xABC}
	payload := gopacket.Payload(want[28+rocev2.BTHSize : len(want)-rocev2.ICRCSize])
	buf := gopacket.NewSerializeBuffer()
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: false}
	if err := gopacket.SerializeLayers(buf, opts, ip, udp, bth, payload); err != nil {
		t.Fatal(err)
	}
	got := buf.Bytes()
	var lower link.Packet
	lower.Decode(link.TypeIPv4, got, len(got), link.Options{})
	if !rocev2.SetICRC(got, &lower) {
		t.Fatal("no ICRC")
	}
	copy(want[10:12], got[10:12]) // the header checksum was not asked for
	if !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
}

// Each extended header that no BTH announced is an error if it is cut, and
// else followed by payload.
func TestExtendedAlone(t *testing.T) {
	for h := range extCount {
		typ, size := gopacket.LayerType(layerRDETH+h), rocev2.ExtSet(1<<h).Size()
		for n := 1; n <= size+1; n++ {
			p := gopacket.NewPacket(make([]byte, n), typ, gopacket.Default)
			if (n < size) != (p.ErrorLayer() != nil) || (n > size) != (p.Layer(gopacket.LayerTypePayload) != nil) {
				t.Errorf("%v of %d bytes: %v", typ, n, p)
			}
		}
	}
}

// FuzzPacket gives gopacket any bytes as a BTH: whatever it makes of them, the
// BTH is rocev2's and the layers together have no byte twice.
func FuzzPacket(f *testing.F) {
	f.Add(hexBytes(f, writeOnly)[28:])
	f.Add(hexBytes(f, sendOnly)[28:])
	for _, b := range shipped.RoCEv2(f, "rxe-cb", 60) {
		f.Add(b)
	}
	for op := range 256 {
		f.Add(append([]byte{byte(op)}, make([]byte, 63)...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want rocev2.Packet
		want.Decode(b, len(b))
		p := gopacket.NewPacket(b, LayerTypeBTH, gopacket.NoCopy)
		bth, ok := p.Layer(LayerTypeBTH).(*BTH)
		if ok != (len(b) >= rocev2.BTHSize) {
			t.Fatalf("BTH is %v of %d bytes", ok, len(b))
		}
		if ok && (bth.OpCode != want.OpCode || bth.DestQP != want.DestQP || bth.PSN != want.PSN || bth.Fault != want.Fault()) {
			t.Errorf("BTH %+v, want %+v", bth, want)
		}
		sum := 0
		for _, l := range p.Layers() {
			sum += len(l.LayerContents())
		}
		if sum > len(b) {
			t.Errorf("layers of %d bytes from %d", sum, len(b))
		}
	})
}
