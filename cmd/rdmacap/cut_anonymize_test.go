package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
)

// anonymized cuts all RPCs of a sample as they are, and anonymized with a key that does not change
// from run to run.
func anonymized(t *testing.T, name string, args ...string) (before, after, key string) {
	t.Helper()
	dir := t.TempDir()
	before, after, key = filepath.Join(dir, "before.pcapng"), filepath.Join(dir, "after.pcapng"), filepath.Join(dir, "our.key")
	write := "rdmacap anonymize key 1: anyone who has this file can undo the replacement\nkey " + strings.Repeat("5a", 32) + "\n"
	if err := os.WriteFile(key, []byte(write), 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{sample(name)}, args...)
	rdmacapCut(t, append(args, "-o", before)...)
	said := rdmacapCut(t, append(args, "--anonymize", "--key", key, "-o", after)...)
	if !strings.Contains(said, "cut: anonymized: ") || !strings.Contains(said, "; key in ") {
		t.Errorf("%s", said)
	}
	return before, after, key
}

// TestCutAnonymize holds that of what is anonymized read and check say the same, and that nothing
// is left of the addresses, names, ids, handles and data.
func TestCutAnonymize(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rxe-basic", "siw-basic", "rxe-krb"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after, _ := anonymized(t, name, "--since", "0", "--until", "30")
			columns := []string{"read", "-q", "--format", "csv", "--columns", "no,time,conn,xid,proc,latency,status,call,reply,travelled"}
			if a, b := must(t, append(columns, before)...), must(t, append(columns, after)...); a != b || strings.Count(a, "\n") < 50 {
				t.Errorf("rows before:\n%.2000s\nafter:\n%.2000s", a, b)
			}
			if a, b := rulesFound(t, before), rulesFound(t, after); !slices.Equal(a, b) || len(a) == 0 {
				t.Errorf("findings before: %v, after: %v", a, b)
			}
			bytesAfter, err := os.ReadFile(after)
			if err != nil {
				t.Fatal(err)
			}
			found := originals(t, before)
			if found["address"] == nil || found["name"] == nil || found["handle"] == nil || found["station"] == nil {
				t.Errorf("nothing to look for: %d sorts", len(found))
			}
			for sort, list := range found {
				for value := range list {
					if bytes.Contains(bytesAfter, []byte(value)) {
						t.Errorf("%s %q is in what was anonymized", sort, value)
					}
				}
			}
			noData(t, before, bytesAfter)
		})
	}
}

// rulesFound are the rules, severities and counts of a capture.
func rulesFound(t *testing.T, file string) (list []string) {
	t.Helper()
	for _, f := range recordsFrom(t, "finding", "check", "--all", file) {
		list = append(list, fmt.Sprint(f["rule"], f["severity"], f["count"], f["certainty"], f["connection"]))
	}
	slices.Sort(list)
	return list
}

// originals are the values that must not be found any more, by what they are: taken from what
// is shown of the capture, and from its frames.
func originals(t *testing.T, file string) map[string]map[string]bool {
	t.Helper()
	all := make(map[string]map[string]bool)
	add := func(sort, value string) {
		if all[sort] == nil {
			all[sort] = make(map[string]bool)
		}
		all[sort][value] = true
	}
	text := must(t, "read", "-q", "-V", file)
	for _, m := range regexp.MustCompile(`(?m)^ .*: "((?:[^"\\]|\\.){4,})"`).FindAllStringSubmatch(text, -1) {
		if name, err := strconv.Unquote(`"` + m[1] + `"`); err == nil && !strings.HasPrefix(name, "MPA ID Re") {
			add("name", name)
		}
	}
	for _, m := range regexp.MustCompile(`CRC-32 of \d+ bytes\): ([0-9a-f]+)`).FindAllStringSubmatch(text, -1) {
		if b, err := hex.DecodeString(m[1]); err == nil && len(b) >= 8 && len(bytes.Trim(b, "\x00")) > 0 {
			add("handle", string(b))
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ +[ug]ids?: (\d+)$`).FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseUint(m[1], 10, 32); err == nil && n >= 1<<16 {
			add("id", string(binary.BigEndian.AppendUint32(nil, uint32(n))))
		}
	}
	for _, c := range recordsFrom(t, "connection", "stats", file) {
		for _, m := range regexp.MustCompile(`\d+\.\d+\.\d+\.\d+`).FindAllString(fmt.Sprint(c), -1) {
			a := netip.MustParseAddr(m)
			add("address", string(a.AsSlice()))
			add("address", m)
		}
	}
	eachFrame(t, file, func(f *capture.Frame) {
		add("station", string(f.Data[:6]))
		add("station", string(f.Data[6:12]))
	})
	return all
}

// eachFrame reports the frames of a file.
func eachFrame(t *testing.T, file string, tell func(f *capture.Frame)) {
	t.Helper()
	r, err := capture.Open(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var f capture.Frame
	for r.Next(&f) == nil {
		tell(&f)
	}
}

// noData holds that no 16 bytes of the files that a capture moved are in what was made of it, unless
// all of them are the same or most are zero.
func noData(t *testing.T, file string, made []byte) {
	t.Helper()
	const run = 16
	dir := filepath.Join(t.TempDir(), "objects")
	must(t, "export", "objects", "-q", file, "-o", dir)
	runs := make(map[[run]byte]bool)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "manifest.json" {
			return err
		}
		b, err := os.ReadFile(path)
		for ; len(b) >= run; b = b[run:] {
			if bytes.Count(b[:run], b[:1]) < run && bytes.Count(b[:run], []byte{0}) < run/2 {
				runs[[run]byte(b)] = true
			}
		}
		return err
	})
	if err != nil || len(runs) < 100 {
		t.Fatalf("%d runs of data: %v", len(runs), err)
	}
	for i := 0; i+run <= len(made); i++ {
		if runs[[run]byte(made[i:])] {
			t.Fatalf("data at byte %d: %x", i, made[i:i+run])
		}
	}
}

// TestCutAnonymizeKey holds that the same key makes the same file, another one another, that the
// file with the key says what was replaced, and that only its owner can read it.
func TestCutAnonymizeKey(t *testing.T) {
	t.Parallel()
	_, after, key := anonymized(t, "siw-cb", "-Y", "nfs.op == OPEN")
	again, other := cutFile(t), cutFile(t)
	rdmacapCut(t, sample("siw-cb"), "-Y", "nfs.op == OPEN", "--anonymize", "--key", key, "-o", again)
	said := rdmacapCut(t, sample("siw-cb"), "-Y", "nfs.op == OPEN", "--anonymize", "-o", other)
	var made [3][]byte
	for i, name := range []string{after, again, other} {
		var err error
		if made[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("the same key makes another file")
	}
	if bytes.Equal(made[0], made[2]) || len(made[0]) != len(made[2]) || !strings.Contains(said, "nobody has the key") {
		t.Errorf("another key: %d bytes, %d before; %s", len(made[2]), len(made[0]), said)
	}
	for _, mine := range []string{"nfs.op", "chosen by", "siw-cb"} {
		if bytes.Contains(made[0], []byte(mine)) {
			t.Errorf("the file says %q", mine)
		}
	}
	table, err := os.ReadFile(key)
	if err != nil || !strings.Contains(string(table), "\nname \"") || !strings.Contains(string(table), "\naddress 192.0.2.1 -> ") {
		t.Errorf("%v: the file with the key has\n%.500s", err, table)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.key")
	rdmacapCut(t, sample("siw-cb"), "-Y", "nfs.op == OPEN", "--anonymize", "--key", fresh, "-o", other, "--force")
	if info, err := os.Stat(fresh); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v: rights %v", err, info.Mode())
	}
	for _, c := range []struct{ args, want string }{
		{"--key " + fresh, "--key needs --anonymize"},
		{"--anonymize --key " + other, "is one of the captures"},
		{"--anonymize --key cut_anonymize_test.go", "is not a key of rdmacap cut --anonymize"},
	} {
		r := rdmacap(append([]string{"cut", sample("siw-cb"), "--since", "0", "-o", other, "--force"}, strings.Fields(c.args)...)...)
		if r.status != exitUnusable || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: status %d, %q", c.args, r.status, r.err)
		}
	}
}
