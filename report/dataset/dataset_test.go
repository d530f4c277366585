package dataset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// connections is a Dataset of connections alone, in a directory of the test's own.
func connections(t *testing.T, roll *Roll) *Dataset {
	return New(Options{
		Wanted: Wanted{Connections: true}, Dir: t.TempDir(), Host: "nfs7", Names: []string{"/tmp/a b.pcap.zst"}, Sizes: []int64{5},
		Rights: 0o600, Program: "test", Roll: roll,
	})
}

// over writes the last record of a connection.
func over(t *testing.T, d *Dataset) {
	t.Helper()
	if _, err := d.Write([]byte(`{"type":"connection","id":1,"final":true}` + "\n")); err != nil {
		t.Fatal(err)
	}
}

// filesIn are the files below a directory, by their names.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// at is a time on a day, in nanoseconds since 1970.
func at(clock string) int64 {
	x, err := time.Parse(time.DateTime, clock)
	if err != nil {
		panic(err)
	}
	return x.UnixNano()
}

// TestRoll holds that other files are begun after a time and when a day ends, and not before.
func TestRoll(t *testing.T) {
	d := connections(t, &Roll{Size: 1 << 30, Every: time.Hour})
	d.Starts(at("2026-11-21 22:15:00"))
	for _, clock := range []string{"22:15:01", "23:10:00", "23:16:00", "23:50:00"} {
		d.Reached(at("2026-11-21 " + clock))
		over(t, d)
	}
	for _, clock := range []string{"00:01:00", "00:40:00"} {
		d.Reached(at("2026-11-22 " + clock))
		over(t, d)
	}
	if err := d.Close(true); err != nil {
		t.Fatal(err)
	}
	// A row is still written to the files that end with it.
	name := "/" + d.Capture() + "-000"
	first, second := "connections/host=nfs7/date=2026-11-21"+name, "connections/host=nfs7/date=2026-11-22"+name
	if got, want := filesIn(t, d.o.Dir), []string{first + "1.parquet", first + "2.parquet", second + "3.parquet"}; !slices.Equal(got, want) {
		t.Errorf("the files are\n%q, not\n%q", got, want)
	}
	if got := d.Counts(); got != "6 connections, in 3 files of each" {
		t.Error(got)
	}
	if !strings.HasPrefix(d.Capture(), "a_b-") {
		t.Errorf("the capture is called %q", d.Capture())
	}
	if d.o.Names = []string{"-"}; !strings.HasPrefix(d.Capture(), "stdin-") {
		t.Errorf("standard input is called %q", d.Capture())
	}
}

// TestRollBySize holds the same of bytes: of groups of rows, as others are not written yet.
func TestRollBySize(t *testing.T) {
	d := connections(t, &Roll{Size: 1, Every: time.Hour})
	over(t, d)
	d.tables[0].size.Store(1)
	over(t, d)
	over(t, d)
	if err := d.Close(true); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(t, d.o.Dir); len(got) != 2 {
		t.Errorf("there are %q", got)
	}
}

// TestAbsent holds that nothing is left of what is not to be there.
func TestAbsent(t *testing.T) {
	d := connections(t, nil)
	over(t, d)
	if err := d.Close(false); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(t, d.o.Dir); got != nil {
		t.Errorf("there are %q", got)
	}
	d = connections(t, nil)
	d.o.Dir = filepath.Join(d.o.Dir, "file")
	if err := os.WriteFile(d.o.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Write([]byte("{}\n")); err == nil || d.Close(true) == nil {
		t.Error("a file was taken for a directory")
	}
}

// TestNoRows holds that there are files, with columns, also where there are no rows.
func TestNoRows(t *testing.T) {
	d := New(Options{
		Wanted: Wanted{RPCs: true, Messages: true, Findings: true, Connections: true, Frames: true},
		Dir:    t.TempDir(), Host: "x", Names: []string{"a"}, Sizes: []int64{-1}, Rights: 0o644,
	})
	if err := d.Close(true); err != nil {
		t.Fatal(err)
	}
	got := filesIn(t, d.o.Dir)
	if len(got) != len(Names()) {
		t.Errorf("there are %q", got)
	}
	for _, name := range got {
		file, err := os.Open(filepath.Join(d.o.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		p, err := parquet.OpenFile(file, info.Size())
		if err != nil || p.NumRows() != 0 || len(p.Schema().Columns()) < 20 || p.Schema().Columns()[0][0] != "capture" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMalformedRows holds that what is no row is an error, and no panic.
func TestMalformedRows(t *testing.T) {
	for _, row := range []string{"\x01", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x02", "\x00", "{", "[]\n", "{\"type\":\"connection\",\"final\":true,\"id\":\"x\"}\n"} {
		d := New(Options{Wanted: Wanted{RPCs: true, Connections: true}, Dir: t.TempDir(), Host: "x", Names: []string{"a"}, Sizes: []int64{-1}, Rights: 0o644})
		if _, err := d.Write([]byte(row)); err != nil {
			t.Errorf("%q: %v before anybody looked at it", row, err)
		}
		if err := d.Close(true); err == nil {
			t.Errorf("%q: the files are there", row)
		} else if row == "\x01" && !errors.Is(err, errRow) {
			t.Error(err)
		}
	}
}
