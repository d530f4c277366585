package pcapng_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// FuzzBlocks writes a section with an interface and two packets, in either byte order. Each block
// says twice how long it is, and another reader and package capture read what was written.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("five."), "a comment", "mirror0", uint64(1_700_000_000_123_456_789), uint32(70), uint64(3), true)
	f.Add([]byte{}, "\x00control\x1b[31m and \xff no UTF-8", strings.Repeat("ß", 40_000), uint64(0), uint32(0), uint64(0), false)
	f.Add(make([]byte, 2000), "", "eth0\n", uint64(1<<63-1), uint32(1<<31-1), uint64(1<<40), false)
	f.Fuzz(func(t *testing.T, data []byte, comment, name string, ticks uint64, length uint32, drops uint64, big bool) {
		if len(data) > 1<<16 || len(comment)+len(name) > 1<<17 {
			return
		}
		var o pcapng.Order = binary.LittleEndian
		if big {
			o = binary.BigEndian
		}
		ticks &= 1<<63 - 1 // as many nanoseconds as there can be
		p := pcapng.Packet{Ticks: ticks, Length: max(length&(1<<31-1), uint32(len(data)))}
		var starts []int
		b := pcapng.BeginSection(nil, o)
		b = pcapng.AppendText(b, o, pcapng.Comment, comment)
		b = pcapng.End(pcapng.EndOptions(b, o), o, 0)
		starts = append(starts, 0, len(b))
		b = pcapng.BeginInterface(b, o, 1, 0, 9)
		b = pcapng.AppendText(b, o, pcapng.Name, name)
		b = pcapng.End(pcapng.EndOptions(b, o), o, starts[1])
		starts = append(starts, len(b))
		b = pcapng.BeginPacket(b, o, p, data)
		b = pcapng.AppendText(b, o, pcapng.Comment, comment)
		b = pcapng.AppendCount(b, o, pcapng.DropCount, drops)
		b = pcapng.End(pcapng.EndOptions(b, o), o, starts[2])
		starts = append(starts, len(b))
		b = pcapng.End(pcapng.BeginPacket(b, o, p, data), o, starts[3])
		if n := len(b) - starts[3]; n != pcapng.PacketSize(len(data)) {
			t.Errorf("a packet of %d bytes takes %d, and is said to take %d", len(data), n, pcapng.PacketSize(len(data)))
		}
		for i, start := range append(starts[1:], len(b)) {
			n := start - starts[i]
			if front, back := o.Uint32(b[starts[i]+4:]), o.Uint32(b[start-4:]); n%4 != 0 || int(front) != n || front != back {
				t.Fatalf("block %d of %d bytes says %d and %d", i, n, front, back)
			}
		}
		by(t, b, p, data, wanted(comment), drops > 0)
		if len(wanted(comment)) < 1<<16-4 && len(wanted(name)) < 1<<16-4 { // others fill up in 16 bits
			others(t, b, p, data, wanted(name))
		}
	})
}

// wanted is text as it is read again: each byte that is no UTF-8 becomes a U+FFFD.
func wanted(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// same reports whether text is as wanted, or the front of that where it is too long.
func same(got, want string) bool {
	const longest = 1<<16 - 1
	if len(want) <= longest {
		return got == want
	}
	front, cut := strings.CutSuffix(got, "…")
	return cut && len(got) <= longest && len(got) > longest-8 && utf8.ValidString(got) && strings.HasPrefix(want, front)
}

// by has package capture read both packets.
func by(t *testing.T, b []byte, p pcapng.Packet, data []byte, comment string, dropped bool) {
	t.Helper()
	file, err := capture.NewReader(bytes.NewReader(b), "F", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i := range 2 {
		var f capture.Frame
		if err := file.Next(&f); err != nil {
			t.Fatalf("packet %d: %v", i, err)
		}
		if !bytes.Equal(f.Data, data) || f.Length != int32(p.Length) || f.Time != int64(p.Ticks) {
			t.Errorf("packet %d: %d bytes of %d at %d, want %d of %d at %d", i, len(f.Data), f.Length, f.Time, len(data), p.Length, p.Ticks)
		}
		if f.Dropped() != (dropped && i == 0) {
			t.Errorf("packet %d: dropped before it: %v", i, f.Dropped())
		}
		list := f.Comments()
		if i == 0 && comment != "" && (len(list) != 1 || !same(list[0], comment)) || i == 1 && len(list) > 0 {
			t.Errorf("packet %d: comments %q, want %q", i, list, comment)
		}
	}
	var f capture.Frame
	if err := file.Next(&f); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// others has another reader read the first packet.
func others(t *testing.T, b []byte, p pcapng.Packet, data []byte, name string) {
	t.Helper()
	r, err := pcapgo.NewNgReader(bytes.NewReader(b), pcapgo.NgReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, info, err := r.ReadPacketData()
	if err != nil || !bytes.Equal(got, data) || info.Length != int(p.Length) || info.Timestamp.UnixNano() != int64(p.Ticks) {
		t.Errorf("%d bytes, %+v, %v", len(got), info, err)
	}
	// It takes an empty option for the one before.
	if i, err := r.Interface(0); err != nil || name != "" && !same(i.Name, name) {
		t.Errorf("interface %q, %v, want %q", i.Name, err, name)
	}
}
