package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/wrap"
)

// captureFile writes a capture into a folder of the test's, always by the same name: reports
// name their captures.
func captureFile(t *testing.T, pcap []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "capture.pcap")
	if err := os.WriteFile(path, pcap, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// outer is what tunnels change in records: sizes of frames, sums of them, places in them,
// the folder of the capture, and how long it took to read it.
var outer = func() (p patterns) {
	for _, name := range []string{"bytes", "length", "captured", "elapsed_seconds", "offset"} {
		p = append(p, regexp.MustCompile(`"`+name+`":[0-9.e+-]+`))
	}
	for _, name := range []string{"file", "name"} {
		p = append(p, regexp.MustCompile(`"`+name+`":"[^"]*capture.pcap"`))
	}
	return p
}()

// inTunnel runs a command line that succeeds, and leaves out what tunnels change.
func inTunnel(t *testing.T, args ...string) string {
	t.Helper()
	r := rdmacap(args...)
	if r.status != exitDone || r.err != "" {
		t.Fatalf("rdmacap %s: status %d, standard error %q", strings.Join(args, " "), r.status, r.err)
	}
	return outer.removedFrom(r.out)
}

// The samples say the same in every tunnel: the same RPCs, byte for byte, and the same
// findings, but for where in the frame their bytes are.
func TestTunnelsHideNothing(t *testing.T) {
	commands := [][]string{
		{"read", "--format", "ndjson"},
		{"check", "--format", "ndjson", "--fail-on", "never"},
	}
	for _, name := range []string{"rxe-basic", "siw-basic", "rxe-ipv6"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pcap := unpacked(t, name)
			plain := captureFile(t, pcap)
			var want []string
			for _, c := range commands {
				want = append(want, inTunnel(t, append(c, plain)...))
			}
			if n := strings.Count(want[0], `"type":"rpc"`); n < 100 {
				t.Fatalf("%d RPCs", n)
			}
			kinds := append(wrap.Kinds(), wrap.Nested())
			for i, k := range kinds {
				if !long.Tests && i%5 != 0 {
					continue
				}
				in, err := wrap.Capture(pcap, k.Frame)
				if err != nil {
					t.Fatal(err)
				}
				path := captureFile(t, in)
				for j, c := range commands {
					if got := inTunnel(t, append(c, path)...); got != want[j] {
						t.Errorf("%s: %s differs at %s", k.Name, c[0], differing(got, want[j]))
					}
				}
			}
		})
	}
}

// --decap says which tunnels are looked into.
func TestDecap(t *testing.T) {
	pcap := unpacked(t, "rxe-ipv6")
	for _, k := range append(wrap.Kinds(), wrap.Nested()) {
		in, err := wrap.Capture(pcap, k.Frame)
		if err != nil {
			t.Fatal(err)
		}
		path := captureFile(t, in)
		for list, seen := range map[string]bool{
			"all": true, k.Decap: true, "none": false, "-" + strings.ReplaceAll(k.Decap, ",", ",-"): false,
		} {
			r := rdmacap("read", "-q", "--decap", list, path)
			if got := strings.Contains(r.out, "NFS"); got != seen {
				t.Errorf("%s with --decap %s: RPCs are seen: %v", k.Name, list, got)
			}
		}
	}
	// What nothing is found in is told, and what it is.
	in, err := wrap.Capture(pcap, wrap.Kinds()[0].Frame)
	if err != nil {
		t.Fatal(err)
	}
	path := captureFile(t, in)
	want := "rdmacap: warning: " + path + ": no RDMA traffic: all its frames are of one kind, 825 frames of GRE\n"
	if r := rdmacap("read", "-q", "--decap", "-erspan", path); r.status != exitDone || r.err != want {
		t.Errorf("status %d, standard error %q, want %q", r.status, r.err, want)
	}
	if r := rdmacap("read", "--decap", "gre,vlan", sample("rxe-ipv6")); r.status != exitUnusable || !strings.Contains(r.err, "there is no vlan") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}

// What a mirror cut, with no true length in the record, is cut and not malformed: all is
// said of it that is reported where the records have the length.
func TestCutByMirror(t *testing.T) {
	pcap := unpacked(t, "rxe-basic")
	const most = 128
	mirrored, err := wrap.Capture(pcap, func(f []byte) []byte { return f[:min(len(f), most)] })
	if err != nil {
		t.Fatal(err)
	}
	// The same with the lengths in the records that a snap length leaves there.
	snapped := append([]byte(nil), mirrored...)
	whole, err := wrap.Capture(pcap, func(f []byte) []byte { return f })
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for i, j := 24, 24; i < len(snapped); {
		here, there := snapped[i:], whole[j:]
		if length := binary.LittleEndian.Uint32(there[12:]); length > most {
			binary.LittleEndian.PutUint32(here[12:], length)
			cut++
		}
		i, j = i+16+int(binary.LittleEndian.Uint32(here[8:])), j+16+int(binary.LittleEndian.Uint32(there[8:]))
	}
	if cut < 1000 {
		t.Fatalf("only %d frames are cut", cut)
	}
	for _, c := range [][]string{{"read", "--format", "ndjson"}, {"check", "--format", "ndjson", "--fail-on", "never"}} {
		got, want := inTunnel(t, append(c, captureFile(t, mirrored))...), inTunnel(t, append(c, captureFile(t, snapped))...)
		if got != want {
			t.Errorf("%s differs at %s", c[0], differing(got, want))
		}
		if !strings.Contains(got, `"malformed_frames":0`) {
			t.Errorf("%s: frames are malformed", c[0])
		}
	}
}
