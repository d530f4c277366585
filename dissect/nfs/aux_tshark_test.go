package nfs_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAuxTshark shows the vectors to tshark, as calls and replies over UDP: it
// finds nothing malformed in them, and reads the values that stand with them.
func TestAuxTshark(t *testing.T) {
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not installed: ", err)
	}
	fields := []string{"_ws.malformed"}
	add := func(wants string) {
		for want := range strings.FieldsSeq(wants) {
			if name, _, _ := strings.Cut(want, "="); !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		}
	}
	var file []byte
	file = append(file, pcapHeader()...)
	for i, v := range auxVectors {
		add(v.tsharkArgs)
		add(v.tsharkResult)
		xid := 0x1000 + i
		file = appendFrame(file, 1000, 111, encode(xid, 0, 2, v.prog, v.vers, v.proc, 1, encodedSys(), 0, 0), v.args)
		file = appendFrame(file, 111, 1000, encode(xid, 1, 0, 0, 0, 0), v.result)
	}
	name := filepath.Join(t.TempDir(), "vectors.pcap")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", name, "-T", "fields", "-E", "separator=|", "-E", "aggregator=,"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	tshark := exec.Command("tshark", args...)
	var said strings.Builder
	tshark.Stderr = &said
	out, err := tshark.Output()
	if err != nil {
		t.Fatalf("tshark: %v: %s", err, &said)
	}
	rows := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(rows) != 2*len(auxVectors) {
		t.Fatalf("tshark shows %d frames of %d", len(rows), 2*len(auxVectors))
	}
	compared := 0
	for i, row := range rows {
		v := auxVectors[i/2]
		side, wants := "call", v.tsharkArgs
		if i%2 == 1 {
			side, wants = "reply", v.tsharkResult
		}
		values := strings.Split(row, "|")
		if values[0] != "" {
			t.Errorf("%s: tshark finds the %s malformed", v.name, side)
		}
		for want := range strings.FieldsSeq(wants) {
			name, value, _ := strings.Cut(want, "=")
			compared++
			if got := values[slices.Index(fields, name)]; got != value {
				t.Errorf("%s: tshark reads %s %s in the %s, want %s", v.name, name, got, side, value)
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d values were compared", compared)
	}
}

// encodedSys is the body of an AUTH_SYS credential with its length.
func encodedSys() string { return string(encode(0, "host", 0, 0, 0)) }

// pcapHeader begins a capture file of Ethernet frames.
func pcapHeader() []byte {
	b := []byte{0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0}
	b = binary.BigEndian.AppendUint32(b, 1<<16)
	return binary.BigEndian.AppendUint32(b, 1)
}

// appendFrame appends a frame with a UDP datagram.
func appendFrame(file []byte, from, to uint16, header, body []byte) []byte {
	length := len(header) + len(body)
	source, target := byte(1), byte(2)
	if from == 111 {
		source, target = target, source
	}
	frame := []byte{2, 0, 0, 0, 0, target, 2, 0, 0, 0, 0, source, 8, 0}
	frame = append(frame, 0x45, 0)
	frame = binary.BigEndian.AppendUint16(frame, uint16(20+8+length))
	frame = append(frame, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, source, 192, 0, 2, target)
	frame = binary.BigEndian.AppendUint16(frame, from)
	frame = binary.BigEndian.AppendUint16(frame, to)
	frame = binary.BigEndian.AppendUint16(frame, uint16(8+length))
	frame = append(frame, 0, 0)
	frame = append(append(frame, header...), body...)
	file = binary.BigEndian.AppendUint64(file, 1700000000<<32)
	file = binary.BigEndian.AppendUint32(file, uint32(len(frame)))
	file = binary.BigEndian.AppendUint32(file, uint32(len(frame)))
	return append(file, frame...)
}
