package layers

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/reassembly"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A tally is a stream of gopacket/reassembly that counts what Split finds in it,
// both directions in one.
type tally struct {
	t      *testing.T
	starts int
	counts map[iwarp.OpCode]int
}

func (s *tally) New(_, _ gopacket.Flow, _ *layers.TCP, _ reassembly.AssemblerContext) reassembly.Stream {
	return s
}

func (*tally) Accept(*layers.TCP, gopacket.CaptureInfo, reassembly.TCPFlowDirection, reassembly.Sequence, *bool, reassembly.AssemblerContext) bool {
	return true
}

func (s *tally) ReassembledSG(sg reassembly.ScatterGather, _ reassembly.AssemblerContext) {
	available, _ := sg.Lengths()
	data := sg.Fetch(available)
	at := 0
	for {
		n, piece, err := Split(data[at:], false)
		if err != nil {
			s.t.Fatal(err)
		}
		if n == 0 {
			break
		}
		at += n
		s.decode(piece)
	}
	if at < len(data) {
		sg.KeepFrom(at)
	}
}

func (*tally) ReassemblyComplete(reassembly.AssemblerContext) bool { return true }

func (s *tally) decode(piece []byte) {
	p := gopacket.NewPacket(piece, TypeOf(piece), gopacket.Default)
	if p.ErrorLayer() != nil || p.Metadata().Truncated {
		s.t.Fatalf("%x: %v", piece, p)
	}
	switch l := p.Layers()[0].(type) {
	case *MPAStart:
		s.starts++
		if l.Fault.Bad() || len(l.Next) != 0 {
			s.t.Errorf("start-up frame %+v", l)
		}
	case *FPDU:
		ddp := p.Layer(LayerTypeDDP).(*DDP)
		if s.counts[ddp.OpCode]++; ddp.Fault.Bad() || len(l.Next) != 0 {
			s.t.Errorf("FPDU %+v, DDP %+v", l, ddp)
		}
	}
}

// A program that reassembles finds every start-up frame and every FPDU.
func TestReassembly(t *testing.T) {
	for _, sample := range samples {
		s := &tally{t: t, counts: make(map[iwarp.OpCode]int)}
		assembler := reassembly.NewAssembler(reassembly.NewStreamPool(s))
		eachFrame(t, sample.name, func(f *capture.Frame) {
			p := gopacket.NewPacket(f.Data, layers.LayerTypeEthernet, gopacket.Default)
			if tcp, ok := p.Layer(layers.LayerTypeTCP).(*layers.TCP); ok && between(tcp, sample.ports) {
				assembler.Assemble(p.NetworkLayer().NetworkFlow(), tcp)
			}
		})
		assembler.FlushAll()
		if s.starts != sample.starts || !maps.Equal(s.counts, sample.counts) {
			t.Errorf("%s: %d start-up frames and %v, want %d and %v", sample.name, s.starts, s.counts, sample.starts, sample.counts)
		}
	}
}

// A scanner gives every piece of a stream as well, and what is left of the last.
func TestSplitScanner(t *testing.T) {
	const left = 30 // bytes lacking at the end
	var stream []byte
	for _, s := range segments(t, samples[0].name, samples[0].ports) {
		if len(s.in.bytes) > len(stream) {
			stream = s.in.bytes
		}
	}
	want := walk(t, stream)
	scanner := bufio.NewScanner(fewAtATime{bytes.NewReader(stream[:len(stream)-left])})
	scanner.Buffer(nil, MaxFPDU)
	scanner.Split(Split)
	at := 0
	for _, p := range want {
		if !scanner.Scan() {
			t.Fatalf("no piece at %d: %v", at, scanner.Err())
		}
		if p.at != at || !bytes.Equal(scanner.Bytes(), stream[at:min(at+p.size, len(stream)-left)]) {
			t.Fatalf("%d bytes at %d, want %d at %d", len(scanner.Bytes()), at, p.size, p.at)
		}
		at += p.size
	}
	if scanner.Scan() || scanner.Err() != nil {
		t.Errorf("%d bytes after the end: %v", len(scanner.Bytes()), scanner.Err())
	}
}

// A fewAtATime reads few bytes at a time, a number that no piece is a multiple of.
type fewAtATime struct{ r io.Reader }

func (r fewAtATime) Read(b []byte) (int, error) { return r.r.Read(b[:min(len(b), 1459)]) }

// The largest FPDU passes a scanner; a PD_Length that cannot be is an error; of
// bytes that do not yet say how long the piece is, none are given.
func TestSplitLimits(t *testing.T) {
	big := bytes.Repeat([]byte{0xFF}, MaxFPDU)
	scanner := bufio.NewScanner(bytes.NewReader(append(bytes.Clone(big), big...)))
	scanner.Buffer(nil, MaxFPDU)
	scanner.Split(Split)
	for range 2 {
		if !scanner.Scan() || !bytes.Equal(scanner.Bytes(), big) {
			t.Fatalf("%d bytes, %v", len(scanner.Bytes()), scanner.Err())
		}
	}
	start := append([]byte("MPA ID Req Frame\x00\x01\x02\x01"), make([]byte, 600)...)
	if n, piece, err := Split(start, false); n != 0 || piece != nil || err == nil {
		t.Errorf("%d bytes of a PD_Length of 513, error %v", n, err)
	}
	for n := range 20 {
		if advance, piece, err := Split(start[:n], false); advance != 0 || piece != nil || err != nil {
			t.Errorf("%d bytes of a key: %d, %x, %v", n, advance, piece, err)
		}
		advance, piece, err := Split(start[:n], true)
		if advance != n || !bytes.Equal(piece, start[:n]) || err != nil {
			t.Errorf("%d bytes at the end: %d, %x, %v", n, advance, piece, err)
		}
		if want := map[bool]gopacket.LayerType{true: LayerTypeMPAStart, false: LayerTypeFPDU}[n >= 16]; TypeOf(piece) != want {
			t.Errorf("%d bytes are %v, want %v", n, TypeOf(piece), want)
		}
	}
}

// A collector decodes what a Framer finds, and counts it.
type collector struct {
	t      *testing.T
	counts map[iwarp.OpCode]int
}

func (c *collector) FPDU(f *iwarp.FPDU) {
	p := gopacket.NewPacket(f.ULPDU, LayerTypeDDP, gopacket.Default)
	ddp, ok := p.Layer(LayerTypeDDP).(*DDP)
	if !ok || ddp.Fault.Bad() || p.ErrorLayer() != nil {
		c.t.Fatalf("%x: %v", f.ULPDU, p)
	}
	c.counts[ddp.OpCode]++
}

func (c *collector) Skipped(n uint64) { c.t.Errorf("%d bytes skipped", n) }

// A stream with markers is the Framer's to take apart, and LayerTypeDDP decodes
// what it finds.
func TestFramerWithMarkers(t *testing.T) {
	c := &collector{t, make(map[iwarp.OpCode]int)}
	var framer iwarp.Framer
	framer.Start(c, true, iwarp.CRCUsed)
	stream := build.MPAStream{Markers: true, CRC: true}
	want := make(map[iwarp.OpCode]int)
	for range 3 { // so that markers come to stand in many places
		for _, e := range examples() {
			framer.Data(stream.FPDU(e.ulpdu))
			want[iwarp.OpCode(e.ulpdu[1]&15)]++
		}
	}
	framer.Flush()
	if !maps.Equal(c.counts, want) {
		t.Errorf("%v, want %v", c.counts, want)
	}
}
