package annotate

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// TestPcapng copies everything that a pcapng file may have, byte by byte: blocks
// without a comment are as they were, those with one are as they are to be.
func TestPcapng(t *testing.T) {
	for i, o := range orders {
		second := orders[1-i]
		in := everything(o, second)
		c := Comments{File: []string{"2 errors"}, Frames: map[int64][]string{
			1: {"on the first"}, 2: {"on the cut one", "twice"}, 3: {"on the simple one"}, 4: {"on the old one"}, 5: {"drops unknown"},
			6: {"on the odd one"}, 7: {"no end"}, 8: {"malformed"},
		}}
		want := join(
			section(o, math.MaxUint64, opt(o, 4, "dumper"), opt(o, 1, "taken at the switch"), opt(o, 1, "2 errors"), opt(o, 0, "")),
			iface(o, 1, 0, opt(o, 2, "eth0"), opt(o, 9, "\x09"), opt(o, 14, string(o.AppendUint64(nil, 1_000_000_000))), opt(o, 0, "")),
			iface(o, 1, 96, opt(o, 2, "eth1"), opt(o, 9, "\x8a"), opt(o, 0, "")),
			enhanced(o, 0, 1, 60, "first frame", opt(o, 1, "on the first"), opt(o, 0, "")),
			names(o),
			enhanced(o, 1, 1<<40, 4, "cut.", opt(o, 1, "from before"), opt(o, 2, "\x01\x00\x00\x00"), opt(o, 1, "and another"),
				opt(o, 1, "on the cut one"), opt(o, 1, "twice"), opt(o, 0, "")),
			simple(o, 5, "plain"),
			enhanced(o, 1, 99, 8, "ancient!", opt(o, 4, string(o.AppendUint64(nil, 7))), opt(o, 2, "\x02\x00\x00\x00"), opt(o, 1, "old"),
				opt(o, 1, "on the old one"), opt(o, 0, "")),
			enhanced(o, 0, 99, 3, "old", opt(o, 1, "drops unknown"), opt(o, 0, "")),
			oldPacket(o, 0, 0, 99, 3, "odd", opt(o, 77, "no such option")),
			block(o, 0x80000bad, []byte("some vendor's own")),
			section(second, math.MaxUint64),
			iface(second, 228, 0),
			block(second, 5, make([]byte, 12)),
			enhanced(second, 0, 1_700_000_000_000_000, 9, "in micros", opt(second, 1, "no end of options"), opt(second, 1, "no end"), opt(second, 0, "")),
			enhanced(second, 0, 5, 9, "malformed", opt(second, 1, "malformed"), opt(second, 1, "fine"), []byte("\xff\xff\xff\xff")),
			block(second, 10, []byte("secrets")),
		)
		out, r := annotated(t, in, c)
		if !bytes.Equal(out, want) {
			t.Errorf("%v first: the copy is\n%x\nwant\n%x", o, out, want)
		}
		if r.Frames != 8 || r.Placed != 6 || r.Fault != nil || len(r.Unplaced) != 2 || r.Unplaced[0].Frame != 3 || r.Unplaced[1].Frame != 6 {
			t.Errorf("%v first: %+v", o, r)
		}
		held(t, in, c)
		held(t, in, Comments{})
	}
}

// TestPcap copies pcap files of every magic in both byte orders.
func TestPcap(t *testing.T) {
	for _, o := range orders {
		for _, v := range []struct {
			magic      uint32
			resolution string
			ticks      uint64
			extra      string
		}{
			{0xa1b2c3d4, "\x06", 1_700_000_000_123_456, ""},
			{0xa1b23c4d, "\x09", 1_700_000_000_000_123_456, ""},
			{0xa1b2cd34, "\x06", 1_700_000_000_123_456, "8 octets"},
		} {
			in := join(pcapHead(o, v.magic, 65535, 0x3400_0001), // with the length of a frame check sequence
				pcapRecord(o, 1_700_000_000, 123_456, 1500, "a frame", v.extra),
				pcapRecord(o, 1_700_000_000, 123_456, 3, "short", v.extra)) // states less than it has
			want := join(section(o, math.MaxUint64, opt(o, 1, "2 errors"), opt(o, 0, "")),
				iface(o, 1, 65535, opt(o, 9, v.resolution), opt(o, 0, "")),
				enhanced(o, 0, v.ticks, 1500, "a frame"),
				enhanced(o, 0, v.ticks, 3, "short", opt(o, 1, "on it"), opt(o, 0, "")))
			c := Comments{File: []string{"2 errors"}, Frames: map[int64][]string{2: {"on it"}}}
			if out, r := annotated(t, in, c); !bytes.Equal(out, want) || !reflect.DeepEqual(r, Result{Frames: 2, Placed: 1}) {
				t.Errorf("%v %x: %+v, the copy is\n%x\nwant\n%x", o, v.magic, r, out, want)
			}
			held(t, in, c)
		}
	}
}

// TestEveryCut cuts files at every byte: what is whole is copied, and no more.
func TestEveryCut(t *testing.T) {
	o := orders[1]
	for _, whole := range [][]byte{
		everything(o, orders[0]),
		join(pcapHead(o, 0xa1b23c4d, 0, 1), pcapRecord(o, 1, 2, 3, "abc", ""), pcapRecord(o, 1, 2, 3, "abcdefgh", "")),
	} {
		for n := range whole {
			held(t, whole[:n], comments(10))
		}
	}
}

// TestDamage holds that what follows damage is not copied, and that packets of
// interfaces that nobody described, which end nothing, are.
func TestDamage(t *testing.T) {
	o := orders[0]
	start := join(section(o, math.MaxUint64), iface(o, 1, 0), enhanced(o, 0, 1, 3, "abc"))
	stray, frame := enhanced(o, 5, 1, 3, "abc"), enhanced(o, 0, 1, 3, "abc")
	badTrailer := bytes.Clone(frame)
	badTrailer[len(badTrailer)-1] = 1
	for name, f := range map[string]struct{ in, want []byte }{
		"strays":            {join(start, stray, frame, stray, stray), join(start, stray, frame, stray, stray)},
		"a bad length":      {join(start, o.AppendUint32(nil, 6), []byte("\x03\x00\x00\x00"), frame), start},
		"a bad last length": {join(start, badTrailer, frame), start},
		"a bad interface":   {join(start, stray, iface(o, 1, 0, []byte("\x09\x00\xff\x00")), frame), join(start, stray)},
		"a long frame":      {join(start, block(o, 6, make([]byte, 12), []byte("\xff\xff\xff\xff\x00\x00\x00\x00")), frame), start},
		"a bad section":     {join(start, block(o, 0x0a0d0d0a, []byte("nonsense"), make([]byte, 8)), frame), start},
	} {
		out, r := annotated(t, f.in, Comments{})
		if !bytes.Equal(out, f.want) || r.Fault == nil {
			t.Errorf("%s: %+v, the copy is\n%x\nwant\n%x", name, r, out, f.want)
		}
		held(t, f.in, comments(4))
	}
}

// TestComments holds what becomes of text that cannot be a comment.
func TestComments(t *testing.T) {
	o := orders[0]
	in := join(section(o, math.MaxUint64), iface(o, 1, 0), enhanced(o, 0, 1, 3, "abc"), enhanced(o, 0, 1, 3, "abc"))
	out, r := annotated(t, in, Comments{Frames: map[int64][]string{
		1: {"a\x00b\x1b[31mc\nd\te\x7f\u0085\xff", strings.Repeat("ä", 40_000)},
		2: slicesOf(strings.Repeat("x", 65_535), 300),
	}})
	got, err := frames(t, out, 9)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	if want := []string{"ab[31mc\nd\te\ufffd", strings.Repeat("ä", 32_766) + "…"}; !reflect.DeepEqual(got[0].Comments(), want) {
		t.Errorf("the first has %.40q", got[0].Comments())
	}
	if len(got[1].Comments()) != 0 || len(r.Unplaced) != 1 || r.Unplaced[0].Frame != 2 || r.Placed != 1 {
		t.Errorf("19 megabytes of comments: %d of them, %+v", len(got[1].Comments()), r)
	}
}

func slicesOf(s string, n int) (list []string) {
	for range n {
		list = append(list, s)
	}
	return list
}

// TestBigBlocks copies blocks that do not fit in a buffer.
func TestBigBlocks(t *testing.T) {
	o := orders[1]
	held(t, join(section(o, math.MaxUint64), iface(o, 1, 0), block(o, 4, bytes.Repeat([]byte("names"), 700_000)),
		enhanced(o, 0, 1, 3, strings.Repeat("data", 125_000)), block(o, 4, bytes.Repeat([]byte("names"), 700_000))), comments(1))
}

// TestHugeBlocks holds that blocks that no link fills are copied, but get no comments, and
// that of a record of pcap the first bytes are.
func TestHugeBlocks(t *testing.T) {
	o, huge := orders[0], strings.Repeat("data", 500_000)
	in := join(section(o, math.MaxUint64), iface(o, 1, 0), enhanced(o, 0, 1, 3, huge), enhanced(o, 0, 1, 3, "small"))
	var out bytes.Buffer
	result, err := Copy(&out, bytes.NewReader(in), "F", Comments{Frames: map[int64][]string{1: {"one"}, 2: {"two"}}})
	if err != nil || result.Placed != 1 || len(result.Unplaced) != 1 || result.Unplaced[0] != (Unplaced{1, tooLong}) {
		t.Fatalf("%+v and %v", result, err)
	}
	if list, err := frames(t, out.Bytes(), math.MaxInt); err != nil || len(list) != 2 || !bytes.Contains(out.Bytes(), []byte(huge)) {
		t.Errorf("%d frames in the copy, and %v", len(list), err)
	}

	in = join(section(o, math.MaxUint64, bytes.Repeat([]byte("none"), 200_000)), iface(o, 1, 0), enhanced(o, 0, 1, 3, "small"))
	out.Reset()
	if result, err = Copy(&out, bytes.NewReader(in), "F", Comments{File: []string{"one"}}); err != nil || len(result.Unplaced) != 1 {
		t.Fatalf("%+v and %v", result, err)
	}
	if !bytes.Equal(out.Bytes(), in) {
		t.Error("a long section header is not copied as it is")
	}
}

// TestErrors holds that what is no capture, and an output that takes no more, are
// errors.
func TestErrors(t *testing.T) {
	for name, in := range map[string]string{"nothing": "", "no capture": "#!/bin/sh\n", "no gzip": "\x1f\x8b\x00\x00", "no zstd": "\x28\xb5\x2f\xfd\xff"} {
		var e *capture.Error
		if _, err := Copy(io.Discard, strings.NewReader(in), "F", Comments{}); !errors.As(err, &e) || e.File != "F" {
			t.Errorf("%s: %v", name, err)
		}
	}
	in := unpackedSample(t, "rxe-ipv6")
	for _, n := range []int{0, 300_000, 700_000} {
		if _, err := Copy(&full{n}, bytes.NewReader(in), "F", Comments{}); !errors.Is(err, errFull) {
			t.Errorf("an output of %d bytes: %v", n, err)
		}
	}
}

var errFull = errors.New("no space left")

// full is an output with so many bytes left.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, errFull
	}
	f.left -= len(b)
	return len(b), nil
}

// TestAllocs holds that a frame without comments costs no memory.
func TestAllocs(t *testing.T) {
	for _, name := range []string{"rxe-ipv6", "rxe-loss"} { // pcap and pcapng
		in := unpackedSample(t, name)
		list, err := frames(t, in, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		n := allocs.Per(1, func() {
			if _, err := Copy(io.Discard, bytes.NewReader(in), "F", Comments{}); err != nil {
				t.Error(err)
			}
		})
		if n > 60 || len(list) < 600 {
			t.Errorf("%s: %v allocations for %d frames", name, n, len(list))
		}
	}
}
