package main

import (
	"encoding/binary"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestCases plays a share of the cases, each sort of each capture at least once.
func TestCases(t *testing.T) {
	var out strings.Builder
	cases, frames := long.Pick(600, 6000), long.Pick(400, 3000)
	failed, err := run([]string{"-cases", strconv.Itoa(cases), "-frames", strconv.Itoa(frames), "-samples", filepath.Join("..", "..", "samples", "*.pcap.zst")}, &out)
	if err != nil || failed > 0 {
		t.Errorf("%d failed, %v:\n%s", failed, err, out.String())
	}
}

// TestProgram runs the program itself on files of some cases: what writes files, and what would
// replay.
func TestProgram(t *testing.T) {
	if !long.Tests {
		t.Skip("it builds the program and runs it for minutes: make long does, or go test -tags long ./internal/badly")
	}
	program := filepath.Join(t.TempDir(), "rdmacap")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/rdmacap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out strings.Builder
	args := []string{"-cases", strconv.Itoa(2 * len(all())), "-seed", "3", "-program", program, "-samples", filepath.Join("..", "..", "samples", "*-cb.pcap.zst")}
	if failed, err := run(args, &out); err != nil || failed > 0 {
		t.Errorf("%d failed, %v:\n%s", failed, err, out.String())
	}
}

// TestDiffers holds that a case fails where it must.
func TestDiffers(t *testing.T) {
	list := catalogue.All()
	s, err := load(list, filepath.Join("..", "..", "samples", "siw-basic.pcap.zst"), 600)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.whole.rpcs) < 20 {
		t.Fatalf("%d RPCs", len(s.whole.rpcs))
	}
	less := *s.whole
	less.rpcs = make(map[string]map[string]bool)
	if wrong := s.whole.differs(&less); len(wrong) != len(s.whole.rpcs) {
		t.Errorf("%d of %d RPCs are told that are not there", len(wrong), len(s.whole.rpcs))
	}
	if wrong := s.whole.differs(s.whole); len(wrong) != 0 {
		t.Errorf("the same: %v", wrong)
	}
	for id, records := range s.whole.rpcs {
		for text := range records {
			for _, name := range []string{"frame", "frames", "call_frame", "reply_frame", "time", "connection"} {
				if strings.Contains(text, `"`+name+`":`) {
					t.Fatalf("%s has %s: %s", id, name, text)
				}
			}
			if !strings.Contains(text, `"rdma_read_bytes":`) {
				t.Fatalf("%s has no bytes: %s", id, text)
			}
		}
	}
}

// TestSortsChangeSomething holds that each sort does something, leaves the whole capture as
// it is, and does the same again with the same seed.
func TestSortsChangeSomething(t *testing.T) {
	list := catalogue.All()
	for _, name := range []string{"siw-basic", "rxe-basic"} {
		s, err := load(list, filepath.Join("..", "..", "samples", name+".pcap.zst"), 600)
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(s.frames)
		sum := 0
		for _, f := range s.frames {
			for _, b := range f.Data {
				sum += int(b)
			}
		}
		for _, x := range all() {
			once := x.of(slices.Clone(s.frames), rand.New(rand.NewPCG(1, 2)))
			again := x.of(slices.Clone(s.frames), rand.New(rand.NewPCG(1, 2)))
			if !slices.EqualFunc(once, again, equal) {
				t.Errorf("%s: %s is another one the second time", name, x.name)
			}
			if slices.EqualFunc(once, before, equal) && !(name == "rxe-basic" && strings.HasPrefix(x.name, "TCP")) {
				t.Errorf("%s: %s changes nothing", name, x.name)
			}
		}
		for _, f := range s.frames {
			for _, b := range f.Data {
				sum -= int(b)
			}
		}
		if sum != 0 || !slices.EqualFunc(s.frames, before, equal) {
			t.Errorf("%s: the whole capture was changed", name)
		}
	}
}

// equal reports whether two frames are the same.
func equal(a, b capture.Frame) bool {
	return a.Time == b.Time && a.File == b.File && a.Interface == b.Interface && a.Length == b.Length && string(a.Data) == string(b.Data)
}

func TestSegmentChecksums(t *testing.T) {
	s, err := load(catalogue.All(), filepath.Join("..", "..", "samples", "siw-basic.pcap.zst"), 300)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range s.frames {
		x, ok := segmentOf(f)
		if !ok || len(x.payload) == 0 {
			continue
		}
		seen++
		g := x.with(x.seq, x.payload)
		header := g.Data[14:x.tcp]
		sum := uint32(0)
		for i := 0; i < len(header); i += 2 {
			sum += uint32(binary.BigEndian.Uint16(header[i:]))
		}
		if sum = sum&0xffff + sum>>16; sum != 0xffff {
			t.Fatalf("frame %d: the IP checksum is wrong: %#x", f.Number, sum)
		}
	}
	if seen == 0 {
		t.Error("no segments")
	}
}
