package main

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/veth"
)

// TestLiveKeepsInterface plays a sample onto a wire, with a new file begun halfway, as SIGHUP asks for: the two files hold
// every frame that was sent, with the name of the interface, and `check` says of them what it
// says of the sample.
func TestLiveKeepsInterface(t *testing.T) {
	p := veth.New(t)
	frames, file := carried(t, "rxe-cb", plain())
	dir := t.TempDir()
	hangUp := func() { t.Error("it does not ask for SIGHUP") }
	var out, diag watched
	s := streams{out: &out, err: &diag, process: process{hangups: func(do func()) (release func()) {
		hangUp = do
		return func() {}
	}}}
	got := whileRunning(t, s, &out, &diag, func(*watched) {
		for i, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
			if i != len(frames)/2 {
				continue
			}
			untilKept(t, dir, "*.part")
			hangUp()
			untilKept(t, dir, "*.pcapng")
		}
	}, "-i", p.Far, "--format", "ndjson", "--write", dir)
	files := keptFiles(t, dir, "*")
	if got.status != exitInterrupted || len(files) != 2 || strings.HasSuffix(files[1], ".part") {
		t.Fatalf("status %d, standard error %q, %q", got.status, got.err, files)
	}
	data, err := os.ReadFile(files[1])
	if err != nil || !strings.Contains(string(data[:300]), p.Far) {
		t.Errorf("the name of the interface is not in it: %v", err)
	}
	var all []string
	for _, path := range files {
		f, err := capture.Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		var x capture.Frame
		for f.Next(&x) == nil {
			all = append(all, string(x.Data))
		}
		f.Close()
	}
	if len(all) != len(frames) {
		t.Fatalf("%d frames in the files, %d sent", len(all), len(frames))
	}
	for i, f := range frames {
		if all[i] != string(f) {
			t.Fatalf("frame %d differs", i+1)
		}
	}
	a := rdmacap("check", "--format", "ndjson", files[0], files[1])
	b := rdmacap("check", "--format", "ndjson", file)
	if x, y := countsOfRules(t, a.out), countsOfRules(t, b.out); a.err != "" || x != y {
		t.Errorf("%s %s, want %s", a.err, x, y)
	}
}

// countsOfRules says how often each rule found something, but for the one about latencies.
func countsOfRules(t *testing.T, out string) string {
	t.Helper()
	counts := make(map[string]int64)
	for line := range strings.Lines(out) {
		var r struct {
			Type, Rule string
			Count      int64
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "finding" && r.Rule != "RPC-007" {
			counts[r.Rule] += r.Count
		}
	}
	text, err := json.Marshal(counts) // in order of the rules
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLiveKeepsDrops has more frames come than are taken: the file says how many are missing, and
// before which frames, so that nobody is accused because of them by `check` of the file.
func TestLiveKeepsDrops(t *testing.T) {
	p := veth.New(t)
	frames, file := carried(t, "rxe-acl", plain())
	dir := t.TempDir()
	var diag, out watched
	goOn := make(chan struct{})
	last := slices.Concat(frames[0], make([]byte, 1111-len(frames[0]))) // of a length that no other has
	sent := len(frames)
	whileRunning(t, streams{out: held{&out, goOn}, err: &diag}, &out, &diag, func(*watched) {
		for _, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
		}
		close(goOn)
		for !out.has(`"length":1111,`) { // until there is room for one, before which the drops are counted
			if err := p.Send(last); err != nil {
				t.Error(err)
			}
			sent++
			time.Sleep(5 * time.Millisecond)
		}
	}, "-i", p.Far, "--format", "ndjson", "--buffer", "1MiB", "--level", "frame", "--write", dir)
	files := keptFiles(t, dir, "*")
	if len(files) != 1 {
		t.Fatalf("%q, standard error %q", files, diag.String())
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	in, counted, stated := blocksOf(data)
	t.Logf("%d frames sent, %d in the file, %d counted with frames, %d at its end", sent, in, counted, stated)
	if in+stated != sent || counted > stated || counted == 0 {
		t.Errorf("%d frames in the file, %d counted with them and %d at its end, of %d", in, counted, stated, sent)
	}
	known := rdmacap("check", "--format", "ndjson", file)
	for _, f := range lastingRecords(t, rdmacap("check", "--format", "ndjson", files[0]).out, "finding") {
		var found struct{ Rule, Severity string }
		if err := json.Unmarshal([]byte(f), &found); err != nil {
			t.Fatal(err)
		}
		if found.Severity == "error" && !strings.Contains(known.out, `"rule":"`+found.Rule+`"`) {
			t.Errorf("because of drops: %s", f)
		}
	}
}

// blocksOf counts the frames of a pcapng file, the drops that they state, and those that its
// statistics do.
func blocksOf(data []byte) (frames, counted, stated int) {
	le := binary.LittleEndian
	for len(data) >= 12 {
		kind, size := le.Uint32(data), le.Uint32(data[4:])
		options := data[20 : size-4]
		switch kind {
		case 6:
			frames++
			options = data[28+(le.Uint32(data[20:])+3)&^3 : size-4]
		case 5:
		default:
			options = nil
		}
		for len(options) >= 12 {
			code, length := le.Uint16(options), le.Uint16(options[2:])
			switch {
			case kind == 6 && code == 4:
				counted += int(le.Uint64(options[4:]))
			case kind == 5 && code == 7:
				stated += int(le.Uint64(options[4:]))
			}
			options = options[4+(length+3)&^3:]
		}
		data = data[size:]
	}
	return frames, counted, stated
}
