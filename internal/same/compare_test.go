package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

func said(out string, files ...part) outcome {
	return append(outcome{{partStatus, []byte("exit status 0\n")}, {partOut, []byte(out)}, {partErr, nil}}, files...)
}

func TestFirstDifference(t *testing.T) {
	file := func(name, text string) part { return part{name, []byte(text)} }
	for _, c := range []struct {
		name     string
		old, new outcome
		want     *difference
	}{
		{"same", said("a\nb\n", file("out/x", "1")), said("a\nb\n", file("out/x", "1")), nil},
		{"a line", said("a\nbb\nc\n"), said("a\nbx\nc\n"), &difference{partOut, 2, "bb", "bx"}},
		{"more", said("a\n"), said("a\nb\n"), &difference{partOut, 2, "(the end)", "b"}},
		{"less", said("a\nb\n"), said("a\n"), &difference{partOut, 2, "b", "(the end)"}},
		{"line feed at the end", said("a\n"), said("a"), &difference{partOut, 1, "a", "a"}},
		{"a file", said("", file("out/x", "1")), said("", file("out/x", "2")), &difference{"out/x", 1, "1", "2"}},
		{"no file", said("", file("out/x", "1")), said(""), &difference{"out/x", 1, "1", "(there is no such file)"}},
		{"a new file", said("", file("out/x", "1")), said("", file("out/a", "0"), file("out/x", "1")),
			&difference{"out/a", 1, "(there is no such file)", "0"}},
		{"a file between", said("", file("out/a", "0"), file("out/x", "1")), said("", file("out/x", "1")),
			&difference{"out/a", 1, "0", "(there is no such file)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := firstDifference(c.old, c.new)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if same := c.old.sum() == c.new.sum(); same != (c.want == nil) {
				t.Errorf("the sums are the same: %v", same)
			}
		})
	}
}

func TestExcerptOfALongLine(t *testing.T) {
	line := strings.Repeat("x", 5000) + "Y" + strings.Repeat("z", 5000)
	if s := excerpt([]byte(line), 5000); !strings.Contains(s, "xYz") || len(s) > 400 {
		t.Errorf("%d bytes: %s", len(s), s)
	}
}

func TestOutcomeDecodes(t *testing.T) {
	o := said("a\n", part{"out/x", []byte("1")})
	var b bytes.Buffer
	if err := o.encode(&b); err != nil {
		t.Fatal(err)
	}
	got, err := decode(b.Bytes())
	if err != nil || got.sum() != o.sum() {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := decode(b.Bytes()[:b.Len()-1]); err == nil {
		t.Error("a cut outcome decodes")
	}
}

// The time that a run took is the only thing that does not count.
func TestTimeless(t *testing.T) {
	rows := strings.Repeat("1 RPC on 1 connection; a row captured, read in 5 ms\n", 200)
	same := [][2]string{
		{`{"type":"summary","capture_seconds":1.5,"elapsed_seconds":0.002709334}`, `{"type":"summary","capture_seconds":1.5,"elapsed_seconds":1.5}`},
		{rows + "\n116 RPCs on 2 connections, 585 frames; 71.2 s captured, read in 10.2 ms\n", rows + "\n116 RPCs on 2 connections, 585 frames; 71.2 s\ncaptured, read in 803 µs\n"},
	}
	for _, c := range same {
		if a, b := timeless([]byte(c[0])), timeless([]byte(c[1])); !bytes.Equal(a, b) {
			t.Errorf("%s\n%s", a, b)
		}
	}
	if b := timeless([]byte(rows + "\nx")); !strings.HasPrefix(string(b), rows[:len(rows)-4096]) || len(b) < len(rows)/2 {
		t.Error("rows were lost")
	}
	for _, c := range [][2]string{
		{`{"capture_seconds":1.5,"elapsed_seconds":1}`, `{"capture_seconds":1.6,"elapsed_seconds":1}`},
		{"116 RPCs on 2 connections; 71.2 s captured, read in 1 s\n", "116 RPCs on 2 connections; 71.3 s captured, read in 1 s\n"},
	} {
		if bytes.Equal(timeless([]byte(c[0])), timeless([]byte(c[1]))) {
			t.Errorf("%s is taken for %s", c[1], c[0])
		}
	}
}

func TestPanicsAreTold(t *testing.T) {
	one := withoutStacks([]byte("panic: nil\n[signal SIGSEGV: code=0x1 pc=0x7eb755]\n\ngoroutine 1 [running]:\nmain.f(0x1462fadb8360)\n"))
	two := withoutStacks([]byte("panic: nil\n[signal SIGSEGV: code=0x1 pc=0x7eb7ff]\n\ngoroutine 1 [running]:\nmain.f(0x3d7504ca6360)\n"))
	if !bytes.Equal(one, two) || !bytes.HasPrefix(one, []byte("panic: nil\n")) {
		t.Errorf("%q, %q", one, two)
	}
	o := outcome{{partStatus, nil}, {partOut, nil}, {partErr, one}}
	if !o.crashed() || said("").crashed() {
		t.Error("a panic is not told from the rest")
	}
}

// TestBuildsAreCompared runs the whole program over two "builds" that say what capture
// they were given; one of them says something else of swapped frames.
func TestBuildsAreCompared(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for i := range 3 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("s%d.pcap", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := build.WritePcap(f, numbered(500)); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	const old = `cksum "$2" "$3" 2>&1; echo "$@" >&2
case $1 in report) echo page >"$4";; export) mkdir "$5"; echo '[]' >"$5/manifest.json";; esac
`
	a := script("old", old)
	b := script("new", old+"case $* in check*swapped*) echo more;; export*s1.pcap*) echo 1 >out/0001; exit 1;; esac\n")
	args := []string{"-scenes=false", "-samples", filepath.Join(dir, "*.pcap"), "-variants", "whole,swapped,lost",
		"-commands", "check,export,report", "-cache", filepath.Join(dir, "cache"), "-keep", filepath.Join(dir, "kept")}
	run := func(builds ...string) (differ int, text string) {
		var out, progress bytes.Buffer
		differ, err := compareBuilds(append(args[:len(args):len(args)], builds...), &out, &progress)
		if err != nil || progress.Len() > 0 {
			t.Fatal(err, progress.String())
		}
		return differ, out.String()
	}
	if differ, text := run(a); differ != 0 || text != "0 outputs of 9 captures compared, 0 differ\n" {
		t.Errorf("%d: %s", differ, text)
	}
	if differ, text := run(a, a); differ != 0 || text != "27 outputs of 9 captures compared, 0 differ; 27 of OLD's were in the cache\n" {
		t.Errorf("%d: %s", differ, text)
	}
	const want = `s0.swapped check: standard output, line 3
  old: (the end)
  new: more
s1 export: exit status, line 1
  old: exit status 0
  new: exit status 1
s1.swapped check: standard output, line 3
  old: (the end)
  new: more
s2.swapped check: standard output, line 3
  old: (the end)
  new: more
check: 3 differ
export: 1 differ
27 outputs of 9 captures compared, 4 differ; 27 of OLD's were in the cache
`
	if differ, text := run(a, b); differ != 4 || text != want {
		t.Errorf("%d: %s", differ, text)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "kept", "new", "s1", "export", "out", "0001")); err != nil || !strings.Contains(string(text), "SHA-256") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestUnknownNames(t *testing.T) {
	for _, args := range [][]string{
		{"-variants", "eaten", "a", "b"}, {"-commands", "check,x", "a", "b"}, {"-samples", "none", "-scenes=false", "a", "b"}, {"a"},
	} {
		var out, progress bytes.Buffer
		if _, err := compareBuilds(args, &out, &progress); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// numbered are frames of 300 bytes, each with its number as the last two.
func numbered(n int) (list build.Frames) {
	for i := range n {
		data := make([]byte, 300)
		data[298], data[299] = byte(i>>8), byte(i)
		list = append(list, build.Frame{Time: time.Unix(0, int64(i)), Dir: build.Direction(i % 2), Data: data, Length: 300})
	}
	return list
}
