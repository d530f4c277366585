package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnnotateMisuse holds what is reported of command lines that cannot be used, and
// that nothing is written then.
func TestAnnotateMisuse(t *testing.T) {
	dir := t.TempDir()
	out, there := filepath.Join(dir, "out"), write(t, "there", []byte("mine"))
	own := write(t, "own.pcap", unpacked(t, "rxe-cb"))
	noise := write(t, "noise", []byte("#!/bin/sh\n"))
	for _, c := range []struct{ line, says string }{
		{"annotate -o " + out, "annotate needs a capture file (see"},
		{"annotate a b -o " + out, "annotate takes one capture file, not 2 (see"},
		{"annotate - -o " + out, "annotate cannot read standard input: "},
		{"annotate " + own, "annotate needs -o OUT.pcapng, a file to write (see"},
		{"annotate --rules NONE " + own + " -o " + out, `--rules: there is no rule or family "NONE"`},
		{"annotate --config none " + own + " -o " + out, "--config: "},
		{"annotate " + own + " -o " + own, own + " is one of the captures"},
		{"annotate " + own + " -o " + there, there + " exists: --force replaces it"},
		{"annotate " + own + " -o " + dir, dir + " is a directory"},
		{"annotate --force " + own + " -o " + own, own + " is one of the captures"},
		{"annotate --force " + noise + " -o " + there, noise + ": byte 0: not a pcap or pcapng file"},
		{"annotate " + own + " -o " + filepath.Join(dir, "none", "x"), filepath.Join(dir, "none", "x") + ": no such file or directory"},
		{"annotate none.pcap -o " + out, "none.pcap: cannot be opened: no such file or directory"},
		{"annotate " + dir + " -o " + out, dir + ": is a directory"},
		{"annotate " + noise + " -o " + out, noise + ": byte 0: not a pcap or pcapng file"},
	} {
		r := rdmacap(strings.Fields(c.line)...)
		if r.status != exitUnusable || r.out != "" || !strings.HasPrefix(r.err, "rdmacap: "+c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", c.line, r, c.says)
		}
		if _, err := os.Lstat(out); !os.IsNotExist(err) {
			t.Fatalf("%s: something was written", c.line)
		}
	}
	if mine, err := os.ReadFile(there); err != nil || string(mine) != "mine" {
		t.Errorf("a file that was there is %q, %v", mine, err)
	}
	if kept, err := os.ReadFile(own); err != nil || !bytes.Equal(kept, unpacked(t, "rxe-cb")) {
		t.Errorf("the capture has %d bytes now, %v", len(kept), err)
	}
}

// TestAnnotateDamaged holds that of captures which end amid a record, or are
// damaged, what is whole is copied, and what is reported of them.
func TestAnnotateDamaged(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	damaged := append(bytes.Clone(whole[:len(whole)/2]), bytes.Repeat([]byte("\xff"), len(whole)/2)...)
	for _, c := range []struct {
		name   string
		file   []byte
		status int
		says   string
	}{
		{"cut", whole[:len(whole)/2], exitDone, "rdmacap: warning: "},
		{"cut.zst", packedSample(t, "rxe-ipv6", 200_000), exitDone, "rdmacap: warning: "},
		{"damaged", damaged, exitUnusable, "rdmacap: "},
	} {
		path := write(t, c.name, c.file)
		out := filepath.Join(t.TempDir(), "out")
		r := straw("annotate", path, "-o", out)
		if r.status != c.status || !strings.HasPrefix(r.err, c.says+path+": byte ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", c.name, r)
		}
		if n := len(framesOf(t, out)); n == 0 || !strings.Contains(r.out, fmt.Sprintf(": %d frames, ", n)) {
			t.Errorf("%s: %d frames, and standard output is %q", c.name, n, r.out)
		}
	}
}

func packedSample(t *testing.T, name string, n int) []byte {
	t.Helper()
	file, err := os.ReadFile(sample(name))
	if err != nil {
		t.Fatal(err)
	}
	return file[:n]
}

// TestAnnotateUnplaced holds what is reported of a finding on a packet that can have no
// comment.
func TestAnnotateUnplaced(t *testing.T) {
	// The last frame, which STRAW-001 is about, is a simple packet.
	file := append([]byte("\n\r\r\n\x1c\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x1c\x00\x00\x00"),
		"\x01\x00\x00\x00\x14\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x14\x00\x00\x00"+
			"\x03\x00\x00\x00\x14\x00\x00\x00\x04\x00\x00\x00abcd\x14\x00\x00\x00"...)
	path, out := write(t, "simple", file), filepath.Join(t.TempDir(), "out")
	r := straw("annotate", path, "-o", out)
	if r.status != exitDone || r.out != out+": 1 frame, 0 with comments; 1 note\n" ||
		!strings.HasPrefix(r.err, "rdmacap: warning: "+path+": frame 1 got no comment: a simple packet block has no comment option") {
		t.Errorf("%+v", r)
	}
}
