package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// TestPcapHead reads the first bytes of a capture that tcpdump wrote.
func TestPcapHead(t *testing.T) {
	file := []byte("" +
		"\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x01\x00\x01\x00\x00\x00\xf0\xfb\x00\x6b\x3f\x63\x0e\x00" +
		"\x06\x00\x00\x00\x5a\x00\x00\x00\x33\x33\x00\x00\x00\x16")
	want := []Frame{{
		Number: 1, Time: time.Date(2026, 11, 21, 2, 3, 28, 942_911_000, time.UTC).UnixNano(),
		Link: 1, Data: []byte("\x33\x33\x00\x00\x00\x16"), Length: 90, Offset: 24,
	}}
	if got := mustRead(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v (time %v)", got, want, time.Unix(0, got[0].Time).UTC())
	}
}

func TestPcapVariants(t *testing.T) {
	variants := []struct {
		magic uint32
		extra string
		times [2]int64
	}{
		{0xa1b2c3d4, "", [2]int64{1_700_000_000_000_007_000, 4_294_967_295_999_999_000}},
		{0xa1b23c4d, "", [2]int64{1_700_000_000_000_000_007, 4_294_967_295_000_999_999}},
		{0xa1b2cd34, "\x02\x00\x00\x00\x08\x00\x04\x00", [2]int64{1_700_000_000_000_007_000, 4_294_967_295_999_999_000}},
	}
	for _, v := range variants {
		for _, o := range byteOrders {
			t.Run(fmt.Sprintf("%x/%v", v.magic, o), func(t *testing.T) {
				// 0x54000001: four bytes of frame check sequence follow each
				// frame (bits 31-28, said to be valid by bit 26) of Ethernet.
				file := join(pcapHead(o, v.magic, 65535, 0x5400_0001),
					pcapRecord(o, 1_700_000_000, 7, 1500, "first", v.extra),
					pcapRecord(o, 4_294_967_295, 999_999, 0, "", v.extra))
				header := int64(16 + len(v.extra))
				want := []Frame{
					{Number: 1, Time: v.times[0], Link: 1, Data: []byte("first"), Length: 1500, Offset: 24},
					{Number: 2, Time: v.times[1], Link: 1, Data: []byte{}, Length: 0, Offset: 24 + header + 5},
				}
				if got := mustRead(t, file); !reflect.DeepEqual(got, want) {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
			})
		}
	}
}

func TestPcapLengthNeverLessThanData(t *testing.T) {
	o := binary.LittleEndian
	file := join(pcapHead(o, 0xa1b2c3d4, 65535, 1),
		pcapRecord(o, 1, 0, 2, "more than two", ""),
		pcapRecord(o, 1, 0, 0xffff_ffff, "x", ""))
	got := mustRead(t, file)
	if got[0].Length != 13 {
		t.Errorf("a stated length of 2 for 13 captured bytes gives %d, want 13", got[0].Length)
	}
	if got[1].Length != 0x7fff_ffff {
		t.Errorf("a stated length of 2^32-1 gives %d, want the largest that fits everywhere", got[1].Length)
	}
}

// TestPcapSnapLength: writers of today leave the snap length at what they were
// asked for and write longer frames where offloads join segments.
func TestPcapSnapLength(t *testing.T) {
	o := binary.LittleEndian
	long := string(bytes.Repeat([]byte("x"), 70_000))
	for _, snaplen := range []uint32{0, 96, 70_000, 0xffff_ffff} {
		file := join(pcapHead(o, 0xa1b2c3d4, snaplen, 1), pcapRecord(o, 1, 0, 70_000, long, ""))
		if got := mustRead(t, file); len(got) != 1 || string(got[0].Data) != long {
			t.Errorf("snap length %d: got %d frames", snaplen, len(got))
		}
	}
}

// samples are frames to write and read back.
func samples() (infos []gopacket.CaptureInfo, datas [][]byte) {
	for i, size := range []int{60, 61, 62, 63, 1514, 0, 9000, 65535} {
		data := make([]byte, size)
		for j := range data {
			data[j] = byte(i + j*7)
		}
		datas = append(datas, data)
		infos = append(infos, gopacket.CaptureInfo{
			Timestamp:     time.Unix(1_700_000_000+int64(i), int64(i)*123_456_789).UTC(),
			CaptureLength: size,
			Length:        size + i%2*100,
		})
	}
	return infos, datas
}

// TestPcapAgainstPcapgo reads what gopacket wrote.
func TestPcapAgainstPcapgo(t *testing.T) {
	infos, datas := samples()
	for unit, newWriter := range map[time.Duration]func(io.Writer) *pcapgo.Writer{
		time.Microsecond: pcapgo.NewWriter,
		time.Nanosecond:  pcapgo.NewWriterNanos,
	} {
		var file bytes.Buffer
		w := newWriter(&file)
		if err := w.WriteFileHeader(65535, layers.LinkTypeRaw); err != nil {
			t.Fatal(err)
		}
		for i := range infos {
			if err := w.WritePacket(infos[i], datas[i]); err != nil {
				t.Fatal(err)
			}
		}
		got := mustRead(t, file.Bytes())
		if len(got) != len(infos) {
			t.Fatalf("got %d frames, want %d", len(got), len(infos))
		}
		for i, f := range got {
			want := Frame{
				Number: int64(i + 1), Time: infos[i].Timestamp.Truncate(unit).UnixNano(), Link: 101,
				Data: datas[i], Length: int32(infos[i].Length), Offset: f.Offset,
			}
			if !reflect.DeepEqual(f, want) {
				t.Errorf("%v: frame %d differs", unit, i+1)
			}
		}
	}
}

// TestPcapgoAgainstBuilder lets gopacket read what the tests build, so that
// builder and reader do not share a mistake.
func TestPcapgoAgainstBuilder(t *testing.T) {
	for _, magic := range []uint32{0xa1b2c3d4, 0xa1b23c4d} {
		for _, o := range byteOrders {
			file := join(pcapHead(o, magic, 65535, 1),
				pcapRecord(o, 1_700_000_000, 7, 1500, "first", ""),
				pcapRecord(o, 1_700_000_001, 999_999, 6, "second", ""))
			r, err := pcapgo.NewReader(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range mustRead(t, file) {
				data, info, err := r.ReadPacketData()
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(f.Data, data) || int(f.Length) != info.Length || f.Time != info.Timestamp.UnixNano() {
					t.Errorf("%x/%v: frame %d is %+v, gopacket has %q %+v", magic, o, i+1, f, data, info)
				}
			}
			if _, _, err := r.ReadPacketData(); err != io.EOF {
				t.Errorf("gopacket has more: %v", err)
			}
		}
	}
}
