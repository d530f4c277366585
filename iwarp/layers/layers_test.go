package layers

import (
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
	_ "github.com/rdmacap/rdmacap/rocev2/layers" // one program can have both: no number is taken twice
)

func typesOf(p gopacket.Packet) (types []gopacket.LayerType) {
	for _, l := range p.Layers() {
		types = append(types, l.LayerType())
	}
	return types
}

func TestLayerTypesAreNamed(t *testing.T) {
	names := []string{"MPA", "MPAStart", "FPDU", "DDP", "ReadRequest", "Terminate", "AtomicRequest", "AtomicResponse", "Immediate"}
	for i, name := range names {
		if typ := gopacket.LayerType(1810 + i); typ.String() != name || !gopacket.LayerClass(typ).Contains(typ) {
			t.Errorf("layer type %d is %v, want %s", 1810+i, typ, name)
		}
	}
	for i, l := range NewSet().All() {
		if l.CanDecode() != gopacket.LayerType(1810+i) {
			t.Errorf("layer %d of the set decodes %v", i, l.CanDecode())
		}
		if whole, ok := l.(gopacket.Layer); ok && whole.LayerType() != l.CanDecode() {
			t.Errorf("layer %d of the set is a %v", i, whole.LayerType())
		}
	}
}

// Each message has its layers, in a packet and in a parser, with the fields that
// iwarp has, whether the bytes are known to begin with an FPDU or not.
func TestEveryMessage(t *testing.T) {
	set := NewSet()
	var payload gopacket.Payload
	parser := gopacket.NewDecodingLayerParser(LayerTypeFPDU, append(set.All(), &payload)...)
	var types []gopacket.LayerType
	for _, e := range examples() {
		stream := build.MPAStream{CRC: true}
		b := stream.FPDU(e.ulpdu)
		if err := parser.DecodeLayers(b, &types); err != nil || !slices.Equal(types, e.types()) || len(set.FPDU.Next) != 0 {
			t.Errorf("%s: the parser has layers %v, want %v; error %v", e.name, types, e.types(), err)
		}
		for _, first := range []gopacket.LayerType{LayerTypeFPDU, LayerTypeMPA} {
			p := gopacket.NewPacket(b, first, gopacket.NoCopy)
			if got := typesOf(p); !slices.Equal(got, e.types()) || p.Metadata().Truncated {
				t.Errorf("%s from %v: the packet has layers %v, want %v", e.name, first, got, e.types())
			}
			all := cursor(p.Layers())
			if complaint := all.differs(b, len(b), false); complaint != "" {
				t.Errorf("%s from %v: %s", e.name, first, complaint)
			}
		}
		if crc, ok := set.FPDU.ComputeCRC(); !ok || crc != set.FPDU.CRC {
			t.Errorf("%s: CRC %#x is there, %#x computed", e.name, set.FPDU.CRC, crc)
		}
		if set.DDP.Fault.Bad() {
			t.Errorf("%s: %v", e.name, set.DDP.Fault)
		}
	}
}

// All FPDUs of a segment are found: in a packet by one decoding, eager or lazy,
// and in a parser by as many as there are FPDUs.
func TestManyInOneSegment(t *testing.T) {
	b, at := run(true)
	var want []gopacket.LayerType
	for _, e := range examples() {
		want = append(want, e.types()...)
	}
	for _, options := range []gopacket.DecodeOptions{gopacket.Default, gopacket.Lazy, gopacket.NoCopy} {
		p := gopacket.NewPacket(b, LayerTypeMPA, options)
		all := cursor(p.Layers())
		for i, e := range examples() {
			if complaint := all.differs(b[at[i]:at[i+1]], at[i+1]-at[i], false); complaint != "" {
				t.Errorf("%s: %s", e.name, complaint)
			}
		}
		if got := typesOf(p); !slices.Equal(got, want) {
			t.Errorf("layers %v, want %v", got, want)
		}
	}

	set := NewSet()
	var payload gopacket.Payload
	decoders := append(set.All(), &payload)
	first := gopacket.NewDecodingLayerParser(LayerTypeMPA, decoders...)
	next := gopacket.NewDecodingLayerParser(LayerTypeFPDU, decoders...)
	var got, types []gopacket.LayerType
	err := first.DecodeLayers(b, &types)
	got = append(got, types...)
	for err == nil && len(set.FPDU.Next) > 0 {
		err = next.DecodeLayers(set.FPDU.Next, &types)
		got = append(got, types...)
	}
	if want = append([]gopacket.LayerType{LayerTypeMPA}, want...); err != nil || !slices.Equal(got, want) {
		t.Errorf("the parser has layers %v, want %v; error %v", got, want, err)
	}
}

func TestParserAllocatesNothing(t *testing.T) {
	set := NewSet()
	var payload gopacket.Payload
	decoders := append(set.All(), &payload)
	first := gopacket.NewDecodingLayerParser(LayerTypeMPA, decoders...)
	next := gopacket.NewDecodingLayerParser(LayerTypeFPDU, decoders...)
	types := make([]gopacket.LayerType, 0, 8)
	b, _ := run(false)
	start := build.MPAStart{Enhanced: true, Revision: 2, Private: []byte("private")}.Bytes()
	if n := testing.AllocsPerRun(100, func() {
		if err := first.DecodeLayers(start, &types); err != nil {
			t.Fatal(err)
		}
		for err := first.DecodeLayers(b, &types); len(set.FPDU.Next) > 0; err = next.DecodeLayers(set.FPDU.Next, &types) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for a start-up frame and %d FPDUs", n, len(examples()))
	}
}

// What follows a start-up frame is decoded if it can be told; a stream in
// whose FPDUs there are markers, or that is no iWARP, is payload.
func TestSegmentsThatBegin(t *testing.T) {
	request := build.MPAStart{Revision: 1}.Bytes()
	private := build.MPAStart{Reply: true, Enhanced: true, Revision: 2, Private: []byte("abc")}.Bytes()
	send := examples()[4].ulpdu
	plain, marked, wrong := build.MPAStream{}, build.MPAStream{Markers: true, CRC: true}, build.MPAStream{}
	fpdu, withMarker := plain.FPDU(send), marked.FPDU(send)
	shortOne := wrong.FPDU(send, build.StatedLength(len(send)-8))
	join := func(parts ...[]byte) []byte { return slices.Concat(parts...) }
	const (
		mpa, body   = layerMPAStart, gopacket.LayerType(2)
		frame, segm = layerFPDU, layerDDP
	)
	for _, test := range []struct {
		name string
		b    []byte
		want []gopacket.LayerType
	}{
		{"Request", request, []gopacket.LayerType{mpa}},
		{"Reply with private data", private, []gopacket.LayerType{mpa, body}},
		{"Reply, FPDU", join(private, fpdu), []gopacket.LayerType{mpa, body, frame, segm, body}},
		{"Reply, FPDU with markers", join(private, withMarker), []gopacket.LayerType{mpa, body, body}},
		{"FPDU and a part of a header", join(fpdu, fpdu[:4]), []gopacket.LayerType{frame, segm, body, frame, gopacket.LayerTypeDecodeFailure}},
		{"FPDU and a length", join(fpdu, fpdu[:2]), []gopacket.LayerType{frame, segm, body, frame}},
		{"FPDU and one byte", join(fpdu, fpdu[:1]), []gopacket.LayerType{frame, segm, body, gopacket.LayerTypeDecodeFailure}},
		{"FPDU and no FPDU", join(fpdu, []byte("no FPDU")), []gopacket.LayerType{body}},
		{"FPDU of another length", join(shortOne, fpdu), []gopacket.LayerType{body}},
		{"inside an FPDU", fpdu[8:], []gopacket.LayerType{body}},
		{"marker", withMarker, []gopacket.LayerType{body}},
		{"text", []byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"), []gopacket.LayerType{body}},
		{"one byte", fpdu[:1], []gopacket.LayerType{body}},
		{"part of a key", request[:15], []gopacket.LayerType{body}},
		{"part of a DDP header", fpdu[:19], []gopacket.LayerType{body}},
		{"DDP header", fpdu[:20], []gopacket.LayerType{frame, segm}},
		{"zeros", make([]byte, 100), []gopacket.LayerType{body}},
	} {
		if got := typesOf(gopacket.NewPacket(test.b, LayerTypeMPA, gopacket.Default)); !slices.Equal(got, test.want) {
			t.Errorf("%s: layers %v, want %v", test.name, got, test.want)
		}
	}
	if p := gopacket.NewPacket(nil, LayerTypeMPA, gopacket.Default); len(p.Layers()) != 0 {
		t.Errorf("layers %v of nothing", typesOf(p))
	}
}

// Bytes that are known to be an FPDU are one, whatever they hold.
func TestFaults(t *testing.T) {
	stream := build.MPAStream{}
	send := examples()[4].ulpdu
	change := func(at int, v byte) []byte { b := slices.Clone(send); b[at] = v; return b }
	read := build.Untagged{OpCode: build.RDMAPReadRequest, Last: true, QN: 1, MSN: 1, Payload: make([]byte, 30)}
	for _, test := range []struct {
		name   string
		ulpdu  []byte
		offset int
		last   gopacket.LayerType
	}{
		{"DDP version", change(0, 0x42), 0, gopacket.LayerTypePayload},
		{"RDMAP version", change(1, 0x83), 1, gopacket.LayerTypePayload},
		{"opcode", change(1, 0x4C), 1, gopacket.LayerTypePayload},
		{"queue of a Read Request", change(1, 0x41), 6, gopacket.LayerTypePayload},
		{"Read Request of 30 bytes", read.Bytes(), 18, gopacket.LayerTypeDecodeFailure},
	} {
		p := gopacket.NewPacket(stream.FPDU(test.ulpdu), LayerTypeFPDU, gopacket.Default)
		ddp, ok := p.Layer(LayerTypeDDP).(*DDP)
		if !ok || !ddp.Fault.Bad() || ddp.Fault.Offset != test.offset {
			t.Errorf("%s: DDP %+v, want a fault at %d", test.name, ddp, test.offset)
		}
		if got := typesOf(p); !slices.Equal(got, []gopacket.LayerType{LayerTypeFPDU, LayerTypeDDP, test.last}) || p.Metadata().Truncated {
			t.Errorf("%s: layers %v, truncated %v", test.name, got, p.Metadata().Truncated)
		}
	}
	// An FPDU may be empty, and the next one is found; one that is shorter than
	// the DDP header is not truncated but wrong.
	b := append(stream.FPDU(nil), stream.FPDU(send)...)
	if got := typesOf(gopacket.NewPacket(b, LayerTypeFPDU, gopacket.Default)); !slices.Equal(got,
		[]gopacket.LayerType{LayerTypeFPDU, LayerTypeFPDU, LayerTypeDDP, gopacket.LayerTypePayload}) {
		t.Errorf("empty FPDU: layers %v", got)
	}
	p := gopacket.NewPacket(stream.FPDU(send[:17]), LayerTypeFPDU, gopacket.Default)
	if p.ErrorLayer() == nil || p.Metadata().Truncated || p.Layer(LayerTypeDDP) != nil {
		t.Errorf("ULPDU of 17 bytes: %v", p)
	}
}

// A set that decoded one thing decodes another, given by itself, no differently.
func TestSetIsNotMisled(t *testing.T) {
	set := NewSet()
	var stream build.MPAStream
	ulpdu := examples()[2].ulpdu
	for _, l := range []gopacket.DecodingLayer{&set.FPDU, &set.DDP, &set.ReadRequest} {
		data := map[gopacket.DecodingLayer][]byte{&set.FPDU: stream.FPDU(ulpdu), &set.DDP: set.FPDU.Payload, &set.ReadRequest: set.DDP.Payload}[l]
		if err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
	}
	other := build.ReadRequest{SinkSTag: 9, Size: 8, SourceTO: 7}
	if err := set.ReadRequest.DecodeFromBytes(other.Bytes(), gopacket.NilDecodeFeedback); err != nil ||
		set.ReadRequest.ReadRequest != (iwarp.ReadRequest{SinkSTag: 9, Size: 8, SourceTO: 7}) {
		t.Errorf("%+v, error %v", set.ReadRequest, err)
	}
	write := examples()[0].ulpdu
	if err := set.DDP.DecodeFromBytes(write, gopacket.NilDecodeFeedback); err != nil || set.DDP.Fault.Bad() || set.DDP.STag != 0xABCD {
		t.Errorf("%+v, error %v", set.DDP, err)
	}
}
