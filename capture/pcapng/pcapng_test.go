package pcapng_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// TestBlocks has another reader read what is appended: every option of a section, an
// interface and a packet.
func TestBlocks(t *testing.T) {
	for _, o := range []pcapng.Order{binary.LittleEndian, binary.BigEndian} {
		b := pcapng.BeginSection(nil, o)
		b = pcapng.AppendText(b, o, pcapng.Comment, "what\x00 it is\x1b for")
		b = pcapng.AppendText(b, o, pcapng.System, "plan9")
		b = pcapng.AppendText(b, o, pcapng.Program, "rdmacap")
		b = pcapng.End(pcapng.EndOptions(b, o), o, 0)
		start := len(b)
		b = pcapng.BeginInterface(b, o, 1, 1500, 9)
		b = pcapng.AppendText(b, o, pcapng.Name, "mirror0")
		b = pcapng.End(pcapng.EndOptions(b, o), o, start)
		start = len(b)
		b = pcapng.BeginPacket(b, o, pcapng.Packet{Ticks: 1_700_000_000_123_456_789, Length: 70}, []byte("five."))
		if b = pcapng.End(b, o, start); len(b)-start != pcapng.PacketSize(5) {
			t.Errorf("a packet of %d bytes, said to be of %d", len(b)-start, pcapng.PacketSize(5))
		}
		start = len(b)
		b = pcapng.BeginStatistics(b, o, 0, 1_700_000_000_000_000_000)
		b = pcapng.AppendCount(b, o, pcapng.InterfaceDrops, 3)
		b = pcapng.AppendCount(b, o, pcapng.Delivered, 1<<40)
		b = pcapng.End(pcapng.EndOptions(b, o), o, start)

		r, err := pcapgo.NewNgReader(bytes.NewReader(b), pcapgo.NgReaderOptions{})
		if err != nil {
			t.Fatal(o, err)
		}
		s := r.SectionInfo()
		if s.Comment != "what it is for" || s.OS != "plan9" || s.Application != "rdmacap" {
			t.Errorf("%v: section %+v", o, s)
		}
		data, info, err := r.ReadPacketData()
		if err != nil || string(data) != "five." || info.Length != 70 || info.Timestamp.UnixNano() != 1_700_000_000_123_456_789 {
			t.Errorf("%v: %q, %+v, %v", o, data, info, err)
		}
		if i, err := r.Interface(0); err != nil || i.Name != "mirror0" || i.SnapLength != 1500 {
			t.Errorf("%v: interface %+v, %v", o, i, err)
		}
		if _, _, err := r.ReadPacketData(); err != io.EOF {
			t.Errorf("%v: at the end: %v", o, err)
		}
		if i, err := r.Interface(0); err != nil || i.Statistics.PacketsReceived != pcapgo.NgNoValue64 || i.Statistics.PacketsDropped != 3 {
			t.Errorf("%v: statistics %+v, %v", o, i.Statistics, err)
		}
	}
}

// TestLongText is cut off where an option ends, and not in the middle of a character.
func TestLongText(t *testing.T) {
	o := binary.LittleEndian
	b := pcapng.AppendText(nil, o, pcapng.Comment, strings.Repeat("ß", 40_000))
	n := int(o.Uint16(b[2:]))
	if value := string(b[4 : 4+n]); n < 65_530 || !strings.HasSuffix(value, "ß…") || strings.ToValidUTF8(value, "") != value {
		t.Errorf("%d bytes: …%q", n, value[n-8:])
	}
}

// TestPacketsAllocateNothing appends packets to a buffer that has room.
func TestPacketsAllocateNothing(t *testing.T) {
	data, b := make([]byte, 1001), make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		out := pcapng.BeginPacket(b, binary.LittleEndian, pcapng.Packet{Length: 1001}, data)
		out = pcapng.AppendCount(out, binary.LittleEndian, pcapng.DropCount, 1)
		_ = pcapng.End(out, binary.LittleEndian, 0)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
