package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCutCapture holds that a capture which ends in the middle of a record is
// read to its last whole one, with a warning, and that this is no failure.
func TestCutCapture(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	path := write(t, "cut.pcap", whole[:5000])
	r := rdmacap("read", path)
	if r.status != exitDone {
		t.Errorf("status %d", r.status)
	}
	want := "rdmacap: warning: " + path + ": byte 4977: the file ends in the middle of the record that starts here, after 46 whole frames\n"
	if r.err != want {
		t.Errorf("standard error %q, want %q", r.err, want)
	}
	if !strings.Contains(r.out, "0x58671161  NFS4 NULL") || !strings.Contains(r.out, "1 RPC on 1 connection, 46 frames") {
		t.Errorf("the RPC before the cut is not in\n%s", r.out)
	}
}

// TestNoCapture holds what is reported of files that are no captures: one line
// with the file, the byte and the reason, and the others are shown.
func TestNoCapture(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	absurd := append(bytes.Clone(whole[:24]), 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f)
	dir := t.TempDir()
	for _, c := range []struct {
		name, path, reason string
	}{
		{"text", write(t, "notes.txt", []byte("these are notes\n")), "byte 0: not a pcap or pcapng file"},
		{"empty", write(t, "empty.pcap", nil), "byte 0: the file is empty"},
		{"header cut", write(t, "short.pcap", whole[:20]), "byte 0: the file ends in the middle of its header"},
		{"absurd length", write(t, "absurd.pcap", absurd), "byte 32: a captured length of 2147483647 bytes"},
		{"folder", dir, "is a directory"},
		{"missing", dir + "/none.pcap", "cannot be opened"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rdmacap("read", c.path)
			if r.status != exitUnusable {
				t.Errorf("status %d", r.status)
			}
			if !strings.HasPrefix(r.err, "rdmacap: "+c.path+": ") || !strings.Contains(r.err, c.reason) || strings.Count(r.err, "\n") != 1 {
				t.Errorf("standard error %q, want one line with %q", r.err, c.reason)
			}
			with := rdmacap("read", c.path, sample("rxe-cb"))
			if with.status != exitUnusable || with.err != r.err || !strings.Contains(with.out, "116 RPCs on 2 connections") {
				t.Errorf("with a good capture: status %d, standard error %q, summary %q", with.status, with.err, last(with.out))
			}
		})
	}
}

// TestTwoBrokenFiles holds that each broken file has its own line, and that a
// damaged one is not excused by one that is only cut short.
func TestTwoBrokenFiles(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	cut := write(t, "cut.pcap", whole[:5000])
	damaged := write(t, "damaged.pcap", append(bytes.Clone(whole[:4977]), bytes.Repeat([]byte{0xff}, 100)...))
	r := rdmacap("read", cut, damaged)
	if r.status != exitUnusable {
		t.Errorf("status %d", r.status)
	}
	lines := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("standard error %q, want two lines", r.err)
	}
	for _, line := range lines {
		warning := strings.HasPrefix(line, "rdmacap: warning: "+cut+": byte 4977")
		if !warning && !strings.HasPrefix(line, "rdmacap: "+damaged+": byte 4985") {
			t.Errorf("line %q", line)
		}
	}
}

// TestUnknownLinkType holds that frames of a link type that nobody can read
// are counted and told of.
func TestUnknownLinkType(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	binary.LittleEndian.PutUint32(data[20:], 147)
	path := write(t, "user0.pcap", data)
	r := rdmacap("read", path)
	want := fmt.Sprintf("rdmacap: %s: byte 24: rdmacap does not support LINKTYPE 147 (interface 0): 585 frames from here on counted, but not read\n", path)
	if r.status != exitUnusable || r.err != want {
		t.Errorf("status %d, standard error %q, want %q", r.status, r.err, want)
	}
	if !strings.Contains(r.out, "585 frames not RDMA") {
		t.Errorf("summary %q", last(r.out))
	}
	// At the level of frames each has its row.
	if out := rdmacap("read", "--level", "frame", path).out; strings.Count(out, "link type not known") != 585 {
		t.Errorf("%d frames are said to be of no known link type", strings.Count(out, "link type not known"))
	}
}

// TestUnknownInterface holds that an interface of unknown link type beside one
// that is known is a warning only: the file could be used.
func TestUnknownInterface(t *testing.T) {
	path := write(t, "two.pcapng", bytes.Join([][]byte{
		sectionHeader(), interfaceBlock(147), interfaceBlock(1),
		simplePacket(0, []byte("??")), simplePacket(1, make([]byte, 60)), simplePacket(0, []byte("!!")),
	}, nil))
	r := rdmacap("read", path)
	want := fmt.Sprintf("rdmacap: warning: %s: byte 68: rdmacap does not support LINKTYPE 147 (interface 0): 2 frames from here on counted, but not read\n", path)
	if r.status != exitDone || r.err != want {
		t.Errorf("status %d, standard error %q, want %q", r.status, r.err, want)
	}
}

// TestSnapLength holds that headers which the snap length cut are faults on
// their frames, and everything else is shown.
func TestSnapLength(t *testing.T) {
	path := write(t, "snap.pcap", snapped(unpacked(t, "rxe-cb"), 60))
	r := rdmacap("read", "--level", "frame", path)
	if r.status != exitDone || r.err != "" {
		t.Errorf("status %d, standard error %q", r.status, r.err)
	}
	for _, want := range []string{"[DETH cut short at byte 60]", "[RETH cut short at byte 60]", "RC Acknowledge"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(r.out, "ICRC wrong") {
		t.Error("an ICRC that was not captured is said to be wrong")
	}
}

// TestCutAnywhere holds that no length of a capture makes the program fail in
// another way than it says.
func TestCutAnywhere(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	for n := 24; n < 8000; n += 37 {
		r := rdmacapReading(bytes.NewReader(whole[:n]), "read", "-x", "--level", "frame", "-")
		if r.status != exitDone || r.err != "" && !strings.HasPrefix(r.err, "rdmacap: warning: standard input: byte ") {
			t.Fatalf("%d bytes: status %d, standard error %q", n, r.status, r.err)
		}
	}
}

// TestGarbledFrames holds that bytes changed at random places are shown as
// what they are, with every flag, and never end the program.
func TestGarbledFrames(t *testing.T) {
	t.Parallel()
	whole := unpacked(t, "rxe-cb")
	seed := uint32(1)
	for round := range 5 {
		garbled := bytes.Clone(whole)
		for at := 24; at+16 < len(garbled); {
			length := int(binary.LittleEndian.Uint32(garbled[at+8:]))
			seed = seed*1664525 + 1013904223
			if seed>>28 == 0 { // one frame of sixteen
				garbled[at+16+int(seed>>8)%length] ^= byte(seed | 1)
			}
			at += 16 + length
		}
		for _, level := range []string{"rpc", "message", "frame"} {
			text := rdmacapReading(bytes.NewReader(garbled), "read", "-V", "-x", "--level", level, "-")
			lines := rdmacapReading(bytes.NewReader(garbled), "read", "--format", "ndjson", "-x", "--level", level, "-")
			if text.status != exitDone || lines.status != exitDone || text.err+lines.err != "" {
				t.Fatalf("round %d: status %d and %d, %q", round, text.status, lines.status, text.err+lines.err)
			}
			if round == 0 {
				for line := range strings.Lines(lines.out) {
					checkRecord(t, decode(t, line).(map[string]any))
				}
			}
		}
	}
}

func last(out string) string {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	return lines[len(lines)-1]
}

// snapped cuts every frame of a little-endian pcap file to n bytes.
func snapped(file []byte, n int) []byte {
	out := bytes.Clone(file[:24])
	for at := 24; at+16 <= len(file); {
		length := int(binary.LittleEndian.Uint32(file[at+8:]))
		kept := min(n, length)
		out = append(out, file[at:at+8]...)
		out = binary.LittleEndian.AppendUint32(out, uint32(kept))
		out = append(out, file[at+12:at+16+kept]...)
		at += 16 + length
	}
	return out
}

// The blocks of a pcapng file (draft-ietf-opsawg-pcapng, section 4).
func block(kind uint32, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	size := uint32(12 + len(body))
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint32(b, size)
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, size)
}

func sectionHeader() []byte {
	return block(0x0A0D0D0A, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
}

func interfaceBlock(link byte) []byte { return block(1, []byte{link, 0, 0, 0, 0, 0, 0, 0}) }

func simplePacket(iface byte, data []byte) []byte {
	body := make([]byte, 20)
	body[0] = iface
	binary.LittleEndian.PutUint32(body[12:], uint32(len(data)))
	binary.LittleEndian.PutUint32(body[16:], uint32(len(data)))
	return block(6, append(body, data...))
}

// TestClosedPipe holds that a reader who leaves, as head does, is no failure
// and no reason for a word.
func TestClosedPipe(t *testing.T) {
	for _, format := range []string{"text", "json", "ndjson"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var said bytes.Buffer
		status := run(t.Context(), []string{"read", "--format", format, "--level", "frame", "-x", sample("rxe-cb")}, streams{in: strings.NewReader(""), out: w, err: &said})
		w.Close()
		if status != exitDone || said.Len() > 0 {
			t.Errorf("%s: status %d, standard error %q", format, status, said.String())
		}
	}
}

// TestFullDisk holds that output which cannot be written is a failure.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	var said bytes.Buffer
	status := run(t.Context(), []string{"read", sample("rxe-cb")}, streams{in: strings.NewReader(""), out: full, err: &said})
	if status != exitUnusable || !strings.HasPrefix(said.String(), "rdmacap: standard output: ") {
		t.Errorf("status %d, standard error %q", status, said.String())
	}
}
