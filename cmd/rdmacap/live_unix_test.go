//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// watched is a buffer whose reader receives words in it.
type watched struct {
	bytes.Buffer
	guard sync.Mutex
}

func (w *watched) Write(p []byte) (int, error) {
	w.guard.Lock()
	defer w.guard.Unlock()
	return w.Buffer.Write(p)
}

// has reports whether a word is in it.
func (w *watched) has(word string) bool {
	w.guard.Lock()
	defer w.guard.Unlock()
	return bytes.Contains(w.Bytes(), []byte(word))
}

// until waits until a word is in it, and reports false if it takes too long.
func (w *watched) until(word string) bool {
	for range 12_000 {
		if w.has(word) {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// TestLiveFollows has a sample written into a file, into a FIFO, and into a folder of files:
// its rows come while that goes on, and are those of the sample when it is interrupted.
func TestLiveFollows(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	want := strings.Count(must(t, "read", "--format", "ndjson", sample("rxe-cb")), `{"type":"rpc"`)
	header, half := data[:24], len(data)/2
	dir := t.TempDir()
	write := func(path string, flags int, data []byte) *os.File {
		f, err := os.OpenFile(path, os.O_WRONLY|flags, 0o600)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Error(err)
		}
		return f
	}
	// A file of the folder ends with a whole record.
	end := 24
	for n := 0; end < half; end += n {
		n = 16 + int(data[end+8]) + int(data[end+9])<<8
	}
	for kind, parts := range map[string]func(path string) []func(){
		"file": func(path string) []func() {
			write(path, os.O_CREATE, data[:half]).Close()
			return []func(){func() {}, func() { write(path, os.O_APPEND, data[half:]).Close() }}
		},
		"fifo": func(path string) []func() {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			var f *os.File
			t.Cleanup(func() { f.Close() })
			return []func(){
				func() { f = write(path, 0, data[:half]) },
				func() {
					if _, err := f.Write(data[half:]); err != nil {
						t.Error(err)
					}
				},
			}
		},
		"folder": func(path string) []func() {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			write(filepath.Join(path, "x_00001.pcap"), os.O_CREATE, data[:end]).Close()
			return []func(){func() {}, func() {
				write(filepath.Join(path, "x_00002.pcap"), os.O_CREATE, bytes.Join([][]byte{header, data[end:]}, nil)).Close()
			}}
		},
	} {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join(dir, kind)
			do := parts(path)
			var out, diag watched
			rows := func() int {
				out.guard.Lock()
				defer out.guard.Unlock()
				return strings.Count(out.String(), `{"type":"rpc"`)
			}
			wait := func(n int) {
				for range 1000 {
					if rows() >= n {
						return
					}
					time.Sleep(5 * time.Millisecond)
				}
			}
			r := start(t, streams{out: &out, err: &diag}, "live", "-r", path, "--follow", "--format", "ndjson")
			do[0]()
			wait(want / 4)
			if n := rows(); n < want/4 || n == want {
				t.Errorf("%d rows of %d after half", n, want)
			}
			do[1]()
			wait(want - 10)
			r.interrupt()
			if s := r.wait(t); s != exitInterrupted || rows() != want || !strings.Contains(out.String(), `"type":"summary"`) {
				t.Errorf("status %d, %d rows of %d, standard error %q", s, rows(), want, diag.String())
			}
			if n := strings.Count(diag.String(), "\n"); n != 1 {
				t.Errorf("standard error: %q", diag.String())
			}
		})
	}
}

func TestLiveMisuse(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"live", "live needs -i IFACE, an interface, or -r FILE (see 'rdmacap live --help')"},
		{"live x.pcap", "live takes no arguments: use -i x.pcap for an interface, -r x.pcap for a file (see 'rdmacap live --help')"},
		{"live -i a -r b", "-i and -r cannot be combined (see 'rdmacap live --help')"},
		{"live -i a --format json", `--format: unknown format "json": use text or ndjson (see 'rdmacap live --help')`},
		{"live -i a --capture-filter udp", `--capture-filter: unknown value "udp": use rdma or none (see 'rdmacap live --help')`},
		{"live -i a --buffer 1kB", `--buffer must be from 1MiB to 2GiB (see 'rdmacap live --help')`},
		{"live --follow", "--follow needs -r FILE (see 'rdmacap live --help')"},
		{"live -r .", ".: is a directory; --follow reads its files one after another"},
		{"live -r nonesuch", "nonesuch: cannot be opened: no such file or directory"},
	} {
		r := rdmacap(strings.Fields(c.args)...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+c.want+"\n" {
			t.Errorf("rdmacap %s: %+v", c.args, r)
		}
	}
}
