package annotate

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// samples are the captures that ship.
func samples(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "samples", "*.pcap.zst"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(p), ".pcap.zst"))
	}
	return names
}

// some are comments on every 50th frame.
func some(n int) Comments {
	c := comments(0)
	c.File = append(c.File, "of several\nlines")
	for i := 1; i <= n; i += 50 {
		c.Frames[int64(i)] = []string{fmt.Sprintf("DDP-005b error: of frame %d", i), "rdmacap rules DDP-005\tä"}
	}
	return c
}

// TestSamples copies what ships, compressed and not.
func TestSamples(t *testing.T) {
	for _, name := range samples(t) {
		in := unpackedSample(t, name)
		before, err := frames(t, in, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		c := some(len(before))
		out, r := annotated(t, in, c)
		if r.Fault != nil || r.Placed != int64(len(c.Frames)) || len(r.Unplaced) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if fromPacked, r := annotated(t, shipped.File(t, name), c); !bytes.Equal(fromPacked, out) || r.Fault != nil {
			t.Errorf("%s: the copy of the compressed file is another, %+v", name, r)
		}
		held(t, in, c)
		held(t, out, c) // existing comments
	}
}

// TestCutCompressed copies as much of a compressed capture as can be read of it.
func TestCutCompressed(t *testing.T) {
	file := shipped.File(t, "rxe-basic")
	for _, n := range []int{len(file) / 3, len(file) / 2, len(file) - 3} {
		before, fault := frames(t, file[:n], math.MaxInt)
		out, r := annotated(t, file[:n], some(len(before)))
		after, err := frames(t, out, math.MaxInt)
		if fault == nil || r.Fault == nil || err != nil || len(before) == 0 {
			t.Fatalf("%d bytes: %v, %v, %v", n, fault, r.Fault, err)
		}
		if len(after) != len(before) || !reflect.DeepEqual(after[len(after)-1].Data, before[len(before)-1].Data) {
			t.Errorf("%d bytes: %d frames of %d", n, len(after), len(before))
		}
	}
}

// TestTshark holds what tshark and capinfos, where they are installed, read of a
// copy against what they read of the original, in the formats that editcap writes: of some
// samples, or of all if the test may take long.
func TestTshark(t *testing.T) {
	for _, program := range []string{"tshark", "capinfos", "editcap"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("not installed: %v", err)
		}
	}
	formats := []string{"pcapng", "pcap", "nsecpcap"}
	names := []string{"fallback-roce", "rxe-cb"}
	if long.Tests {
		names = samples(t)
	}
	for i, name := range names {
		dir := t.TempDir()
		original := filepath.Join(dir, "original")
		write(t, original, unpackedSample(t, name))
		if long.Tests {
			checkTshark(t, name, original)
		}
		format := formats[i%len(formats)]
		converted := filepath.Join(dir, format)
		command(t, "editcap", "-F", format, original, converted)
		checkTshark(t, name+" "+format, converted)
	}
	path := filepath.Join(t.TempDir(), "everything")
	for i, o := range orders {
		if !long.Tests && i > 0 {
			break
		}
		file := everything(o, orders[1-i])
		// Without what tshark does not take: malformed options, and the secrets that are none.
		file = file[:bytes.Index(file, []byte("malformed"))-28]
		write(t, path, file)
		checkTshark(t, fmt.Sprint("everything ", o), path)
	}
}

func checkTshark(t *testing.T, name, path string) {
	t.Helper()
	in, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := frames(t, in, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	c := some(len(list))
	out, r := annotated(t, in, c)
	copied := path + ".annotated"
	write(t, copied, out)
	before, after := tshark(t, path), tshark(t, copied)
	if len(before) != len(list) || len(after) != len(list) {
		t.Fatalf("%s: tshark sees %d frames before and %d after, we %d", name, len(before), len(after), len(list))
	}
	left := make(map[int64]bool)
	for _, u := range r.Unplaced {
		left[u.Frame] = true
	}
	fromPcap := !strings.HasPrefix(string(in), sectionMagic)
	for i := range before {
		want := before[i]
		if fromPcap {
			// A pcap file has no interface; its copy has number 0, without a name.
			want[0], want[1] = "0", "unknown"
		}
		if more := c.Frames[int64(i+1)]; len(more) > 0 && !left[int64(i+1)] {
			if want[2] != "" {
				want[2] += ","
			}
			want[2] += strings.ReplaceAll(strings.Join(more, ","), "\t", `\t`)
		}
		if !reflect.DeepEqual(after[i], want) {
			t.Errorf("%s: tshark sees frame %d as\n%q, want\n%q", name, i+1, after[i], want)
			break
		}
	}
	info := command(t, "capinfos", "-k", copied)
	for _, comment := range []string{"2 errors", "of several"} {
		if !strings.Contains(info, comment) {
			t.Errorf("%s: capinfos does not show %q:\n%s", name, comment, info)
		}
	}
}

// tshark is what it reads of each frame: the interface's number and name, the
// comments, then what no copy changes.
func tshark(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	// Only the frame itself matters; what is in it takes long to look at.
	args := []string{"-n", "-r", path, "--disable-protocol", "eth", "-o", "frame.generate_md5_hash:TRUE", "-T", "fields"}
	for _, field := range []string{
		"interface_id", "interface_name", "comment", "number", "time_epoch", "len", "cap_len", "encap_type", "packet_flags", "drop_count", "md5_hash",
	} {
		args = append(args, "-e", "frame."+field)
	}
	for line := range strings.Lines(command(t, "tshark", args...)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	var complaints bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, complaints.String())
	}
	return string(out)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
