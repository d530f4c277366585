package filter

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// wiresharkFields are fields of Wireshark's that this test reads with tshark.
var wiresharkFields = []Field{
	{Name: "frame.number", Kind: Uint},
	{Name: "frame.len", Kind: Uint},
	{Name: "frame.time", Kind: Time},
	{Name: "frame.protocols", Kind: String},
	{Name: "eth.addr", Kind: Bytes},
	{Name: "ip.addr", Kind: Address},
	{Name: "ipv6.addr", Kind: Address},
	{Name: "udp.port", Kind: Uint},
	{Name: "nfs.opcode", Kind: Enum, Names: func(yield func(string, uint64) bool) {
		_ = yield("READ", 25) && yield("SEQUENCE", 53)
	}},
}

// TestTsharkKeepsTheSame filters a real capture with tshark's own filters, where
// tshark is installed, and with these on the values that tshark gives for each
// frame: the same words keep the same frames.
func TestTsharkKeepsTheSame(t *testing.T) {
	show := wireshark(t)
	arguments := []string{"-T", "fields", "-E", "separator=/t", "-E", "aggregator=,"}
	for _, f := range wiresharkFields {
		name := f.Name
		if f.Kind == Time {
			name = "frame.time_epoch"
		}
		arguments = append(arguments, "-e", name)
	}
	var frames []told
	for line := range strings.SplitSeq(show(arguments...), "\n") {
		frames = append(frames, told{})
		for i, column := range strings.Split(line, "\t") {
			for value := range strings.SplitSeq(column, ",") {
				if value != "" {
					frames[len(frames)-1][wiresharkFields[i].Name] = append(frames[len(frames)-1][wiresharkFields[i].Name], wiresharkValue(t, wiresharkFields[i].Kind, value))
				}
			}
		}
	}
	if len(frames) < shownFrames {
		t.Fatalf("tshark shows %d frames of %d", len(frames), shownFrames)
	}
	set, err := NewSet(wiresharkFields...)
	if err != nil {
		t.Fatal(err)
	}
	exprs := []string{
		// Fields with several values, and frames without the field.
		`udp.port != 4791 or ip.addr != 192.0.2.9`,
		`udp.port != 9 && nfs.opcode != SEQUENCE`,
		`not udp.port == 4791`,
		`udp.port !== 4791 and eth.addr any_ne ff:ff:ff:ff:ff:ff`,
		`all udp.port > 4790 and any ip.addr != 192.0.2.1`,
		`nfs.opcode === SEQUENCE or all eth.addr < 52:54:00:00:00:02`,
		`nfs.opcode not in {READ, 42}`,
		`not nfs.opcode in {53} and nfs.opcode or ipv6.addr`,
		// Precedence.
		`frame.number < 100 or frame.number > 300 and nfs.opcode`,
		`! udp.port and frame.len ge 0x46`,
		// Sets, prefixes, addresses in order, text, bytes, times.
		`frame.number in {5..50, 60, 0x46..80} || frame.len in {458..462}`,
		`ip.addr == 192.0.2.2/31 or ipv6.addr == fe80::/10`,
		`ip.addr > 192.0.2.1 and ip.addr <= 192.0.2.9 and frame.len > 300`,
		`frame.protocols matches "RPC:nfs$" or frame.protocols contains "arp"`,
		`frame.protocols ~ "(?-i)RPC" or frame.protocols == "eth:ethertype:arp"`,
		`eth.addr contains 00:02 && frame.time >= "2026-01-31 00:00:00.15" && frame.time < "2026-01-31 00:00:00.2"`,
	}
	for i, expr := range exprs {
		if i%long.Pick(5, 1) != 0 {
			continue // each takes tshark half a second
		}
		f, err := set.Compile(expr)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		var got []string
		for _, frame := range frames {
			if f.Match(listed{wiresharkFields, frame}) {
				got = append(got, strconv.FormatUint(frame["frame.number"][0].(uint64), 10))
			}
		}
		if len(got) == 0 || len(got) == len(frames) {
			t.Errorf("%s: keeps %d of %d frames, which shows nothing", expr, len(got), len(frames))
		}
		want := strings.Fields(show("-Y", expr, "-T", "fields", "-e", "frame.number"))
		if got, want := strings.Join(got, " "), strings.Join(want, " "); got != want {
			t.Errorf("%s: keeps\n%s\ntshark\n%s", expr, got, want)
		}
	}
}

// A listed record has the values that it is told, of any list of fields.
type listed struct {
	fields []Field
	told   told
}

func (r listed) Values(i int, to *Values) {
	for _, v := range r.told[r.fields[i].Name] {
		give(to, v)
	}
}

// wiresharkValue is a value as tshark prints it.
func wiresharkValue(t *testing.T, k Kind, s string) any {
	t.Helper()
	switch k {
	case String:
		return s
	case Bytes:
		b, err := hex.DecodeString(strings.ReplaceAll(s, ":", ""))
		if err != nil {
			t.Fatal(err)
		}
		return b
	case Address:
		return netip.MustParseAddr(s)
	case Time:
		seconds, fraction, _ := strings.Cut(s, ".")
		ns, err := strconv.ParseInt(seconds+fraction, 10, 64)
		if err != nil || len(fraction) != 9 {
			t.Fatalf("tshark gives the time %s: %v", s, err)
		}
		return time.Unix(0, ns)
	}
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shownFrames is how many frames of the sample tshark reads.
const shownFrames = 400

// wireshark writes frames of a sample to a file, a millisecond apart, and
// returns what shows them as tshark, with arguments, sees them.
func wireshark(t *testing.T) (show func(arguments ...string) string) {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	version, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	// Before release 4, != had another meaning, and and no precedence over or.
	var release int
	if _, err := fmt.Sscanf(string(version), "TShark (Wireshark) %d.", &release); err != nil || release < 4 {
		t.Skipf("tshark is not of release 4 or later: %.40s", version)
	}
	path := filepath.Join(t.TempDir(), "sample.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pcapgo.NewWriterNanos(file)
	if err := w.WriteFileHeader(65535, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, frame := range shipped.Frames(t, "rxe-cb", shownFrames) {
		info := gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(frame), Length: len(frame)}
		if err := w.WritePacket(info, frame); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Millisecond)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func(arguments ...string) string {
		t.Helper()
		c := exec.Command(program, append([]string{"-r", path}, arguments...)...)
		c.Env = append(os.Environ(), "TZ=UTC") // tshark reads times as local
		out, err := c.Output()
		if err != nil {
			t.Fatalf("tshark %v: %v", arguments, err)
		}
		return strings.Trim(string(out), "\n")
	}
}
