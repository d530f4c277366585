package extract

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// capturedIn is a capture in pcapng of an order: two sections, of which the first has two
// interfaces, with nanoseconds and microseconds, and frames with options.
func capturedIn(o pcapng.Order) (b []byte) {
	port := func(link uint16, digits byte, name string) {
		start := len(b)
		one := pcapng.BeginInterface(nil, o, link, 4096, digits)
		one = pcapng.AppendText(one, o, pcapng.Name, name)
		one = pcapng.AppendCount(one, o, interfaceSpeed, 100e9)
		b = append(b[:start], pcapng.End(pcapng.EndOptions(one, o), o, 0)...)
	}
	frame := func(id uint32, ticks uint64, data, comment string, drops uint64) {
		one := pcapng.BeginPacket(nil, o, pcapng.Packet{Interface: id, Length: 1500, Ticks: ticks}, []byte(data))
		one = pcapng.AppendOption(one, o, 2, o.AppendUint32(nil, 0x01020304)) // epb_flags
		one = pcapng.AppendOption(one, o, 0x7abc, "unknown")
		if comment != "" {
			one = pcapng.AppendText(one, o, pcapng.Comment, comment)
		}
		if drops > 0 {
			one = pcapng.AppendCount(one, o, pcapng.DropCount, drops)
		}
		b = append(b, pcapng.End(pcapng.EndOptions(one, o), o, 0)...)
	}
	b = pcapng.AppendHeader(b, o, "", "test")
	port(1, 9, "first")
	port(1, 6, "second")
	frame(0, 1_000_000_000_000_000_001, "one", "said", 0)
	frame(1, 1_000_000_000_000_002, "two", "", 7)
	frame(0, 1_000_000_000_000_003_000, "three", "", 0)
	b = pcapng.AppendHeader(b, o, "", "test")
	port(1, 6, "second")
	port(1, 9, "third")
	frame(0, 1_000_000_000_000_004, "four", "", 0)
	frame(1, 1_000_000_000_000_005_000, "five", "", 0)
	return b
}

// copied reads what Copy makes of some frames of a capture.
func copied(t *testing.T, b []byte, c Choice, numbers ...int64) (list []capture.Frame, result Result, out []byte) {
	t.Helper()
	in, err := capture.NewReader(bytes.NewReader(b), "in", 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Frames = new(Set)
	for _, n := range numbers {
		c.Frames.Add(0, n)
	}
	c.Program, c.Comment = "test", "a cut"
	var w bytes.Buffer
	result, err = Copy(&w, []*capture.File{in}, c)
	if err != nil || result.Fault != nil {
		t.Fatal(err, result.Fault)
	}
	again, err := capture.NewReader(bytes.NewReader(w.Bytes()), "out", 0)
	if err != nil {
		t.Fatal(err)
	}
	var f capture.Frame
	for {
		if err := again.Next(&f); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		one := f
		one.Data = bytes.Clone(f.Data)
		list = append(list, one)
	}
	return list, result, w.Bytes()
}

// TestCopy holds what a copy keeps of frames, whichever order the capture's numbers are in.
func TestCopy(t *testing.T) {
	for _, o := range []pcapng.Order{binary.LittleEndian, binary.BigEndian} {
		list, result, out := copied(t, capturedIn(o), Choice{}, 1, 3, 4, 5)
		if len(list) != 4 || result.Frames != 4 || result.All != 5 || result.LeftOut != 0 {
			t.Fatalf("%v: %d frames, %+v", o, len(list), result)
		}
		for i, want := range []struct {
			data string
			time int64
			port uint16
		}{
			{"one", 1_000_000_000_000_000_001, 0},
			{"three", 1_000_000_000_000_003_000, 0},
			{"four", 1_000_000_000_000_004_000, 1}, // described anew, but the same
			{"five", 1_000_000_000_000_005_000, 2},
		} {
			f := list[i]
			if string(f.Data) != want.data || f.Time != want.time || f.Interface != want.port || f.Length != 1500 {
				t.Errorf("%v: frame %d: %q at %d of interface %d, %d bytes, want %+v", o, i+1, f.Data, f.Time, f.Interface, f.Length, want)
			}
		}
		if !slices.Equal(list[0].Comments(), []string{"said"}) {
			t.Errorf("%v: comments %q", o, list[0].Comments())
		}
		// Frame 2, before which others were dropped, is not there: 3 is the first after that.
		if list[0].Dropped() || !list[1].Dropped() || list[2].Dropped() {
			t.Errorf("%v: dropped %v %v %v", o, list[0].Dropped(), list[1].Dropped(), list[2].Dropped())
		}
		flags := pcapng.AppendOption(nil, le, 2, []byte{4, 3, 2, 1})
		speed := pcapng.AppendCount(nil, le, interfaceSpeed, 100e9)
		if n := bytes.Count(out, flags); n != 4 {
			t.Errorf("%v: %d frames have their flags", o, n)
		}
		if n := bytes.Count(out, speed); n != 3 {
			t.Errorf("%v: %d interfaces have their speed", o, n)
		}
		if n := strings.Count(string(out), "unknown"); n != 4 && o == pcapng.Order(binary.LittleEndian) || n != 0 && o == pcapng.Order(binary.BigEndian) {
			t.Errorf("%v: %d frames have an option that is not known", o, n)
		}
	}
}

// TestCopyDrops holds that a frame keeps the count of what was dropped before it.
func TestCopyDrops(t *testing.T) {
	list, _, _ := copied(t, capturedIn(binary.BigEndian), Choice{}, 2)
	if len(list) != 1 || !list[0].Dropped() || list[0].Time != 1_000_000_000_000_002_000 {
		t.Errorf("%+v", list)
	}
}

// TestCopyGaps holds that a copy says where frames were left out, and where an FPDU begins, and that it
// says so once.
func TestCopyGaps(t *testing.T) {
	var gaps Lengths
	gaps.Set(0, 1, 1)
	gaps.Set(0, 4, 2+17)
	list, _, out := copied(t, capturedIn(binary.LittleEndian), Choice{Gaps: &gaps}, 1, 4, 5)
	if !list[0].LeftOut() || list[0].Begins() != -1 || !list[1].LeftOut() || list[1].Begins() != 17 || list[2].LeftOut() {
		t.Errorf("%v %d, %v %d, %v", list[0].LeftOut(), list[0].Begins(), list[1].LeftOut(), list[1].Begins(), list[2].LeftOut())
	}
	var second Lengths
	second.Set(0, 2, 1)
	list, _, _ = copied(t, out, Choice{Gaps: &second}, 2)
	if len(list) != 1 || list[0].Begins() != 17 || strings.Count(strings.Join(list[0].Comments(), "\n"), capture.LeftOutComment) != 1 {
		t.Errorf("%q", list[0].Comments())
	}
}

// TestCopyShortened holds that frames are cut off, and keep their length on the wire.
func TestCopyShortened(t *testing.T) {
	var lengths Lengths
	lengths.Set(0, 3, 2)
	lengths.Set(0, 5, 4000) // more than there is
	list, result, _ := copied(t, capturedIn(binary.LittleEndian), Choice{Lengths: &lengths}, 3, 5)
	if string(list[0].Data) != "th" || list[0].Length != 1500 || string(list[1].Data) != "five" || result.LeftOut != 3 || result.Shortened != 1 {
		t.Errorf("%q of %d, %q; %+v", list[0].Data, list[0].Length, list[1].Data, result)
	}
}

// TestSet holds which frames are in a Set, and TestLengths what is known of them.
func TestSet(t *testing.T) {
	var s Set
	for _, n := range []int64{1, 64, 63, 1, 100_000} {
		s.Add(2, n)
	}
	if s.Len() != 4 || !s.Has(2, 63) || !s.Has(2, 64) || s.Has(2, 65) || s.Has(0, 1) || s.Has(3, 1) || s.Has(2, 1<<40) {
		t.Errorf("%d frames", s.Len())
	}
}

func TestLengths(t *testing.T) {
	var l Lengths
	l.Set(1, 5000, 60)
	l.Set(1, 1, 1<<16)
	if l.Of(1, 5000) != 60 || l.Of(1, 1) != 0 || l.Of(1, 4999) != 0 || l.Of(0, 5000) != 0 || l.Of(2, 5000) != 0 || l.Of(1, 1<<40) != 0 {
		t.Error("wrong lengths")
	}
	var none *Lengths
	if none.Of(0, 1) != 0 {
		t.Error("a length of none")
	}
}

// TestCopyRewritten holds that where frames are rewritten nothing of the host and no comment is copied,
// that times and drops are, and that frames stay as long.
func TestCopyRewritten(t *testing.T) {
	for _, o := range []pcapng.Order{binary.LittleEndian, binary.BigEndian} {
		c := Choice{Rewrite: func(f *capture.Frame) []byte { return bytes.Repeat([]byte("."), len(f.Data)) }}
		list, _, out := copied(t, capturedIn(o), c, 1, 2, 3)
		if len(list) != 3 {
			t.Fatalf("%v: %d frames", o, len(list))
		}
		for _, gone := range []string{"first", "second", "said", "unknown", "two", "three"} {
			if bytes.Contains(out, []byte(gone)) {
				t.Errorf("%v: %q is copied", o, gone)
			}
		}
		if string(list[0].Data) != "..." || string(list[2].Data) != "....." || list[0].Time != 1_000_000_000_000_000_001 || list[1].Time != 1_000_000_000_000_002_000 || !list[1].Dropped() || list[0].Length != 1500 {
			t.Errorf("%v: %+v", o, list)
		}
		if !bytes.Contains(out, []byte{8, 0, 8, 0, 0x00, 0xe8, 0x76, 0x48, 0x17, 0, 0, 0}) {
			t.Errorf("%v: the speed is lost", o)
		}
	}
}
