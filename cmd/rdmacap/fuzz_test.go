package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/internal/cputime"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// packed reports whether compression can make a few bytes a huge capture,
// which takes its time however well it is read. FuzzOpen of package capture has
// a limit for these.
func packed(file []byte) bool {
	return bytes.HasPrefix(file, []byte("\x1f\x8b")) || bytes.HasPrefix(file, []byte("\x28\xb5\x2f\xfd")) ||
		len(file) >= 4 && string(file[1:4]) == "\x2a\x4d\x18" // a skippable frame before zstd
}

// fuzzPatience is far more time of the processors than any input of a fuzz target needs.
const fuzzPatience = 20 * time.Second

// FuzzRead gives the whole program any bytes as a capture on standard input,
// at each level and in two forms, with all that it can show. It must come to an
// end, with the status of a capture that was read or of one that could not be;
// what it complains of must be one line each; text must hold no control
// character, and records must keep the contract.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"rxe-cb", "rxe-krb", "rxe-perftest", "rxe-ipv6", "rxe-loss"} {
		f.Add(shipped.Unpacked(f, name, 24))
		f.Add(shipped.Unpacked(f, name, 8<<10))
	}
	f.Add(shipped.Unpacked(f, "rxe-cb", 20<<10)) // RPCs, and one that the cut leaves open
	f.Add(shipped.Unpacked(f, "version2-roce", 12<<10))
	f.Add(shipped.Unpacked(f, "fallback-iwarp", 4<<10))
	// The first bytes of these hold no iWARP yet: what is before it is left out.
	f.Add(pcapFile(shipped.Frames(f, "siw-basic", 130)[78:]))   // MPA frames, and a retransmission
	f.Add(pcapFile(shipped.Frames(f, "siw-basic", 262)[200:]))  // begun late, in the middle of an RDMA Read Response
	f.Add(pcapFile(shipped.Frames(f, "siw-perftest", 62)[47:])) // a Terminate
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 64<<10 || packed(file) {
			return
		}
		for _, level := range []string{"frame", "message", "rpc"} {
			for _, form := range []string{"text", "ndjson"} {
				args := []string{"read", "-V", "-x", "--level", level, "--format", form, "-"}
				before := cputime.Used(t)
				r := rdmacapReading(bytes.NewReader(file), args...)
				if took := cputime.Used(t) - before; took > fuzzPatience {
					t.Errorf("%v: %v", args, took)
				}
				checkStatus(t, r)
				if form == "text" {
					checkText(t, r.out)
				} else {
					checkRecords(t, r)
				}
			}
		}
	})
}

// pcapFile is a capture of Ethernet frames, without times.
func pcapFile(frames [][]byte) []byte {
	file := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	file = append(file, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0)
	for i, frame := range frames {
		for _, word := range []uint32{0, uint32(i), uint32(len(frame)), uint32(len(frame))} {
			file = binary.LittleEndian.AppendUint32(file, word)
		}
		file = append(file, frame...)
	}
	return file
}

func checkStatus(t *testing.T, r result) {
	t.Helper()
	if r.status != exitDone && r.status != exitUnusable || r.status == exitUnusable && r.err == "" {
		t.Errorf("status %d, standard error %q", r.status, r.err)
	}
	for line := range strings.Lines(r.err) {
		if !strings.HasPrefix(line, "rdmacap: ") || !strings.HasSuffix(line, "\n") {
			t.Errorf("standard error has the line %q", line)
		}
	}
	checkText(t, r.err)
}

// checkText demands that nothing of the capture can take hold of a terminal.
func checkText(t *testing.T, s string) {
	t.Helper()
	strange := func(c rune) bool { return c != '\n' && unicode.IsControl(c) || c == utf8.RuneError }
	if i := strings.IndexFunc(s, strange); i >= 0 {
		t.Errorf("a control character at the end of %q", s[max(0, i-80):i+1])
	}
}

func checkRecords(t *testing.T, r result) {
	t.Helper()
	var o order
	for line := range strings.Lines(r.out) {
		record := decode(t, line).(map[string]any)
		checkRecord(t, record)
		o.take(t, record)
	}
	if r.status == exitDone {
		o.end(t)
	}
}
