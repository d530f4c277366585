package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
)

// TestAnnotate holds that each finding of check is a comment on its frame, that the
// comments begin and end as documented, and that nothing else changed.
func TestAnnotate(t *testing.T) {
	for _, name := range few() {
		out := filepath.Join(t.TempDir(), "out.pcapng")
		r := straw("annotate", sample(name), "-o", out)
		if r.status != exitDone || r.err != "" {
			t.Fatalf("%s: %+v", name, r)
		}
		before, after := framesOf(t, sample(name)), framesOf(t, out)
		if len(before) != len(after) {
			t.Fatalf("%s: %d frames became %d", name, len(before), len(after))
		}
		want, placed := findingComments(t, name), 0
		for i := range before {
			b, a := before[i], after[i]
			if len(a.Comments()) > 0 {
				placed++
			}
			for _, start := range want[a.Number] {
				if !containsComment(a.Comments(), start) {
					t.Errorf("%s: frame %d has the comments %q, none of them %q", name, a.Number, a.Comments(), start)
				}
			}
			first := slices.DeleteFunc(slices.Clone(a.Comments()), func(c string) bool { return strings.Contains(c, foundAgain) })
			if len(first) != len(want[a.Number]) {
				t.Errorf("%s: frame %d has %d comments that are no repetition, want %d", name, a.Number, len(first), len(want[a.Number]))
			}
			b.Extra, a.Extra, b.Offset, a.Offset = nil, nil, 0, 0
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: frame %d became\n%+v, was\n%+v", name, i+1, a, b)
			}
		}
		file, err := os.ReadFile(out)
		standard := straw("annotate", sample(name), "-o", "-")
		if err != nil || standard.status != exitDone || standard.out != string(file) || !strings.HasPrefix(standard.err, "standard output: ") {
			t.Errorf("%s: to standard output, %d bytes, standard error %q", name, len(standard.out), standard.err)
		}
		again := straw("annotate", sample(name), "-q", "--force", "-o", out)
		if same, err := os.ReadFile(out); err != nil || again.status != exitDone || string(same) != string(file) {
			t.Errorf("%s: replaced by %d bytes, %+v", name, len(same), again)
		}
		summary := fmt.Sprintf("%s: %d frames, %d with comments; ", out, len(before), placed)
		if placed == 0 || !strings.HasPrefix(r.out, summary) || strings.Count(r.out, "\n") != 1 {
			t.Errorf("%s: standard output is %q, want %q first", name, r.out, summary)
		}
	}
}

// findingComments are how the comments on the frames must begin, from the findings
// that check tells.
func findingComments(t *testing.T, name string) map[int64][]string {
	t.Helper()
	list := make(map[int64][]string)
	for line := range strings.Lines(straw("check", "--format", "ndjson", sample(name)).out) {
		var f struct {
			Type, Rule, Severity, Message string
			Frame                         int64
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Type == "finding" {
			list[f.Frame] = append(list[f.Frame], fmt.Sprintf("%s %s: %s", f.Rule, f.Severity, f.Message))
		}
	}
	return list
}

func containsComment(comments []string, start string) bool {
	for _, c := range comments {
		if strings.HasPrefix(c, start) {
			return true
		}
	}
	return false
}

func framesOf(t *testing.T, path string) (list []capture.Frame) {
	t.Helper()
	file, err := capture.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for {
		var f capture.Frame
		if err := file.Next(&f); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		f.Data = bytes.Clone(f.Data)
		list = append(list, f)
	}
}

// foundAgain is in the comment on a frame in which a finding was found again.
const foundAgain = ": found again, as in frame "

// TestAnnotateAgain holds that frames in which a finding was found again have a comment that names the first, the
// last of them too, and of one that was found all the time so many as the document says.
func TestAnnotateAgain(t *testing.T) {
	const most = 100
	out := filepath.Join(t.TempDir(), "out.pcapng")
	if r := rdmacap("annotate", "-q", sample("rxe-loss"), "-o", out); r != (result{}) {
		t.Fatalf("%+v", r)
	}
	again := make(map[string][]int64) // frames by the begin of the comment
	for _, f := range framesOf(t, out) {
		for _, c := range f.Comments() {
			if start, _, is := strings.Cut(c, "; "); is && strings.Contains(start, foundAgain) {
				again[start] = append(again[start], f.Number)
			}
		}
	}
	few, many := 0, 0
	for line := range strings.Lines(rdmacap("check", "--format", "ndjson", sample("rxe-loss")).out) {
		var f struct {
			Type, Rule, Severity string
			Frame, Count         int64
			Last                 int64 `json:"last_frame"`
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Type != "finding" {
			continue
		}
		start := fmt.Sprintf("%s %s%s%d", f.Rule, f.Severity, foundAgain, f.Frame)
		got := again[start]
		delete(again, start)
		switch {
		case f.Count > most+1 && len(got) == most:
			many++
		case f.Count > 1 && f.Count <= most+1 && f.Last != f.Frame && int64(len(got)) < f.Count && slices.Contains(got, f.Last):
			few++
		case f.Count > 1 && f.Last != f.Frame || len(got) > 0:
			t.Errorf("%s was found %d times, in frame %d first and %d last, again in %v", start, f.Count, f.Frame, f.Last, got)
		}
	}
	if len(again) > 0 || few == 0 || many == 0 {
		t.Errorf("%d findings have all their frames, %d as many as they may; of none is %v", few, many, again)
	}
}

// TestAnnotateText holds the comments of a small capture, all of them, and the
// comment on the file as capinfos shows it.
func TestAnnotateText(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.pcapng")
	if r := straw("annotate", "-q", sample("siw-cb"), "-o", out); r != (result{}) {
		t.Fatalf("%+v", r)
	}
	var got strings.Builder
	for _, f := range framesOf(t, out) {
		for _, c := range f.Comments() {
			fmt.Fprintf(&got, "%d: %s\n", f.Number, c)
		}
	}
	golden(t, "annotate-siw-cb.txt", got.String())
	if _, err := exec.LookPath("capinfos"); err != nil {
		t.Skipf("not installed: %v", err)
	}
	info, err := exec.Command("capinfos", "-k", out).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"rdmacap: 2 errors, 2 warnings, 3 notes on 2 of 2 connections",
		"#1 iWARP 192.0.2.2 port 33784 → 192.0.2.1 port 20049 NFS/RDMA, frames 48 to 267: 1 error, 1 warning, 1 note",
		"entire capture: 1 note",
	} {
		if !strings.Contains(string(info), text) {
			t.Errorf("capinfos shows\n%s\nwithout %q", info, text)
		}
	}
}

// TestAnnotateSelection holds that --rules leaves comments out, and that what a
// hidden finding explains names the next one that does.
func TestAnnotateSelection(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.pcapng")
	r := straw("annotate", "--rules", "CROW,-CROW-002", sample("siw-cb"), "-o", out)
	if r.status != exitDone || !strings.HasSuffix(r.out, "; 2 errors, 2 notes\n") {
		t.Fatalf("%+v", r)
	}
	all := ""
	for _, f := range framesOf(t, out) {
		all += strings.Join(f.Comments(), "\n") + "\n"
	}
	if strings.Contains(all, "CROW-002") || strings.Contains(all, "STRAW") ||
		strings.Count(all, "; explained by CROW-001b in frame ") != 2 || strings.Count(all, "; explains CROW-003 in frame ") != 2 {
		t.Errorf("the comments are\n%s", all)
	}
}
