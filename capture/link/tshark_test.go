package link

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/internal/wrap"
)

// theirNames are fields of tunnels by the names that tshark has for them.
var theirNames = [][2]string{
	{"gre.protocol", "gre.proto"}, {"gre.version", "gre.flags.version"}, {"gre.key.value", "gre.key"}, {"gre.seq.number", "gre.sequence_number"},
	{"erspan.version", "erspan.version"}, {"erspan.vlan", "erspan.vlan"}, {"erspan.cos", "erspan.cos"}, {"erspan.session_id", "erspan.spanid"},
	{"erspan.truncated", "erspan.truncated"}, {"erspan.ii.index", "erspan.index"}, {"erspan.iii.timestamp", "erspan.timestamp"},
	{"erspan.iii.sgt", "erspan.sgt"}, {"erspan.iii.p", "erspan.p"}, {"erspan.iii.ft", "erspan.ft"}, {"erspan.iii.hw", "erspan.hw"},
	{"erspan.iii.gra", "erspan.gra"}, {"erspan.iii.o", "erspan.o"}, {"erspan.platform.id", "erspan.platid"},
	{"erspan.platform.upper", "erspan.pid3.timestamp"}, {"vxlan.vni", "vxlan.vni"}, {"geneve.vni", "geneve.vni"},
	{"geneve.protocol", "geneve.proto_type"}, {"mpls.label", "mpls.label"}, {"mpls.tc", "mpls.exp"}, {"mpls.ttl", "mpls.ttl"},
	{"pppoe.session_id", "pppoe.session_id"}, {"pppoe.payload_length", "pppoe.payload_length"}, {"ppp.protocol", "ppp.protocol"},
	{"cfp.ftag", "cfp.ftag"}, {"cfp.ttl", "cfp.ttl"}, {"ieee8021ah.isid", "ieee8021ah.isid"}, {"ieee8021ah.priority", "ieee8021ah.priority"},
	{"arista.sub_type", "avsp.sub_type"}, {"arista.version", "avsp.ver"}, {"arista.time64.seconds", "avsp.64sec"},
	{"arista.time64.nanoseconds", "avsp.64ns"}, {"arista.time48.seconds", "avsp.48sec"}, {"arista.time48.nanoseconds", "avsp.48ns"},
	{"nsh.spi", "nsh.spi"}, {"nsh.si", "nsh.si"}, {"nsh.ttl", "nsh.ttl"}, {"nsh.mdtype", "nsh.mdtype"}, {"nsh.nextproto", "nsh.nextproto"}, {"nsh.length", "nsh.length"},
}

// tshark, where it is installed, reads the same in the headers of the tunnels, and finds
// the same queue pair in them where it looks into them.
func TestTsharkAgrees(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	kinds := append(wrap.Kinds(), wrap.Nested())
	var frames [][]byte
	for _, name := range []string{"rxe-cb", "rxe-ipv6"} {
		for _, f := range shipped.Frames(t, name, 40)[25:] {
			for _, k := range kinds {
				frames = append(frames, k.Frame(f))
			}
		}
	}
	path := filepath.Join(t.TempDir(), "wrapped.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pcapgo.NewWriter(file)
	if err := w.WriteFileHeader(1<<18, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(f), Length: len(f)}, f); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", path, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,", "-e", "infiniband.bth.destqp"}
	for _, n := range theirNames {
		args = append(args, "-e", n[1])
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	compared, looked := map[string]int{}, map[string]int{}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(frames) {
		t.Fatalf("tshark has %d lines for %d frames", len(lines), len(frames))
	}
	for i, line := range lines {
		data, kind := frames[i], kinds[i%len(kinds)].Name
		theirs := strings.Split(line, "\t")
		var p Packet
		p.Decode(TypeEthernet, data, len(data), Options{})
		if qp := theirs[0]; qp != "" && p.Transport == RoCEv2 {
			looked[kind]++
			if ours := "0x" + string(field.AppendHex(nil, uint64(data[p.Start()+5])<<16|uint64(data[p.Start()+6])<<8|uint64(data[p.Start()+7]), 6))[2:]; ours != qp {
				t.Errorf("%s: queue pair %s, tshark has %s", kind, ours, qp)
			}
		}
		h := headersOf(&p, TypeEthernet, data, len(data))
		for j, n := range theirNames {
			theirs := theirs[j+1]
			if ours := valuesOf(h, data, n[0]); theirs != "" && ours != numbers(t, theirs) {
				t.Errorf("%s: %s is %s, %s of tshark %s", kind, n[0], ours, n[1], theirs)
			} else if theirs != "" {
				compared[n[0]]++
			}
		}
	}
	for _, n := range theirNames {
		if compared[n[0]] == 0 {
			t.Errorf("tshark shows no %s", n[1])
		}
	}
	for _, k := range kinds {
		if looked[k.Name] == 0 {
			t.Logf("tshark does not find the queue pair in: %s", k.Name)
		}
	}
	if len(looked) < len(kinds)-5 {
		t.Errorf("tshark looked into %d kinds only", len(looked))
	}
}

// valuesOf are the values of a field in all headers that have it.
func valuesOf(h *Headers, data []byte, key string) string {
	var list []string
	for i := 0; ; i++ {
		table, start, end, ok := h.At(i)
		if !ok {
			return strings.Join(list, ",")
		}
		if name, found := strings.CutPrefix(key, table.Key+"."); found && !strings.Contains(name, ".") {
			if f := table.Lookup(name); f != nil {
				list = append(list, strconv.FormatUint(f.Uint(data[start:end]), 10))
			}
		}
	}
}

// numbers reads the numbers that tshark shows, decimal or with 0x, or words for flags.
func numbers(t *testing.T, text string) string {
	t.Helper()
	var list []string
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(word, 0, 64)
		switch word {
		case "True":
			n, err = 1, nil
		case "False":
			n, err = 0, nil
		}
		if err != nil {
			t.Fatalf("tshark shows %q", text)
		}
		list = append(list, strconv.FormatUint(n, 10))
	}
	return strings.Join(list, ",")
}
