package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadFiles: what each bad file makes us say, to the letter.
func TestBadFiles(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	ng := join(ngSection(le, -1), ngInterface(le, ethernet, 0)) // 28 and 20 bytes
	one := ngEnhanced(le, 0, 1, 3, "one")                       // 36 bytes
	pcap := join(pcapHead(le, 0xa1b2c3d4, 65535, 1), pcapRecord(le, 1, 1, 3, "one", ""))
	for _, c := range []struct {
		what string
		file []byte
		want string
	}{
		{"empty", nil, "F: byte 0: the file is empty"},
		{"empty, compressed", gzipped(t, nil), "F: byte 0: the file is empty"},
		{"a script", []byte("#!/bin/sh\n"), "F: byte 0: not a pcap or pcapng file (it begins with 23 21 2f 62)"},
		{"a short text", []byte("hi"), "F: byte 0: not a pcap or pcapng file (it begins with 68 69)"},
		{"a text, compressed", zstandard(t, []byte("hello, world\n")), "F: byte 0: not a pcap or pcapng file (it begins with 68 65 6c 6c)"},
		{"snoop", []byte("snoop\x00\x00\x00\x00\x00\x00\x02"), "F: byte 0: is a snoop capture; convert it with editcap -F pcapng"},
		{"xz", []byte("\xfd7zXZ\x00\x00\x04"), "F: byte 0: is xz-compressed; decompress it first (gzip and zstd are read directly)"},
		{"gzip twice", gzipped(t, gzipped(t, pcap)), "F: byte 0: is compressed with gzip twice; decompress it once first"},
		{"zstd in gzip", gzipped(t, zstandard(t, pcap)), "F: byte 0: is compressed twice, with zstd inside; decompress it once first"},

		{"old pcap", change(pcap, 6, "\x02\x00"), "F: byte 4: pcap version 2.2 is not supported (2.4 is); convert it with editcap -F pcapng"},
		{"cut pcap header", pcap[:20], "F: byte 0: the file ends in the middle of its header"},
		{
			"cut pcap record", pcap[:len(pcap)-1],
			"F: byte 24: the file ends in the middle of the record that starts here, after 0 whole frames",
		},
		{
			"cut second pcap record", append(pcap[:len(pcap):len(pcap)], 1, 2, 3),
			"F: byte 43: the file ends in the middle of the record that starts here, after 1 whole frame",
		},
		{
			"absurd pcap length", change(pcap, 24+8, "\x01\x00\x04\x00"),
			"F: byte 32: a captured length of 262145 bytes exceeds the limit of 262144; the file is damaged here, after 0 whole frames",
		},

		{"cut section header", ng[:27], "F: byte 0: the file ends in the middle of its header"},
		{"no byte-order magic", change(ng, 8, "\x00"), "F: byte 8: a section must have the byte-order magic 1a2b3c4d in either order; this one has 00 3c 2b 1a"},
		{"pcapng of tomorrow", change(ng, 12, "\x02\x00"), "F: byte 12: pcapng version 2.0 is not supported (1.0 is)"},
		{"short section header", ngBlock(be, 0x0a0d0d0a, []byte("\x1a\x2b\x3c\x4d\x00\x01\x00\x00")), "F: byte 4: a section header block of 20 bytes is too short"},
		{
			"block length 0", append(join(ng, one), "\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...),
			"F: byte 88: a block length of 0 bytes is not valid: it must be a multiple of 4 from 12 to 268435456; the file is damaged here, after 1 whole frame",
		},
		{
			"block length 1 GiB", append(join(ng, one), "\x06\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00"...),
			"F: byte 88: a block length of 1073741824 bytes is not valid: it must be a multiple of 4 from 12 to 268435456; the file is damaged here, after 1 whole frame",
		},
		{
			"block length that is not a multiple of 4", append(join(ng, one), "\x06\x00\x00\x00\x0e\x00\x00\x00\x00\x00\x00\x00\x0e\x00"...),
			"F: byte 88: a block length of 14 bytes is not valid: it must be a multiple of 4 from 12 to 268435456; the file is damaged here, after 1 whole frame",
		},
		{
			"lengths that differ", join(ng, change(one, 32, "\x28")),
			"F: byte 80: the block starts with a length of 36 bytes and ends with 40; the file is damaged here, after 0 whole frames",
		},
		{
			"lengths that differ, of an unknown block", join(ng, one, change(ngBlock(le, 99, nil), 8, "\x10")),
			"F: byte 92: the block starts with a length of 12 bytes and ends with 16; the file is damaged here, after 1 whole frame",
		},
		{
			"captured length beyond the block", join(ng, change(one, 20, "\x05")),
			"F: byte 68: a captured length of 5 bytes in a block with room for 4; the file is damaged here, after 0 whole frames",
		},
		{"captured length 2^32-1", join(ng, change(one, 20, "\xff\xff\xff\xff")),
			"F: byte 68: a captured length of 4294967295 bytes in a block with room for 4; the file is damaged here, after 0 whole frames"},
		{"short packet", join(ng, ngBlock(le, 6, make([]byte, 16))), "F: byte 52: a packet block of 28 bytes is too short"},
		{"short simple packet", join(ng, ngBlock(le, 3, nil)), "F: byte 52: a simple packet block of 12 bytes is too short"},
		{
			"simple packet beyond the block", join(ng, ngSimple(le, 9, "one")),
			"F: byte 56: a simple packet of 9 bytes in a block with room for 4; the file is damaged here, after 0 whole frames",
		},
		{"short interface", join(ngSection(le, -1), ngBlock(le, 1, make([]byte, 4))), "F: byte 32: an interface description block of 16 bytes is too short"},
		{"unknown interface", join(ng, ngEnhanced(le, 1, 1, 3, "one")), "F: byte 48: a packet names interface 1, but its section has described 1 so far; 1 such packet was skipped"},
		{"interface of another section", join(ng, ngSection(be, -1), ngSimple(be, 3, "one")), "F: byte 76: a packet names interface 0, but its section has described 0 so far; 1 such packet was skipped"},
		{
			"option beyond the interface", join(ngSection(le, -1), ngInterface(le, 1, 0, []byte{2, 0, 5, 0, 'e', 't', 'h', '0'})),
			"F: byte 44: an option of an interface description does not fit its block",
		},
		{
			"time resolution of two bytes", join(ngSection(le, -1), ngInterface(le, 1, 0, ngOption(le, ifTsresol, []byte{6, 6}))),
			"F: byte 44: a time option of 2 bytes in an interface description",
		},
	} {
		_, err := readAll(t, c.file)
		if err == nil {
			t.Errorf("%s: no error", c.what)
		} else if err.Error() != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, err, c.want)
		}
	}
}

// change is file with the bytes at an offset replaced.
func change(file []byte, at int, data string) []byte {
	return append(append(file[:at:at], data...), file[at+len(data):]...)
}

// TestTooManyInterfaces: a stream that describes interfaces for ever is ended.
func TestTooManyInterfaces(t *testing.T) {
	o := binary.LittleEndian
	file := ngSection(o, -1)
	for range maxInterfaces + 1 {
		file = append(file, ngInterface(o, ethernet, 0)...)
	}
	want := fmt.Sprintf("F: byte %d: a section with more than %d interfaces", len(file)-20, maxInterfaces)
	if _, err := readAll(t, file); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.pcap")
	_, err := Open(missing, 0)
	if e := asError(t, err); e.Offset != -1 || !errors.Is(err, fs.ErrNotExist) || strings.Count(e.Error(), missing) != 1 {
		t.Errorf("a file that does not exist: %v", err)
	}
	_, err = Open(dir, 0)
	if want := dir + ": is a directory"; asError(t, err).Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	text := filepath.Join(dir, "text.pcap")
	if err := os.WriteFile(text, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(text, 0); err == nil || !strings.HasPrefix(err.Error(), text+": byte 0: not a pcap") {
		t.Errorf("got %v", err)
	}
}
