package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

const ethernet, raw, erf = 1, 101, 197

// TestPcapngSections: each section has its own byte order and its own
// interfaces, each interface its own link type and clock.
func TestPcapngSections(t *testing.T) {
	for _, o := range byteOrders {
		t.Run(fmt.Sprint(o), func(t *testing.T) {
			other := byteOrders[0]
			if o == other {
				other = byteOrders[1]
			}
			blocks := [][]byte{
				ngSection(o, -1),
				ngInterface(o, ethernet, 0),
				ngInterface(o, erf, 0, ngOption(o, ifTsresol, []byte{9}), ngOption(o, optEnd, nil)),
				ngEnhanced(o, 1, 1_700_000_000_000_000_001, 100, "erf"),
				ngEnhanced(o, 0, 1_700_000_000_000_002, 8, "ethernet"),
				// The length that this header states is a lie; nobody needs it.
				ngSection(other, 0x10),
				ngInterface(other, raw, 0),
				ngEnhanced(other, 0, 1_700_000_000_000_003, 3, "raw"),
			}
			want := []Frame{
				{Link: erf, Time: 1_700_000_000_000_000_001, Data: []byte("erf"), Length: 100, Interface: 1},
				{Link: ethernet, Time: 1_700_000_000_000_002_000, Data: []byte("ethernet"), Length: 8},
				{Link: raw, Time: 1_700_000_000_000_003_000, Data: []byte("raw"), Length: 3, Section: 1},
			}
			place(want, blocks, 3, 4, 7)
			if got := mustRead(t, join(blocks...)); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// place numbers the frames and gives them the offsets of their blocks.
func place(frames []Frame, blocks [][]byte, of ...int) {
	for i := range frames {
		frames[i].Number = int64(i + 1)
		frames[i].Offset = int64(len(join(blocks[:of[i]]...)))
	}
}

// TestPcapngBlocks has one block of each type.
func TestPcapngBlocks(t *testing.T) {
	for _, o := range byteOrders {
		t.Run(fmt.Sprint(o), func(t *testing.T) {
			comments := [][]byte{
				ngOption(o, 2, []byte{0, 0, 0, 1}), // epb_flags: inbound
				ngOption(o, optComment, []byte("the first")),
				ngOption(o, optComment, []byte("and Grüße")),
				ngOption(o, optEnd, nil),
				ngOption(o, optComment, []byte("after the end")),
			}
			blocks := [][]byte{
				ngSection(o, -1),
				ngBlock(o, 4, []byte("names")),
				ngInterface(o, ethernet, 6),
				ngEnhanced(o, 0, 5_000_000, 9, "plain"),
				ngBlock(o, 0xbad, make([]byte, 3*windowSize)), // unknown, longer than the window
				ngEnhanced(o, 0, 6_000_000, 9, "commented", comments...),
				ngSimple(o, 4, "four"),
				ngSimple(o, 100, "six of"), // cut to the interface's snap length
				ngOldPacket(o, 0, 77, 7_000_000, 9, "old", ngOption(o, optComment, []byte("c"))),
				ngBlock(o, 5, make([]byte, 8)),
				ngBlock(o, 0x80000bad, nil),
				ngEnhanced(o, 0, 8_000_000, 4, "last", ngOption(o, optComment, nil)),
			}
			want := []Frame{
				{Time: 5e9, Data: []byte("plain"), Length: 9},
				{Time: 6e9, Data: []byte("commented"), Length: 9, Extra: &Extra{Comments: []string{"the first", "and Grüße"}}},
				{Data: []byte("four"), Length: 4},
				{Data: []byte("six of"), Length: 100},
				{Time: 7e9, Data: []byte("old"), Length: 9, Extra: &Extra{Comments: []string{"c"}, Dropped: true}},
				{Time: 8e9, Data: []byte("last"), Length: 4, Extra: &Extra{Comments: []string{""}}},
			}
			for i := range want {
				want[i].Link = ethernet
			}
			place(want, blocks, 3, 5, 6, 7, 8, 11)
			if got := mustRead(t, join(blocks...)); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// TestPcapngBrokenOptions: a frame is given although its options are broken,
// with the comments that stand before.
func TestPcapngBrokenOptions(t *testing.T) {
	o := binary.LittleEndian
	file := join(ngSection(o, -1), ngInterface(o, ethernet, 0),
		ngEnhanced(o, 0, 1, 4, "data", ngOption(o, optComment, []byte("kept")), []byte{1, 0, 200, 0}))
	got := mustRead(t, file)
	if len(got) != 1 || string(got[0].Data) != "data" || !reflect.DeepEqual(got[0].Comments(), []string{"kept"}) {
		t.Errorf("got %+v", got)
	}
}

// TestPcapngDrops: a frame says that others were dropped before it.
func TestPcapngDrops(t *testing.T) {
	for _, o := range byteOrders {
		count := func(n uint64) []byte { return ngOption(o, epbDropcount, o.AppendUint64(nil, n)) }
		file := join(ngSection(o, -1), ngInterface(o, ethernet, 0),
			ngEnhanced(o, 0, 1, 1, "a", count(0)),
			ngEnhanced(o, 0, 1, 1, "b", count(1<<40), ngOption(o, optComment, []byte("c"))),
			ngEnhanced(o, 0, 1, 1, "d", ngOption(o, epbDropcount, []byte{1})),
			ngOldPacket(o, 0, unknownDrops, 1, 1, "e"),
			ngOldPacket(o, 0, 1, 1, 1, "f"))
		var got []bool
		for _, f := range mustRead(t, file) {
			got = append(got, f.Dropped())
		}
		if want := []bool{false, true, false, false, true}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v, want %v", o, got, want)
		}
	}
}

// TestPcapngManyComments: memory for comments has a bound.
func TestPcapngManyComments(t *testing.T) {
	o := binary.LittleEndian
	many := bytes.Repeat(ngOption(o, optComment, nil), 100_000)
	file := join(ngSection(o, -1), ngInterface(o, ethernet, 0), ngEnhanced(o, 0, 1, 4, "data", many))
	if got := mustRead(t, file); len(got) != 1 || len(got[0].Comments()) != maxComments {
		t.Errorf("got %d comments, want %d", len(got[0].Comments()), maxComments)
	}
}

func TestPcapngVersions(t *testing.T) {
	for version, ok := range map[[2]uint16]bool{
		{1, 0}: true, {1, 2}: true, {1, 1}: false, {2, 0}: false, {0, 0}: false,
	} {
		file := ngSection(binary.BigEndian, -1)
		binary.BigEndian.PutUint16(file[12:], version[0])
		binary.BigEndian.PutUint16(file[14:], version[1])
		if _, err := readAll(t, file); (err == nil) != ok {
			t.Errorf("version %d.%d: %v", version[0], version[1], err)
		}
	}
}

// TestPcapngAgainstPcapgo reads what gopacket wrote, interfaces of several
// link types with comments of their own in it.
func TestPcapngAgainstPcapgo(t *testing.T) {
	infos, datas := samples()
	var file bytes.Buffer
	w, err := pcapgo.NewNgWriterInterface(&file, pcapgo.NgInterface{
		Name: "roce0", Comment: "mirror port", LinkType: layers.LinkTypeEthernet, SnapLength: 65535,
	}, pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Hardware: "switch", Comment: strings.Repeat("long ", 1000)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddInterface(pcapgo.NgInterface{Name: "raw1", LinkType: layers.LinkTypeRaw}); err != nil {
		t.Fatal(err)
	}
	for i := range infos {
		infos[i].InterfaceIndex = i % 2
		if err := w.WritePacket(infos[i], datas[i]); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteInterfaceStats(i%2, pcapgo.NgInterfaceStatistics{PacketsReceived: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, file.Bytes())
	if len(got) != len(infos) {
		t.Fatalf("got %d frames, want %d", len(got), len(infos))
	}
	for i, f := range got {
		want := Frame{
			Number: int64(i + 1), Time: infos[i].Timestamp.UnixNano(), Link: []Frame{{Link: ethernet}, {Link: raw}}[i%2].Link,
			Data: datas[i], Length: int32(infos[i].Length), Offset: f.Offset, Interface: uint16(i % 2),
		}
		if !reflect.DeepEqual(f, want) {
			t.Errorf("frame %d is %v at %v, want %v", i+1, f.Length, time.Unix(0, f.Time), infos[i])
		}
	}
}

// TestNgReaderAgainstBuilder lets gopacket read what the tests build.
func TestNgReaderAgainstBuilder(t *testing.T) {
	for _, o := range byteOrders {
		file := join(ngSection(o, -1),
			ngInterface(o, ethernet, 40),
			ngInterface(o, raw, 0, ngOption(o, ifTsresol, []byte{9}), ngOption(o, ifTsoffset, o.AppendUint64(nil, 1000)), ngOption(o, optEnd, nil)),
			ngEnhanced(o, 0, 1_700_000_000_000_002, 8, "ethernet", ngOption(o, optComment, []byte("no"))),
			ngEnhanced(o, 1, 1_700_000_000_000_000_001, 100, "raw"),
			ngOldPacket(o, 1, 3, 1_700_000_000_000_000_001, 100, "old"),
			ngBlock(o, 4, nil))
		r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range mustRead(t, file) {
			data, info, err := r.ReadPacketData()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(f.Data, data) || int(f.Length) != info.Length || int(f.Interface) != info.InterfaceIndex ||
				f.Time != info.Timestamp.UnixNano() || layers.LinkType(f.Link) != info.AncillaryData[0] {
				t.Errorf("%v: frame %d is %+v, gopacket has %q %+v", o, i+1, f, data, info)
			}
		}
		if _, _, err := r.ReadPacketData(); err != io.EOF {
			t.Errorf("gopacket has more: %v", err)
		}
	}
}
