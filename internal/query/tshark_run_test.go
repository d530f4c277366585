package query

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// A compared name is one of tshark's, and our field for it among those of a level.
type compared struct {
	name  string
	level Level
	index int
	kind  filter.Kind
}

// cells are the values of each compared name, sorted, each once.
type cells [][]string

// comparedNames are those of some names that a level has, if this tshark has them too.
func comparedNames(s *Sets, l Level, names []tsharkName, known map[string]bool) (list []compared) {
	for _, n := range names {
		// frame.time is a date there; frame.time_epoch is the same.
		if i, ok := s.Set(l).Lookup(n.name); ok && known[n.name] && n.name != "frame.time" {
			list = append(list, compared{n.name, l, i, s.Set(l).Fields()[i].Kind})
		}
	}
	return list
}

// tsharkFields are the fields that tshark has.
func tsharkFields(t *testing.T) map[string]bool {
	t.Helper()
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	out, err := exec.Command("tshark", "-G", "fields").Output()
	if err != nil {
		t.Fatal(err)
	}
	fields := make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		if c := strings.Split(line, "\t"); c[0] == "F" && len(c) > 2 {
			fields[c[2]] = true
		}
	}
	return fields
}

// A captureFile is a pcap file that both read.
type captureFile struct{ name, path string }

// unpackedSample is a sample that tshark can read.
func unpackedSample(t *testing.T, name string) captureFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".pcap")
	if err := os.WriteFile(path, shipped.Whole(t, name), 0o600); err != nil {
		t.Fatal(err)
	}
	return captureFile{name, path}
}

// builtCapture has what no sample has: VLANs, the GRH of RoCEv1, a REJ, an RDMA_ERROR.
func builtCapture(t *testing.T) captureFile {
	t.Helper()
	c := build.NewConversation(build.Setup{RoCEv1: true, Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6},
		VLANs: []build.VLAN{{ID: 3, PCP: 5}}})
	c.Connect()
	c.Reply(c.Call(build.NFS3Null(1)), build.NFS3NullReply(1))
	c.ReplyError(c.Call(build.NFS3Null(2)), uint32(rpcrdma.ErrChunk))
	c.Disconnect()
	refused := build.NewConversation(build.Setup{})
	refused.Request()
	refused.Reject(28, nil) // by the consumer
	path := filepath.Join(t.TempDir(), "built.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := build.WritePcap(file, append(c.Frames, refused.Frames...)); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return captureFile{"built", path}
}

// tsharkCells are the values that tshark has of each name in each frame of a file.
func tsharkCells(t *testing.T, from captureFile, names []compared) (frames []cells) {
	t.Helper()
	// Of a name that stands twice tshark fills one column.
	columns := make(map[string]int)
	arguments := []string{"-n", "-r", from.path, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=;"}
	for _, n := range names {
		if _, ok := columns[n.name]; !ok {
			columns[n.name] = len(columns)
			arguments = append(arguments, "-e", n.name)
		}
	}
	out, err := exec.Command("tshark", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		frame := make(cells, len(names))
		values := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, n := range names {
			for v := range strings.SplitSeq(values[columns[n.name]], ";") {
				if v != "" {
					frame[i] = append(frame[i], inOurWords(t, n, v))
				}
			}
			frame[i] = unique(frame[i])
		}
		frames = append(frames, frame)
	}
	return frames
}

// inOurWords is a value as tshark prints it, as ourWords has it.
func inOurWords(t *testing.T, n compared, s string) string {
	t.Helper()
	switch n.kind {
	case filter.Bytes:
		return strings.ReplaceAll(s, ":", "")
	case filter.String, filter.Address:
		return s
	case filter.Time, filter.Duration: // in seconds
		ns, err := time.ParseDuration(s + "s")
		if err != nil {
			t.Errorf("tshark gives %s the value %q", n.name, s)
		}
		return strconv.FormatInt(int64(ns), 10)
	case filter.Bool:
		switch s {
		case "True":
			return "1"
		case "False":
			return "0"
		}
	}
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		t.Errorf("tshark gives %s the value %q", n.name, s)
	}
	return strconv.FormatUint(v, 10)
}

// unique are the values, sorted, each once.
func unique(values []string) []string {
	slices.Sort(values)
	return slices.Compact(values)
}
