package query

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// wider are names whose field of ours has values of further frames: the values
// that tshark has select the same frames.
var wider = []string{}

// A compared name is one of tshark's, and the index of our field among those of frames.
type compared struct {
	name  string
	index int
	kind  filter.Kind
}

// TestTsharkNamesMeanTheSame compares, where tshark is installed, what it says that each
// frame of real captures has of a name with what we say of it.
func TestTsharkNamesMeanTheSame(t *testing.T) {
	t.Parallel()
	known := tsharkFields(t)
	s := newSets(t)
	var names []compared
	for _, n := range tsharkNames() {
		i, ok := s.Set(Frames).Lookup(n.name)
		if _, is := known[n.name]; ok && is {
			names = append(names, compared{n.name, i, s.Set(Frames).Fields()[i].Kind})
		}
	}
	seen, wrong := make(map[string]int), make(map[string]bool)
	total := 0
	for _, sample := range []string{"rxe-cb", "rxe-krb", "rxe-ipv6", "rxe-acl", "rxe-thresh", "siw-cb", "siw-perftest", "rxe-perftest", "siw-loss", "rxe-loss", "fallback-roce", "fallback-iwarp"} {
		theirs := tsharkValues(t, sample, names)
		ours := ourValues(t, s, sample, names)
		if len(theirs) != len(ours) {
			t.Fatalf("%s: tshark has %d frames, we have %d", sample, len(theirs), len(ours))
		}
		total += len(ours)
		for k, n := range names {
			all := make(map[string]bool)
			for _, frame := range theirs {
				for _, v := range frame[k] {
					all[v] = true
				}
				seen[n.name] += len(frame[k])
			}
			d := 0
			for frame := range theirs {
				us := ours[frame][k]
				if slices.Contains(wider, n.name) {
					us = slices.DeleteFunc(slices.Clone(us), func(v string) bool { return !all[v] })
				}
				if !slices.Equal(us, theirs[frame][k]) {
					if d++; d <= 3 {
						t.Errorf("%s frame %d: %s is %q to tshark, %q to us", sample, frame+1, n.name, theirs[frame][k], us)
					}
					wrong[n.name] = true
				}
			}
			if d > 0 {
				t.Errorf("%s: %s differs in %d frames", sample, n.name, d)
			}
		}
	}
	values := 0
	var unseen []string
	for _, n := range names {
		if values += seen[n.name]; seen[n.name] == 0 {
			unseen = append(unseen, n.name)
		}
	}
	t.Logf("%d names, %d values in %d frames; in no frame: %v", len(names)-len(unseen), values, total, unseen)
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

// tsharkValues are the values that tshark has of each name, in each frame.
func tsharkValues(t *testing.T, sample string, names []compared) (frames [][][]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), sample+".pcap")
	if err := os.WriteFile(path, shipped.Whole(t, sample), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"-n", "-r", path, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=;"}
	for _, n := range names {
		arguments = append(arguments, "-e", n.name)
	}
	out, err := exec.Command("tshark", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		frame := make([][]string, len(names))
		for i, column := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			for v := range strings.SplitSeq(column, ";") {
				if v != "" {
					frame[i] = append(frame[i], plain(t, names[i], v))
				}
			}
			frame[i] = unique(frame[i])
		}
		frames = append(frames, frame)
	}
	return frames
}

// plain is a value as tshark prints it, in our words.
func plain(t *testing.T, n compared, s string) string {
	t.Helper()
	switch n.kind {
	case filter.Octets:
		return strings.ReplaceAll(s, ":", "")
	case filter.String, filter.Address:
		return s
	case filter.Time:
		return strings.Replace(s, ".", "", 1)
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

// ourValues are those that we have.
func ourValues(t *testing.T, s *Sets, sample string, names []compared) (frames [][][]string) {
	t.Helper()
	r := record[*dissect.FrameView]{list: s.frames}
	var shown filter.Shown
	sink := &told{frame: func(v *dissect.FrameView) {
		r.row = v
		frame := make([][]string, len(names))
		for i, n := range names {
			r.Values(n.index, shown.Of())
			for _, v := range shown.List {
				frame[i] = append(frame[i], ourPlain(n.kind, v))
			}
			frame[i] = unique(frame[i])
		}
		if at := int(v.Frame.Number); at > len(frames) {
			frames = append(frames, make([][][]string, at-len(frames))...)
		}
		frames[v.Frame.Number-1] = frame
	}}
	read(t, "../samples/"+sample+".pcap.zst", sink)
	return frames
}

func ourPlain(k filter.Kind, v filter.Value) string {
	switch k {
	case filter.Octets:
		return hex.EncodeToString(v.Octets)
	case filter.String:
		return v.Str + string(v.Octets)
	case filter.Address:
		return v.Addr.Unmap().String()
	}
	return fmt.Sprint(v.Number)
}

// unique are the values, sorted, each once.
func unique(values []string) []string {
	slices.Sort(values)
	return slices.Compact(values)
}

var _ = netip.Addr{}
